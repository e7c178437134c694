/** `grow` adds a tool and says so; `flood` says so every 50 ms without end, `count` tells how often it was asked to list. */
import { text, tool } from './messages.ts';
import { send, serve } from './scriptedServer.ts';

const tools = [tool('grow'), tool('flood'), tool('count')];
let lists = 0;

const announce = () => send({ method: 'notifications/tools/list_changed' });

serve({
	'tools/list': () => {
		lists += 1;
		return { tools };
	},
	'tools/call': ({ name }) => {
		if (name === 'grow') {
			tools.push(tool(`grown-${tools.length}`));
			announce();
		}
		if (name === 'flood') setInterval(announce, 50);
		return text(String(lists));
	},
});
