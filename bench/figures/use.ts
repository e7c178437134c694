import { type Tool, ToolIndex } from '../../src/discovery/index.ts';
import { UseEvidence } from '../../src/discovery/search/useEvidence.ts';
import { ChatLog } from '../../src/discovery/session/chatLog.ts';
import { nothingLearned, withUse } from '../../src/discovery/session/learnedUse.ts';
import { shortened, shortToolList } from '../../src/discovery/session/logEntry.ts';
import { type Benchmark, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import { type Judgement, macroScores, type Score, scoresBy } from '../judgements.ts';
import type { LabelledQuery, QuerySet, ToolReference } from '../querySet.ts';
import { SeededRandom } from '../random.ts';
import { judge, toolsToJudge } from '../relevance.ts';
import { inTuningPart } from '../split.ts';

/** Sessions in the order of their file. */
const IN_ORDER = 'livemcp-model';
/** Another set on the same tools, asked after these. */
const AFTERWARDS = 'livemcp-tasks';
/** Number of random orders in which each set's sessions are replayed, so that a gain is not luck. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** The most tools that a search loads by default. */
const LOADED = 5;

const WITHOUT = 'without';
const WITH = 'with';

/** Searches of many chats one after another. What earlier chats found and called affects the ranking for later ones. */
export const use: Benchmark = {
	name: 'use',
	title: 'Search with what it has learned from earlier chats',
	async measure(data) {
		if (!data) return NO_DATA;
		const sets = data.querySets.filter(({ queries }) => queries.some(({ gold }) => gold.length > 0));
		const ordered = sets.filter(({ name }) => name === IN_ORDER).flatMap((set) => inOrder(set, sets));
		const shuffled = sets.flatMap(inRandomOrders);
		const scores = [...scoresBy(ordered, ({ set }) => set), ...shuffledScores(shuffled)];
		return {
			kind: 'measured',
			figures: figuresOf(scores),
			tables: [tableOf(scores)],
			notes: [
				'The tools that answer a query count as called for it: of several suitable tools, the one found by the search. Sessions come one after the other; each search is ranked with what was learned from all before it, and beside it without.',
				`first, later: the halves of a replay. ${IN_ORDER} in the order of its file; the sets in ${SEEDS.length} random orders of their sessions, the later half of each, the mean of the sets last. tuned, rest: bench/split.ts. afterwards: ${AFTERWARDS}, from which nothing is learned, after ${IN_ORDER}.`,
			],
		};
	},
};

/** Replays of one set in one order. */
class Replay {
	readonly #set: QuerySet;
	readonly #without: ToolIndex;
	readonly #index: ToolIndex;
	#learned = nothingLearned;
	#now = 0;

	constructor(set: QuerySet) {
		this.#set = set;
		this.#without = new ToolIndex(set.tools);
		this.#index = new ToolIndex(set.tools, { use: () => UseEvidence.of(this.#learned.turns) });
	}

	/** Judges each query, then learns from it. */
	run(sessions: readonly (readonly LabelledQuery[])[]): Judgement[] {
		this.#learned = nothingLearned;
		return sessions.flatMap((session) => this.#session(session));
	}

	/** What queries of another set find now. */
	judged(queries: readonly LabelledQuery[], after: readonly string[] = []): Judgement[] {
		return queries.flatMap((query) => {
			const of = (contender: string, index: ToolIndex): Judgement => {
				const hits = index.search(query.text, { limit: toolsToJudge(query), after });
				const ranked = hits.map(({ tool }) => tool);
				return { set: this.#set.name, contender, query, relevance: judge(query, ranked) };
			};
			return query.gold.length > 0 ? [of(WITHOUT, this.#without), of(WITH, this.#index)] : [];
		});
	}

	/** A session is a chat with one message. A model searches several times for it. */
	#session(queries: readonly LabelledQuery[]): Judgement[] {
		const log = new ChatLog([], () => this.#now++);
		log.append({ kind: 'turn', model: 'a model', loading: 'append', prompt: 'a task' });
		const id = `chat ${this.#now}`;
		const called: string[] = [];
		return queries.flatMap((query) => {
			const judged = this.judged([query], called);
			const hits = this.#index.search(query.text, { limit: LOADED, after: called }).map(({ tool }) => ({
				tool: { ...tool, id: idOf([tool.server, tool.name]), wireName: '' },
			}));
			const names = shortToolList(hits.map(({ tool }) => tool.id));
			log.append({ kind: 'search', words: shortened(query.text), found: names });
			for (const need of query.gold) {
				const [server, name] = calledFor(need, hits);
				const tool = { server, name, id: idOf([server, name]) };
				// If words find nothing, a model may find the tool in the manifest.
				if (!hits.some((hit) => hit.tool.id === tool.id)) {
					const tools = [{ server, name, wireName: tool.id, hash: '' }];
					log.append({ kind: 'load', tools, renewed: [], reason: 'name' });
				}
				log.append({ kind: 'call', server, tool: name, ms: 1, failed: false });
				called.push(tool.id);
			}
			this.#learned = withUse(this.#learned, { id, timeline: log.timeline });
			return judged;
		});
	}
}

function calledFor(
	need: readonly ToolReference[],
	hits: readonly { readonly tool: Pick<Tool, 'server' | 'name'> }[],
): ToolReference {
	const places = need.map(([server, name]) =>
		hits.findIndex(({ tool }) => tool.server === server && tool.name === name),
	);
	const hitPlaces = places.filter((place) => place >= 0);
	return need[hitPlaces.length > 0 ? places.indexOf(Math.min(...hitPlaces)) : 0] as ToolReference;
}

function idOf([server, name]: ToolReference): string {
	return `${server}:${name}`;
}

function sessionsOf({ queries }: QuerySet): (readonly LabelledQuery[])[] {
	return [...Map.groupBy(queries, ({ id }) => id.replace(/#.*$/, '')).values()];
}

function inOrder(set: QuerySet, sets: readonly QuerySet[]): Judgement[] {
	const replay = new Replay(set);
	const judged = replay.run(sessionsOf(set));
	const other = sets.find(({ name }) => name === AFTERWARDS);
	return [
		...named(firstHalf(judged), `${set.name}-first`),
		...named(laterHalf(judged), `${set.name}-later`),
		...named(replay.judged(other?.queries ?? []), `${AFTERWARDS}-afterwards`),
	];
}

function inRandomOrders(set: QuerySet): Judgement[] {
	const replay = new Replay(set);
	return SEEDS.flatMap((seed) => laterHalf(replay.run(new SeededRandom(seed).shuffle(sessionsOf(set)))));
}

/** Each query has two judgements side by side. */
function middle(judged: readonly Judgement[]): number {
	return 2 * Math.floor(judged.length / 4);
}

function firstHalf(judged: readonly Judgement[]): readonly Judgement[] {
	return judged.slice(0, middle(judged));
}

function laterHalf(judged: readonly Judgement[]): readonly Judgement[] {
	return judged.slice(middle(judged));
}

function named(judged: readonly Judgement[], set: string): Judgement[] {
	return judged.map((judgement) => ({ ...judgement, set }));
}

function shuffledScores(judged: readonly Judgement[]): Score[] {
	const part = (tuned: boolean) => judged.filter(({ query }) => inTuningPart(query) === tuned);
	return [
		...scoresBy(judged, ({ set }) => `${set}-shuffled`),
		...macroScores('mean-shuffled', judged),
		...macroScores('mean-shuffled-tuned', part(true)),
		...macroScores('mean-shuffled-rest', part(false)),
	];
}

function figuresOf(scores: readonly Score[]): Figures {
	return Object.fromEntries(
		scores.flatMap(({ name, contender, relevance: { hit1, r5 } }) => [
			[`use.${name}.${contender}.hit1`, hit1],
			[`use.${name}.${contender}.r5`, r5],
		]),
	);
}

function tableOf(scores: readonly Score[]): Table {
	const cell = (name: string, way: string, measure: 'hit1' | 'r5') =>
		scores.find((score) => score.name === name && score.contender === way)?.relevance[measure].toFixed(3) ??
		'';
	return {
		columns: ['', 'queries', `hit@1 ${WITHOUT}`, WITH, `R@5 ${WITHOUT}`, WITH],
		rows: scores
			.filter(({ contender }) => contender === WITH)
			.map(({ name, queries }) => [
				name,
				String(queries),
				...(['hit1', 'r5'] as const).flatMap((measure) =>
					[WITHOUT, WITH].map((way) => cell(name, way, measure)),
				),
			]),
	};
}
