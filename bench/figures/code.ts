import { headAndTail } from '../../src/chat/results/resultPages.ts';
import { Catalog, defaultPolicy, defaultServerPolicy, ToolSurface } from '../../src/discovery/index.ts';
import { frozenPrefix } from '../../src/discovery/session/promptPrefix.ts';
import { type Benchmark, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import {
	type Cost,
	joinedCost,
	recordedCost,
	type Surroundings,
	sum,
	tokensOf,
	type Variant,
} from '../code/cost.ts';
import { planned } from '../code/program.ts';
import type { Recording } from '../code/recording.ts';
import { type Corpus, toolsOf } from '../corpus.ts';
import { count, percent } from '../report.ts';

const CORPUS = 'livemcp';
/** Tasks with fewer calls have nothing to join. */
const LEAST_CALLS = 3;
/** Classes of tasks by their calls of tools, by the most that each class has. */
const MOST_CALLS = [3, 5, 9, Number.POSITIVE_INFINITY];
/** Results of more bytes become files, see `mcpDiscovery.largeResult`; the model gets this much of their beginning and end. */
const LARGE = { limit: 8 * 1024, head: 4 * 1024, tail: 1024 };

const VARIANTS: Readonly<Record<string, Variant & { readonly title: string }>> = {
	parallelConservative: {
		title: 'several calls in one answer, conservative',
		bound: 'conservative',
		way: 'parallel',
		stubs: false,
	},
	programConservative: {
		title: 'a program, conservative',
		bound: 'conservative',
		way: 'program',
		stubs: true,
	},
	programWithoutStubs: {
		title: '  the same without stubs',
		bound: 'conservative',
		way: 'program',
		stubs: false,
	},
	programFiltering: {
		title: '  the same where it returns only what is used later',
		bound: 'conservative',
		way: 'program',
		returns: 'optimistic',
		stubs: true,
	},
	parallelOptimistic: {
		title: 'several calls in one answer, optimistic',
		bound: 'optimistic',
		way: 'parallel',
		stubs: false,
	},
	programOptimistic: { title: 'a program, optimistic', bound: 'optimistic', way: 'program', stubs: false },
};

/** What a program that calls tools would have spared in real conversations: the measurement that decides on code mode. */
export const code: Benchmark = {
	name: 'code',
	title: `Programs instead of calls, in recorded tasks with at least ${LEAST_CALLS} calls`,
	async measure(data) {
		if (!data) return NO_DATA;
		const corpus = data.corpora.find(({ name }) => name === CORPUS);
		if (!corpus || !data.recordings) {
			return {
				kind: 'left out',
				reason: `needs ${CORPUS} in the folder of --data, and recorded conversations: name the folder of LiveMCPBench's baseline/output with --recordings`,
			};
		}
		const tasks = data.recordings.filter((recording) => callsOf(recording) >= LEAST_CALLS);
		const surroundings = surroundingsOf(corpus);
		const uncut = replay(tasks, surroundings);
		const shortened = replay(tasks, { ...surroundings, shown: shortenedResult });
		return {
			kind: 'measured',
			figures: { ...figuresOf('code', uncut), ...figuresOf('code.largeResultsCut', shortened) },
			tables: [
				classesTable(tasks, surroundings),
				variantsTable('All of them', uncut),
				variantsTable('The same where results of more than 8 KB are cut, as the product does', shortened),
			],
			notes: [
				'saved: prompt tokens (o200k) of all requests of all these tasks. there: of the tasks in which calls are joined. read: what the model gets to read of the results of joined calls. price: with the prompt cache, output at 5 times input, reads at 0.1, writes at 1.25.',
				'conservative and optimistic: see bench/code/program.ts. Several calls in one answer need no program: every provider offers them.',
				`Of the prompts, results of calls take ${percent(uncut.recorded.callResults / uncut.recorded.prompt)}, results of searches ${percent(uncut.recorded.searchResults / uncut.recorded.prompt)}.`,
			],
		};
	},
};

function callsOf({ rounds }: Recording): number {
	return rounds.flatMap(({ calls }) => calls).filter(({ kind }) => kind === 'call').length;
}

/** Everything deferred, with the definitions in the results of searches, as in the recordings. */
function surroundingsOf({ servers }: Corpus): Surroundings {
	const named = new Map(servers.map(({ name }) => [name, defaultServerPolicy]));
	const policy = { ...defaultPolicy, enabled: true, deferAll: true, servers: named };
	const { tools, paragraph = '' } = frozenPrefix(
		new ToolSurface(new Catalog(servers, 1), policy),
		'call',
		[],
		[],
	);
	const definitions = tools.map(({ name, description, inputSchema }) =>
		JSON.stringify({ name, description, parameters: inputSchema }),
	);
	return {
		head: sum([...definitions, paragraph].map(tokensOf)),
		tools: new Map(toolsOf(servers).map((tool) => [`${tool.server}:${tool.name}`, tool])),
		shown: (result) => result,
	};
}

function shortenedResult(result: string): string {
	const bytes = Buffer.from(result);
	if (bytes.length <= LARGE.limit) return result;
	const { head, tail } = headAndTail(bytes, LARGE.head, LARGE.tail);
	return `${head}\n\n[... ${bytes.length - LARGE.head - LARGE.tail} of ${bytes.length} bytes are omitted here. ...]\n\n${tail}`;
}

interface Replayed {
	readonly tasks: number;
	readonly recorded: Cost;
	readonly variants: readonly Joined[];
}

/** What one variant comes to over some tasks. */
interface Joined {
	readonly name: string;
	readonly title: string;
	/** Tasks in which it joins calls. */
	readonly applies: number;
	readonly cost: Cost;
	/** Share of the tokens of joined calls' results that the model gets to read. */
	readonly read: number;
	/** Shares, 0 to 1; below 0 where it costs more. */
	readonly saved: number;
	readonly savedThere: number;
	readonly priceSaved: number;
}

function replay(tasks: readonly Recording[], surroundings: Surroundings): Replayed {
	const recorded = tasks.map((task) => recordedCost(task, surroundings));
	const total = totalOf(recorded);
	const variants = Object.entries(VARIANTS).map(([name, variant]) => {
		const costs = tasks.map((task) => joinedCost(task, variant, surroundings));
		const programs = tasks.map((task) => planned(task, variant).filter((item) => item.kind === 'joined'));
		const isJoined = programs.map(({ length }) => length > 0);
		const results = programs.flat().flatMap(({ calls }) => calls.map(({ result }) => tokensOf(result)));
		const read = programs.flat().flatMap(({ returned }) => returned.map(tokensOf));
		const promptThere = (of: readonly Cost[]) => totalOf(of.filter((_, i) => isJoined[i])).prompt;
		const cost = totalOf(costs);
		return {
			name,
			title: variant.title,
			applies: isJoined.filter(Boolean).length,
			cost,
			read: sum(read) / sum(results),
			saved: 1 - cost.prompt / total.prompt,
			savedThere: 1 - promptThere(costs) / promptThere(recorded),
			priceSaved: 1 - cost.price / total.price,
		};
	});
	return { tasks: tasks.length, recorded: total, variants };
}

function totalOf(costs: readonly Cost[]): Cost {
	const of = (part: keyof Cost) => sum(costs.map((cost) => cost[part]));
	return {
		requests: of('requests'),
		prompt: of('prompt'),
		searchResults: of('searchResults'),
		callResults: of('callResults'),
		output: of('output'),
		price: of('price'),
	};
}

function figuresOf(prefix: string, { tasks, recorded, variants }: Replayed): Figures {
	return Object.assign(
		{
			[`${prefix}.tasks`]: tasks,
			[`${prefix}.requests`]: recorded.requests,
			[`${prefix}.promptTokens`]: recorded.prompt,
			[`${prefix}.callResults`]: recorded.callResults / recorded.prompt,
		},
		...variants.map(({ name, applies, cost, read, saved, savedThere, priceSaved }) => ({
			[`${prefix}.${name}.applies`]: applies / tasks,
			[`${prefix}.${name}.requests`]: cost.requests,
			[`${prefix}.${name}.promptTokens`]: cost.prompt,
			[`${prefix}.${name}.read`]: read,
			[`${prefix}.${name}.saved`]: saved,
			[`${prefix}.${name}.savedThere`]: savedThere,
			[`${prefix}.${name}.priceSaved`]: priceSaved,
		})),
	);
}

function variantsTable(title: string, { tasks, recorded, variants }: Replayed): Table {
	return {
		title,
		columns: [
			'',
			'tasks',
			'requests',
			'prompt tokens',
			'saved',
			'there',
			'read',
			'output tokens',
			'price saved',
		],
		rows: [
			[
				'as recorded',
				...[tasks, recorded.requests, recorded.prompt].map(count),
				'',
				'',
				'',
				count(recorded.output),
				'',
			],
			...variants.map(({ title, applies, cost, saved, savedThere, read, priceSaved }) => [
				title,
				...[applies, cost.requests, cost.prompt].map(count),
				...[saved, savedThere, read].map(percent),
				count(cost.output),
				percent(priceSaved),
			]),
		],
	};
}

function classesTable(tasks: readonly Recording[], surroundings: Surroundings): Table {
	const classes = Map.groupBy(tasks, (task) => MOST_CALLS.find((most) => callsOf(task) <= most) ?? 0);
	const rows = MOST_CALLS.flatMap((most, i) => {
		const least = (MOST_CALLS[i - 1] ?? LEAST_CALLS - 1) + 1;
		const { tasks, recorded, variants } = replay(classes.get(most) ?? [], surroundings);
		const label =
			least === most ? `${most}` : `${least} ${Number.isFinite(most) ? `to ${most}` : 'and more'}`;
		const saved = variants.filter(({ title }) => !title.startsWith(' '));
		return [
			[
				label,
				...[tasks, recorded.requests, recorded.prompt].map(count),
				...saved.flatMap(({ applies, saved }) => [percent(applies / tasks), percent(saved)]),
			],
		];
	});
	return {
		title: 'By number of calls: share of tasks in which calls can be joined, and prompt tokens saved',
		columns: [
			'calls',
			'tasks',
			'requests',
			'prompt tokens',
			'one answer, cons.',
			'saved',
			'program, cons.',
			'saved',
			'one answer, opt.',
			'saved',
			'program, opt.',
			'saved',
		],
		rows,
	};
}
