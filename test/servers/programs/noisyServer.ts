/** Speaks the protocol between garbage: banners, CRLF, characters split between writes, and answers of any size. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, text, tool } from './messages.ts';
import { noAnswer, serve } from './scriptedServer.ts';

for (let line = 1; line <= 40; line += 1) process.stdout.write(`banner ${line}\r\n`);
process.stderr.write(`the key is ${process.env.API_KEY}\n`);

serve({
	'tools/list': () => ({ tools: [tool('split'), tool('big'), tool('echo')] }),
	'tools/call': async ({ name, arguments: args }, id) => {
		if (name === 'echo') return text('echo');
		if (name === 'big') return text('x'.repeat(Number((args as Json).bytes)));
		const answer = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('Grüße 🙂') })}\r\n`);
		for (const byte of answer) {
			process.stdout.write(Buffer.of(byte));
			if (byte >= 0x80) await delay(2);
		}
		return noAnswer;
	},
});
