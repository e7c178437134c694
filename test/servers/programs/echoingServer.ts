/**
 * Repeats its input: in its log, in two pieces with a pause, in a line that is too long, in progress, in its tool's description, in its
 * instructions, in results and in errors. `die` ends it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { noAnswer } from '../faults/server/exchange.ts';
import { text, tool } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const given = [
	...process.argv.slice(2),
	...JSON.parse(process.env.NAMES ?? '[]').map((name: string) => process.env[name]),
].join(' ');
const half = Math.floor(given.length / 2);

process.stderr.write(`given ${given}\n`);
process.stderr.write(`pieces ${given.slice(0, half)}`);
await delay(50);
process.stderr.write(`${given.slice(half)}\n`);
// The line splitter keeps the first 512 bytes of a line that is too long.
const first = given.split(' ')[0] ?? '';
process.stderr.write(`${'x '.repeat(246)}cut ${first} ${'y'.repeat(20_000)}\n`);
process.stdout.write(`${'z '.repeat(86)}${given}\n`);

await serveMode('stdio', {
	handlers: {
		'tools/list': () => ({
			tools: [{ ...tool('say'), description: `Says ${given}` }, tool('refuse'), tool('die')],
		}),
		'tools/call': async (params, { id, send }) => {
			const { name, _meta } = params as { name: string; _meta?: { progressToken?: unknown } };
			if (name === 'die') {
				process.stderr.write(`dying of ${given}\n`);
				await delay(50);
				process.exit(3);
			}
			if (name === 'refuse') {
				await send({ id, error: { code: -32_000, message: `not valid: ${given}` } });
				return noAnswer;
			}
			if (_meta?.progressToken !== undefined) {
				const progress = { progressToken: _meta.progressToken, progress: 1, message: `with ${given}` };
				await send({ method: 'notifications/progress', params: progress });
			}
			// The SDK drops progress that arrives together with the answer.
			await delay(50);
			await send({ method: 'notifications/message', params: { level: 'info', data: { got: given } } });
			return { ...text(`got ${given}`), structuredContent: { got: { deep: [given] } } };
		},
	},
});
