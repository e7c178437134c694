import { describe, expect, test } from 'vitest';
import type { AnswerPart } from '../../src/discovery/catalog/message.ts';
import { givenCalls } from './asGiven.ts';
import { answerOf, type HttpAnswer, Loopback, roomy, sse, textOf, whole } from './loopback.ts';
import { protocols } from './protocols.ts';

/** A part without its id and its maker, which differ between two models. */
function comparable(part: AnswerPart): unknown {
	const { origin, ...rest } = part;
	return [part.type === 'toolCall' ? { ...part.call, id: '' } : rest, origin?.data];
}

describe.each(Object.entries(protocols))(
	'%s',
	(_, { model, begin = '', path, text, call, thinking, thought, end }) => {
		const signed = (words: string) => thinking(words) + (thought?.('signature') ?? '');
		/** An error in the middle that asks for the shortest wait. */
		const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0s' }];
		const gone = { error: { message: 'Gone', code: 'server_error', details } };
		const torn = path.startsWith('/api') ? `${JSON.stringify(gone)}\n` : sse(gone);
		const answer = signed('Hm.') + call('c1', 'files__read', '{"path":"a"}', 0) + end;

		/** What comes of answers in these pieces, one after the other. */
		async function outcomeOf(...bodies: readonly string[]) {
			const answers = bodies.map(
				(body): HttpAnswer =>
					(response) =>
						void response.end(begin + body),
			);
			await using server = await Loopback.routed((asked) => (asked === path ? answers : [whole(404, '')]));
			const outcome = await answerOf(model(server.url, {}, roomy));
			return { ...outcome, bodies: server.at(path).map(({ body }) => body) };
		}

		const hasTags = path === '/v1/chat/completions' || path.startsWith('/api');
		test.each<[string, string]>([
			['a thought', thinking('TORN')],
			['a signed thought', signed('TORN')],
			...(hasTags ? [['a thought in the text', text('<think>TORN')] as [string, string]] : []),
			['a thought and a call', signed('TORN') + call('c0', 'files__delete', '{"path":"TORN"}', 0)],
			['half a call', call('c0', 'files__delete', '{"path":"TO', 0)],
		])(
			'%s that was torn off is not joined to the next attempt, and the user is told',
			async (_name, left) => {
				const once = await outcomeOf(answer);
				const twice = await outcomeOf(left + torn, answer);

				expect(givenCalls(twice.parts)).toEqual([{ id: 'c1', name: 'files__read', input: { path: 'a' } }]);
				expect(twice.parts.map(comparable)).toEqual(once.parts.map(comparable));
				const at = twice.events.findIndex(({ type }) => type === 'retrying');
				expect(twice.events.slice(0, at).every(({ type }) => type === 'thinking')).toBe(true);
				expect(twice.events.slice(at + 1)).toEqual(once.events);
				expect(twice.bodies).toEqual([once.bodies[0], once.bodies[0]]);
			},
		);

		test('text that was torn off stays as the user has read it, is not repeated, and makes no call', async () => {
			const left = signed('Hm.') + text('Half') + call('c0', 'files__delete', '{}', 1) + torn;

			const { events, parts, error, bodies } = await outcomeOf(left, answer);

			expect([textOf(events), parts, bodies.length]).toEqual(['Half', [], 1]);
			expect(error).toMatchObject({ reason: 'server' });
		});
	},
);
