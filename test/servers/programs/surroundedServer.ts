/** Returns its surroundings: `fetch` the answer of an address, `say` the value of a variable. */
import { text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const { env } = process;

await serveMode('stdio', {
	handlers: {
		'tools/list': () => ({ tools: [tool('fetch'), tool('say')] }),
		'tools/call': async (params) => {
			const { name, arguments: args = {} } = params as {
				name: string;
				arguments?: Readonly<Record<string, string>>;
			};
			if (name === 'say') return text(env[args.name ?? ''] ?? 'not set');
			const response = await fetch(args.url ?? '').catch((error: Error) => error);
			return text(
				response instanceof Error ? `${response.message}: ${response.cause}` : await response.text(),
			);
		},
	},
});
