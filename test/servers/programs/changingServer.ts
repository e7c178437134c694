/**
 * `grow` adds a tool and announces it, `flood` announces a change every 50 ms without end, `count` returns how often it was asked for its
 * list.
 */
import type { Wire } from '../faults/server/exchange.ts';
import { text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const tools = [tool('grow'), tool('flood'), tool('count')];
let lists = 0;

const announce = (wire: Wire) => wire.send({ method: 'notifications/tools/list_changed' });

await serveMode('stdio', {
	handlers: {
		'tools/list': () => {
			lists += 1;
			return { tools };
		},
		'tools/call': async ({ name }, { wire }) => {
			if (name === 'grow') {
				tools.push(tool(`grown-${tools.length}`));
				await announce(wire);
			}
			if (name === 'flood') setInterval(() => void announce(wire), 50);
			return text(String(lists));
		},
	},
});
