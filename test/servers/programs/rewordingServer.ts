/** `become` sets the definition of `get` and announces it; `vanish` removes `get`. */
import { type Json, text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

let get: Json | undefined = tool('get');

await serveMode('stdio', {
	handlers: {
		'tools/list': () => ({ tools: [...(get ? [get] : []), tool('become'), tool('vanish')] }),
		'tools/call': async ({ name, arguments: input }, { wire }) => {
			if (name === 'become') get = { ...tool('get'), ...(input as Json) };
			if (name === 'vanish') get = undefined;
			if (name !== 'get') await wire.send({ method: 'notifications/tools/list_changed' });
			return text(`${name} done`);
		},
	},
});
