import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { followHistory, type PastTurn } from '../../../src/chat/pastTurns.ts';
import { runToolLoop } from '../../../src/chat/toolLoop.ts';
import { Catalog, type CatalogServer } from '../../../src/discovery/catalog/catalog.ts';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import { defaultServerPolicy, type Loading } from '../../../src/discovery/catalog/policy.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { runs, runsTimeout } from '../../effort.ts';
import { LoadedPromises, reachableIn } from '../../unit/chat/loadedPromises.ts';
import { policyFor, tool } from '../../unit/discovery/fixtures.ts';

/** Servers that are searched, by how many tools they have. */
const sizes = { few: 3, some: 9, many: 20, crowd: 40 };
type Name = keyof typeof sizes;
const names = Object.keys(sizes) as Name[];

interface Setting {
	readonly always: number;
	readonly cap: number | null;
	readonly results: number;
	readonly hosted: number;
	readonly inspection: boolean;
}

type Ask =
	| { readonly kind: 'words'; readonly number: number }
	| { readonly kind: 'server'; readonly server: Name }
	| { readonly kind: 'names'; readonly server: Name; readonly from: number; readonly count: number }
	/** One of the tools that the model has before it, by its number among them. */
	| { readonly kind: 'call'; readonly which: number };

type Happening =
	/** So many more tools are always there, or fewer. */
	| { readonly kind: 'always'; readonly more: number }
	| { readonly kind: 'server'; readonly server: Name }
	| { readonly kind: 'load'; readonly server: Name; readonly count: number };

interface Round {
	readonly asks: readonly Ask[];
	readonly happening?: Happening;
	/** It happens while the calls run, else while the model answers. */
	readonly late: boolean;
}

interface Turn {
	readonly maxTools: number | undefined;
	readonly loading: Loading;
	/** Tools that the user's message names. */
	readonly named: number;
	readonly before?: Happening;
	readonly rounds: readonly Round[];
}

/** A chat with many tools that are always there, whose model searches, calls and reads. */
class CrowdedChat {
	readonly #setting: Setting;
	readonly #promises = new LoadedPromises();
	readonly #history: PastTurn[] = [];
	readonly #absent = new Set<Name>();
	readonly #session: DiscoverySession;
	#always: number;
	#calls = 0;
	/** Tools that were always there, or whose server was. */
	readonly #taken = new Set<string>();
	#crowded = false;

	constructor(setting: Setting) {
		this.#setting = setting;
		this.#always = setting.always;
		this.#session = new DiscoverySession(this.#surface());
	}

	get kept(): number {
		return this.#promises.kept;
	}

	async take({ maxTools, loading, named, before, rounds }: Turn): Promise<void> {
		// Another model may take fewer tools, and what the message names may take the place of what was there.
		this.#crowded = true;
		if (before) this.#happen(before);
		const words = Array.from({ length: named }, (_, i) => `many:many_${i}`);
		const prompt = `Turn ${this.#calls++}. ${words.join(' ')}`;
		const left = [...rounds];
		let late: Happening | undefined;
		followHistory(this.#session, this.#history);
		const loop = runToolLoop({
			model: {
				id: `${maxTools} ${loading}`,
				name: '',
				maxTools,
				maxInputTokens: undefined,
				loadings: [loading],
				stream: (request) => {
					const round = left.shift();
					late = round?.late ? round.happening : undefined;
					return this.#answer(request, round, maxTools);
				},
			},
			session: this.#session,
			runTool: async () => textResult('done'),
			checkArguments: async () => [],
			resultFormat: 'result',
			system: 'Be brief.',
			message: { role: 'user', text: prompt },
			signal: new AbortController().signal,
			hosted: Array.from({ length: this.#setting.hosted }, (_, i) => ({
				definition: { name: `hosted_${i}`, description: '', inputSchema: { type: 'object' } },
				run: async () => ({ result: textResult('done') }),
			})),
		});
		for await (const event of loop) {
			this.#look(event);
			if (late && (event.type === 'searchFinished' || event.type === 'toolStarted')) {
				this.#happen(late);
				late = undefined;
			}
		}
		this.#history.push({ prompt, answer: 'That is it.' });
	}

