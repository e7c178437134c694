import { ToolIndex } from '../../src/discovery/index.ts';
import { certainty } from '../../src/discovery/search/certainty.ts';
import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import { copiedParaphrases, readParaphrases } from '../paraphrases.ts';
import type { LabelledQuery, QuerySet } from '../querySet.ts';
import { inTuningPart } from '../split.ts';

const FIRST = 5;
const PARAPHRASES = 'paraphrases';

/** The outcome of one query. */
interface Answer {
	readonly set: string;
	readonly isTuning: boolean;
	readonly isSure: boolean;
	readonly isRight: boolean;
	readonly isAmongFive: boolean;
}

/** How often the first hit is right, how often it is called sure, and how often it is right then. */
export const sure: Benchmark = {
	name: 'sure',
	title: 'What is called sure',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const paraphrases = readParaphrases(data.corpora);
		const answers: Answer[] = [];
		for (const set of [...data.querySets, ...paraphrases]) answers.push(...(await answersOf(set)));
		const isParaphrase = ({ set }: Answer) => set.startsWith(PARAPHRASES);
		const groups: [string, Answer[]][] = [
			['sets', answers.filter((answer) => !isParaphrase(answer))],
			[PARAPHRASES, answers.filter(isParaphrase)],
			...Map.groupBy(answers, ({ set }) => set),
		];
		const scores = groups.flatMap(([name, all]) => [
			scoreOf(
				`${name}-rest`,
				all.filter(({ isTuning }) => !isTuning),
			),
			scoreOf(
				`${name}-tuned`,
				all.filter(({ isTuning }) => isTuning),
			),
		]);
		const labelled = data.querySets.flatMap(({ queries }) => queries.map(({ text }) => text));
		const copies = paraphrases.flatMap((set) => copiedParaphrases(set, labelled));
		return {
			kind: 'measured',
			figures: Object.assign({}, ...scores.map(figuresOf)),
			tables: [
				{
					columns: ['', 'queries', 'first', 'among five', 'sure', 'right if sure'],
					rows: scores.map(({ name, queries, first, five, called, right }) => [
						name,
						`${queries}`,
						...[first, five, called, right].map((share) => share.toFixed(3)),
					]),
				},
				{
					title: 'Paraphrases with words of a description or of a query',
					columns: [''],
					rows: copies.map((text) => [text]),
				},
			],
			notes: [
				'tuned: the halves that the weights of confidence are fitted to (bench/split.ts). rest: the others. Queries that nothing answers are left out; a tool that only helps is not right.',
			],
		};
	},
};

async function answersOf({ name, tools, queries }: QuerySet): Promise<Answer[]> {
	const index = await ToolIndex.build(tools, { pause: async () => {} });
	return queries
		.filter(({ gold }) => gold.length > 0)
		.map((query) => {
			const hits = index.search(query.text, { limit: FIRST });
			const isRight = hits.map(({ tool }) => isGold(query, tool));
			return {
				set: name,
				isTuning: inTuningPart(query),
				isSure: (hits[0]?.confidence ?? 0) >= certainty,
				isRight: isRight[0] ?? false,
				isAmongFive: isRight.includes(true),
			};
		});
}

function isGold({ gold }: LabelledQuery, tool: { readonly server: string; readonly name: string }): boolean {
	return gold.flat().some(([server, name]) => server === tool.server && name === tool.name);
}

interface Score {
	readonly name: string;
	readonly queries: number;
	readonly first: number;
	readonly five: number;
	readonly called: number;
	readonly right: number;
}

function scoreOf(name: string, answers: readonly Answer[]): Score {
	const share = (some: readonly Answer[], of: (answer: Answer) => boolean) =>
		some.filter(of).length / Math.max(1, some.length);
	return {
		name,
		queries: answers.length,
		first: share(answers, ({ isRight }) => isRight),
		five: share(answers, ({ isAmongFive }) => isAmongFive),
		called: share(answers, ({ isSure }) => isSure),
		right: share(
			answers.filter(({ isSure }) => isSure),
			({ isRight }) => isRight,
		),
	};
}

function figuresOf({ name, first, five, called, right }: Score): Figures {
	const prefix = `sure.${name}`;
	return {
		[`${prefix}.first`]: first,
		[`${prefix}.five`]: five,
		[`${prefix}.called`]: called,
		[`${prefix}.right`]: right,
	};
}
