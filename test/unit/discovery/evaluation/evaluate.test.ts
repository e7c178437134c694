import { describe, expect, test } from 'vitest';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import { office, servers, surfaceOf } from '../fixtures.ts';
import { asks, evaluated, ranks } from './evaluating.ts';

const never = Number.POSITIVE_INFINITY;

describe('given queries whose tools have known ranks', () => {
	const queries = [
		asks('slack__send_message', 'slack:send_message'),
		// The named one comes first, and the other one that says "event" and "calendar" behind it.
		asks('create_event or delete it', 'calendar:create_event', 'calendar:delete_event'),
		asks('gubbins', 'slack:list_channels'),
		asks('order a pizza with extra cheese'),
	];

	test('then the figures match those counted by hand', async () => {
		const evaluation = await evaluated(office, queries);
		const [first, second, third] = ranks(evaluation);
		expect([first, second, third]).toEqual([[1], [1, 2], [never]]);
		const { figures } = evaluation;
		expect(figures).toEqual({
			queries: 3,
			firstIsRight: 2,
			needs: 4,
			found: 3,
			negatives: 1,
			falseAnswers: 0,
			leftOut: 0,
		});
	});

	test('when a query should find nothing but finds a tool, then it counts as a false answer', async () => {
		const { figures, results } = await evaluated(office, [asks('send a message')]);
		expect(figures).toMatchObject({ queries: 0, negatives: 1, falseAnswers: 1 });
		expect(results[0]?.first[0]?.id).toBe('slack:send_message');
	});
});

describe('given a query for which other tools rank first', () => {
	const crowd = servers({
		notes: [...Array.from({ length: 6 }, (_, i) => `send_note_${i}`), 'post_letter'],
	});

	test('then the result lists the first three tools', async () => {
		const { results } = await evaluated(crowd, [asks('send note', 'notes:post_letter')]);
		expect(results[0]?.isRight).toBe(false);
		expect(results[0]?.first.map(({ name }) => name)).toEqual(['send_note_0', 'send_note_1', 'send_note_2']);
	});

	test('when any one of several tools is enough, then the best-ranked of them counts', async () => {
		const query = asks('send_note_3', ['notes:post_letter', 'notes:send_note_3']);
		expect(ranks(await evaluated(crowd, [query]))).toEqual([[1]]);
	});
});

describe('given labels that do not name exactly one deferred tool', () => {
	test('when the name is unknown, then the closest names are reported and the query is left out', async () => {
		const { results, figures } = await evaluated(office, [asks('send a message', 'slack:send_mesage')]);
		expect(figures).toMatchObject({ queries: 0, leftOut: 1 });
		expect(results[0]?.question.remarks).toMatchObject([
			{ kind: 'unknown', name: 'slack:send_mesage', closest: [{ id: 'slack:send_message' }] },
		]);
	});

	test('when several tools have that name, then each of them counts as right', async () => {
		const { results, figures } = await evaluated(office, [asks('search the events of a calendar', 'search')]);
		expect(figures.firstIsRight).toBe(1);
		expect(results[0]?.question.remarks).toMatchObject([{ kind: 'ambiguous', name: 'search' }]);
	});

	test('when the tool is always loaded, then its query is left out', async () => {
		const pinned = { ...defaultServerPolicy, deferLoading: true, pinned: ['send_message'] };
		const policy = { servers: new Map([['slack', pinned]]) };
		const { results, figures } = await evaluated(office, [asks('send a message', 'send_message')], policy);
		expect(figures).toMatchObject({ queries: 0, leftOut: 1 });
		expect(results[0]?.question.remarks).toMatchObject([
			{ kind: 'loaded', tool: { id: 'slack:send_message' } },
		]);
	});
});

test('the evaluation can be cancelled between two queries', async () => {
	const stop = new AbortController();
	const done: number[] = [];
	const running = evaluate(
		surfaceOf(),
		Array.from({ length: 10 }, () => asks('send', 'slack:search')),
		{
			pause: async () => stop.signal.throwIfAborted(),
			progress: (share) => {
				done.push(share);
				if (share >= 0.3) stop.abort(new Error('enough'));
			},
		},
	);
	await expect(running).rejects.toThrow('enough');
	expect(done).toEqual([0.1, 0.2, 0.3]);
});