	async *#answer(
		request: ChatRequest,
		round: Round | undefined,
		maxTools = Number.POSITIVE_INFINITY,
	): AsyncGenerator<ChatModelEvent> {
		this.#check(request, maxTools);
		if (round?.happening && !round.late) this.#happen(round.happening);
		for (const ask of round?.asks ?? []) yield { type: 'toolCall', call: this.#callOf(ask, request) };
		if (!round?.asks.length) yield { type: 'text', text: 'That is it.' };
	}

	#check(request: ChatRequest, maxTools: number): void {
		this.#promises.check(request, {
			excused: (name) => this.#taken.has(name) || !this.#session.surface.get(name),
			crowded: this.#crowded,
		});
		this.#crowded = false;
		this.#taken.clear();
		const eager = new Set(this.#session.surface.loaded.map(({ wireName }) => wireName));
		const sent = request.tools.map(({ name }) => name);
		const always = sent.filter((name) => eager.has(name) || !name.includes('__')).length;
		expect(new Set(sent).size, 'no tool twice').toBe(sent.length);
		expect(sent.length).toBeLessThanOrEqual(Math.min(maxTools, Math.max(64, always + this.#setting.results)));
	}

	#callOf(ask: Ask, request: ChatRequest): ToolCall {
		const id = `call_${this.#calls++}`;
		const search = (input: Record<string, unknown>) => ({ id, name: 'search_tools', input });
		switch (ask.kind) {
			case 'words':
				return search({ query: `draw shape number ${ask.number}` });
			case 'server':
				return search({ server_name: ask.server });
			case 'names':
				return search({
					tool_names: Array.from({ length: ask.count }, (_, i) => `${ask.server}_${ask.from + i}`),
				});
			case 'call': {
				const callable = [...reachableIn(request)];
				const name = callable[ask.which % callable.length];
				if (name === undefined) return search({ query: 'draw' });
				return request.tools.some((one) => one.name === name) || request.searchTool
					? { id, name, input: { id } }
					: { id, name: 'call_tool', input: { name, arguments: { id } } };
			}
		}
	}

	#look(event: LoopEvent): void {
		if (event.type === 'end' && event.reason === 'failed') throw event.error;
		if (event.type !== 'searchFinished' || !event.outcome.ok) return;
		const { hits } = event.outcome;
		const firstLeft = hits.findIndex(({ state }) => state === 'crowded');
		const laterLoaded = hits.slice(firstLeft).filter(({ state }) => state === 'loaded');
		if (firstLeft >= 0 && this.#session.loading === 'append') {
			expect(laterLoaded, 'the best come first').toEqual([]);
		}
	}

	#happen(happening: Happening): void {
		if (happening.kind !== 'load') this.#crowded = true;
		switch (happening.kind) {
			case 'always':
				for (let i = 0; i < this.#always; i++) this.#taken.add(`always__always_${i}`);
				this.#always = Math.max(0, this.#always + happening.more);
				break;
			case 'server':
				for (let i = 0; i < sizes[happening.server]; i++) {
					this.#taken.add(`${happening.server}__${happening.server}_${i}`);
				}
				if (!this.#absent.delete(happening.server)) this.#absent.add(happening.server);
				break;
			case 'load': {
				const its = this.#session.surface.deferred.filter(({ server }) => server === happening.server);
				this.#session.load(its.slice(0, happening.count));
				return;
			}
		}
		this.#session.surface = this.#surface();
	}

	#surface(): ToolSurface {
		const all = [
			serverOf('always', this.#always),
			...names.filter((name) => !this.#absent.has(name)).map((name) => serverOf(name, sizes[name])),
		];
		const { cap, results, inspection } = this.#setting;
		const known = policyFor([serverOf('always', 0), ...names.map((name) => serverOf(name, 0))], {
			maxActiveSchemas: cap,
			maxSearchResults: results,
			inspectionTools: inspection,
		});
		const pinned = { ...defaultServerPolicy, pinned: true };
		const servers = new Map([...known.servers, ['always', pinned]]);
		return new ToolSurface(new Catalog(all, 1), { ...known, servers });
	}
}

function serverOf(name: string, count: number): CatalogServer {
	const tools = Array.from({ length: count }, (_, i) => tool(name, `${name}_${i}`, `Draw shape number ${i}`));
	return { name, tools };
}

const setting: fc.Arbitrary<Setting> = fc.record({
	always: fc.oneof(fc.constantFrom(0, 50, 60, 64, 100), fc.nat(130)),
	cap: fc.constantFrom(24, 24, null, 5),
	results: fc.constantFrom(5, 5, 1, 25),
	hosted: fc.nat(3),
	inspection: fc.boolean(),
});
const server = fc.constantFrom(...names);
const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({ kind: fc.constant('always'), more: fc.integer({ min: -40, max: 40 }) }),
	fc.record({ kind: fc.constant('server'), server }),
	fc.record({ kind: fc.constant('load'), server, count: fc.nat(20) }),
);
const ask: fc.Arbitrary<Ask> = fc.oneof(
	fc.record({ kind: fc.constant('words'), number: fc.nat(40) }),
	fc.record({ kind: fc.constant('server'), server }),
	fc.record({ kind: fc.constant('names'), server, from: fc.nat(20), count: fc.integer({ min: 1, max: 12 }) }),
	fc.record({ kind: fc.constant('call'), which: fc.nat(200) }),
);
const round: fc.Arbitrary<Round> = fc.record(
	{ asks: fc.array(ask, { minLength: 1, maxLength: 4 }), happening, late: fc.boolean() },
	{ requiredKeys: ['asks', 'late'] },
);
const turns = (loading: fc.Arbitrary<Loading>): fc.Arbitrary<Turn[]> =>
	fc.array(
		fc.record(
			{
				maxTools: fc.constantFrom(128, 128, undefined, 64, 20),
				loading,
				named: fc.constantFrom(0, 0, 3, 8),
				before: happening,
				rounds: fc.array(round, { maxLength: 4 }),
			},
			{ requiredKeys: ['maxTools', 'loading', 'named', 'rounds'] },
		),
		{ minLength: 1, maxLength: 4 },
	);

const ways: readonly Loading[] = ['append', 'native', 'call'];

test.each([...ways.map((way) => [way, [way]] as const), ['any, from turn to turn', ways] as const])(
	'%s: what a result calls loaded is in the next request, and nothing goes without a word',
	async (_, loadings) => {
		let kept = 0;
		await fc.assert(
			fc.asyncProperty(setting, turns(fc.constantFrom(...loadings)), async (one, taken) => {
				const chat = new CrowdedChat(one);
				for (const turn of taken) await chat.take(turn);
				kept += chat.kept;
			}),
			{ numRuns: runs(40) },
		);
		// Of conversations in which nothing is ever loaded the test would be content.
		expect(kept).toBeGreaterThan(40);
	},
	runsTimeout(3 * 60_000),
);
