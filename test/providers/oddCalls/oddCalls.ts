import { Answer } from '../../../src/models/answer.ts';
import { Thinker } from '../../../src/models/thinker.ts';
import { givenCalls } from '../asGiven.ts';
import { endpointAt } from '../loopback.ts';

// Streams of calls that endpoints send though the protocol says otherwise. A row with an address reproduces a public report, in other words.

export type Json = Readonly<Record<string, unknown>>;
/** A call, or one that `lacks` something: it has a fault, and never runs. */
export type Made = readonly [name: string, input: unknown];

export const lacks = 'lacks';
export const endpoint = endpointAt('http://127.0.0.1:1');
export const thinker = new Thinker(endpoint, 'test', 'm');

/** The calls of an answer that `read` reads. */
export async function callsIn(read: (answer: Answer) => unknown): Promise<Made[]> {
	const answer = new Answer(() => undefined, thinker);
	await read(answer);
	return givenCalls(answer.parts).map(({ name, input, fault }) => [
		name,
		fault === undefined ? input : lacks,
	]);
}
