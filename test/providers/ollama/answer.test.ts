import { expect, test } from 'vitest';
import { answerOf, asking } from '../loopback.ts';
import { modelAt, ollamaServer } from './loopbackOllama.ts';

test.each([1, 2, 3, 7, 100])('an answer in pieces of %i bytes is the same', async (bytes) => {
	const said = `{"message":{"content":"häß"}}\r\n\n  \n{"message":{"content":"🌧️"}}\n{"done":true}`;
	const whole = new TextEncoder().encode(said);
	await using ollama = await ollamaServer([
		async (response) => {
			for (let at = 0; at < whole.length; at += bytes) {
				response.write(whole.subarray(at, at + bytes));
				await new Promise(setImmediate);
			}
			response.end();
		},
	]);
	const { parts, error } = await answerOf(modelAt(ollama), asking('Look.'));
	expect(error).toBeUndefined();
	expect(parts).toEqual([{ type: 'text', text: 'häß🌧️' }]);
});
