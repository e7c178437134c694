/** `become` sets the definition of `get` and announces it. */
import { type Json, text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

let get = tool('get');

await serveMode('stdio', {
	handlers: {
		'tools/list': () => ({ tools: [get, tool('become')] }),
		'tools/call': async ({ name, arguments: input }, { wire }) => {
			if (name === 'become') {
				get = { ...tool('get'), ...(input as Json) };
				await wire.send({ method: 'notifications/tools/list_changed' });
			}
			return text(`${name} done`);
		},
	},
});
