/** `grow` adds a tool and announces it, `count` returns how often it was asked for its list. */
import { text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const tools = [tool('grow'), tool('count')];
let lists = 0;

await serveMode('stdio', {
	handlers: {
		'tools/list': () => {
			lists += 1;
			return { tools };
		},
		'tools/call': async ({ name }, { wire }) => {
			if (name === 'grow') {
				tools.push(tool(`grown-${tools.length}`));
				await wire.send({ method: 'notifications/tools/list_changed' });
			}
			return text(String(lists));
		},
	},
});
