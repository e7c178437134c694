import { describe, expect, test } from 'vitest';
import { FruitlessError, type LearnedExpansion, teach } from '../../../../src/chat/teaching/teach.ts';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import { ModelError } from '../../../../src/models/modelError.ts';
import type { Said } from '../../../scriptedAnswer.ts';
import { servers } from '../../discovery/fixtures.ts';
import { call, type Round, ScriptedModel } from '../conversation.ts';

const names = Array.from({ length: 32 }, (_, i) => `tool_${i}`);
const tools = new Catalog(servers({ git: names }), 1).tools;

/** Names of the tools that a request is about. */
function askedFor({ messages: [message] }: ChatRequest): string[] {
	const text = message?.role === 'user' ? message.text : '';
	return [...text.matchAll(/^\{"name":"(\w+)"/gm)].map(([, name]) => name ?? '');
}

function entries(all: readonly string[]): object[] {
	return all.map((name) => ({ name, when: `For ${name}.`, queries: [`want ${name}`] }));
}

/** Hands in what was asked for, as far as `has` says. */
function describes(has: (name: string) => boolean = () => true): Round {
	return (request) => handedIn(askedFor(request).filter(has));
}

function handedIn(all: readonly string[]): Said[] {
	return [
		{ type: 'toolCall', call: call('describe_tools', { tools: entries(all) }) },
		{ type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } },
	];
}

async function taught(
	round: Round,
	all: readonly CatalogTool[] = tools,
): Promise<
	LearnedExpansion & { readonly model: ScriptedModel; readonly kept: string[]; readonly progress: number[] }
> {
	const model = new ScriptedModel([round]);
	const kept: string[] = [];
	const progress: number[] = [];
	const result = await teach(all, {
		model,
		signal: new AbortController().signal,
		keep: async (learned) => void kept.push(...[...learned.keys()].map(({ name }) => name)),
		progress: (done) => progress.push(done),
	});
	return { ...result, model, kept, progress };
}

describe('given tools that a model describes', () => {
	test('when it answers, then each tool is requested once, saved at once, and counted', async () => {
		const { learned, kept, model, progress, end, requests, tokens, undescribed } = await taught(describes());
		expect(end).toEqual({ kind: 'complete' });
		expect(model.requests.flatMap(askedFor)).toEqual(names);
		expect([learned.size, kept.toSorted(), undescribed]).toEqual([32, names.toSorted(), []]);
		expect([requests, tokens, progress.at(-1)]).toEqual([3, 330, 32]);
		expect(model.requests.every(({ mustCall }) => mustCall)).toBe(true);
	});

	test('when an answer covers only half of the tools, then only the others are requested again', async () => {
		const seen = new Set<string>();
		const { learned, model } = await taught((request) => {
			const asked = askedFor(request);
			const half = asked.filter((name, i) => i % 2 === 0 || seen.has(name));
			for (const name of asked) seen.add(name);
			return handedIn(half);
		});
		expect(learned.size).toBe(32);
		const times = Map.groupBy(model.requests.flatMap(askedFor), (name) => name);
		expect(Math.max(...[...times.values()].map(({ length }) => length))).toBe(2);
		expect([...times.values()].filter(({ length }) => length === 2).length).toBeLessThan(17);
	});

	test('when it never describes one tool, then that tool is given up and the others are learned', async () => {
		const { learned, undescribed, end, progress } = await taught(describes((name) => name !== 'tool_3'));
		expect([learned.size, undescribed.map(({ name }) => name), end.kind]).toEqual([
			31,
			['tool_3'],
			'complete',
		]);
		expect(progress.at(-1)).toBe(32);
	});

	test('when it calls no tool, then it is asked for text, and the text is used', async () => {
		const { learned, model } = await taught((request) =>
			request.tools.length > 0
				? [{ type: 'text', text: 'I would rather not call anything.' }]
				: [{ type: 'text', text: JSON.stringify({ tools: entries(askedFor(request)) }) }],
		);
		expect(learned.size).toBe(32);
		expect(model.requests.at(-1)?.tools).toEqual([]);
	});

	test('when it answers only with nonsense, then the requests stop with an error', async () => {
		const { end, model, learned } = await taught(() => [{ type: 'text', text: 'Rubbish' }]);
		expect([end.kind, learned.size]).toEqual(['failed', 0]);
		expect(end.kind === 'failed' && end.error).toBeInstanceOf(FruitlessError);
		expect(model.requests.length).toBeLessThan(14);
	});

	test('when it refuses once and then answers with nonsense, then the error is about the nonsense', async () => {
		let answers = 0;
		const { end } = await taught(() => {
			if (++answers === 1) throw new ModelError('refused', 'No.');
			return [{ type: 'text', text: 'Rubbish' }];
		});
		expect(end.kind === 'failed' && end.error).toBeInstanceOf(FruitlessError);
	});

	test('when it refuses one lesson, then its tools are retried in smaller requests', async () => {
		const { learned, undescribed } = await taught((request) => {
			const asked = askedFor(request);
			if (asked.includes('tool_20') && asked.length > 4) throw new ModelError('refused', 'No.');
			return handedIn(asked);
		});
		expect([learned.size, undescribed]).toEqual([32, []]);
	});

	test('when it refuses everything, then the provider’s own error is reported', async () => {
		const blocked = Object.assign(new Error('Quota exceeded'), { code: 'Blocked' });
		const { end } = await taught(() => {
			throw blocked;
		});
		expect(end).toEqual({ kind: 'failed', error: blocked });
	});

	test('when it fails permanently, then the requests stop and what was learned is kept', async () => {
		let answers = 0;
		const failure = new ModelError('unauthorized', 'The key is not valid.');
		const all = new Catalog(servers({ git: [...names, ...names.map((name) => `more_${name}`)] }), 1).tools;
		const { end, kept, model, learned } = await taught((request) => {
			if (++answers > 3) throw failure;
			return handedIn(askedFor(request));
		}, all);
		expect(end).toEqual({ kind: 'failed', error: failure });
		expect([learned.size, kept.length]).toEqual([45, 45]);
		expect(model.requests.length).toBeLessThanOrEqual(6);
	});

	test.each([
		['from the beginning', 0, 0],
		['when it has answered', 1, 3],
	])(
		'when its answers cannot be saved %s, then teaching fails and the requests stop',
		async (_, room, asked) => {
			let kept = 0;
			const model = new ScriptedModel([describes()]);
			const result = await teach(tools, {
				model,
				signal: new AbortController().signal,
				keep: async () => {
					if (++kept > room) throw new Error('The disk is full.');
				},
			});
			expect(model.requests.length).toBe(asked);
			expect(result.end).toMatchObject({ kind: 'failed', error: { message: 'The disk is full.' } });
			expect(result.learned.size).toBe(0);
		},
	);

	test('when the user stops it, then it ends at once and keeps what was learned', async () => {
		const stop = new AbortController();
		let answers = 0;
		const kept: string[] = [];
		const endless: Round = async function* (request) {
			if (++answers > 1) await new Promise(() => {});
			yield* handedIn(askedFor(request));
		};
		const { end, learned } = await teach(tools, {
			model: new ScriptedModel([endless]),
			signal: stop.signal,
			keep: async (all) => {
				kept.push(...[...all.keys()].map(({ name }) => name));
				if (all.size > 0) stop.abort();
			},
		});
		expect([end.kind, learned.size, kept.length]).toEqual(['cancelled', 15, 15]);
	});
});
