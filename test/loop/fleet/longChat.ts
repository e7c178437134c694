import type { PastTurn } from '../../../src/chat/chatHistory.ts';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { isNightly } from '../../effort.ts';
import { NaiveActivations } from '../../unit/discovery/session/naiveActivations.ts';
import type { ScriptedRound } from '../providers/providers.ts';
import { type Fleet, type FleetTool, serverOf, wantedThings, wireNameOf } from './fleet.ts';
import { FleetWindow, type PlayedTurn, type SentBody, type StoredChat } from './fleetWindow.ts';

/** Six turns load and evict more tools than may be loaded at once. */
export const turnsOfWindow = isNightly ? 12 : 6;

/** A request of the chat, and what stood then in a plain model of the activation set. */
export interface SentRequest {
	readonly window: number;
	readonly turn: number;
	readonly body: SentBody;
	/** Tools that are to be loaded, those that are gone among them, in the order in which they came. */
	readonly active: readonly string[];
	/** All that was evicted since the window was opened. */
	readonly evicted: ReadonlySet<string>;
}

/** What one window saw, from its opening to its end. */
export interface SeenWindow {
	/** Loaded when it was opened, in order. */
	readonly restored: readonly string[];
	readonly startsBefore: ReadonlyMap<string, number>;
	readonly startsAfter: ReadonlyMap<string, number>;
	readonly called: ReadonlySet<string>;
}

/** A chat that goes on through several windows; what each of them is to do is scripted, what it does is kept. */
export class LongChat {
	readonly requests: SentRequest[] = [];
	readonly windows: SeenWindow[] = [];
	readonly events: { readonly turn: number; readonly event: LoopEvent }[] = [];
	/** What was evicted as the events tell, and in the plain model: by searches, and by calls of tools that lingered; turn by turn. */
	readonly evictions: Record<'told' | 'expected' | 'byCalls', readonly string[]>[] = [];
	/** Most tools that were ever loaded at once, at any event. */
	most = 0;
	readonly #fleet: Fleet;
	readonly #naive = new NaiveActivations(24);
	#stored: StoredChat | undefined;
	#history: PastTurn[] = [];
	#turn = 0;

	constructor(fleet: Fleet) {
		this.#fleet = fleet;
	}

	/** The most recently used tool, as the plain model has it; `back`: so many before it. */
	used(back = 0): FleetTool {
		const [server = '', tool = ''] = (this.#naive.use.at(-1 - back) ?? '').split('__');
		return { verb: tool.split('_')[0] as FleetTool['verb'], thing: server.slice(0, -1) };
	}

	/** What the chat shows is no longer what was said: its history was summarised. */
	summarise(): void {
		this.#history = [{ prompt: 'What has been done so far?', answer: 'Invoices, parcels, and more.' }];
	}

	/** Opens a window, plays its turns, and closes it. `first`: what the model does first. */
	async play(without: readonly string[], first?: readonly ScriptedRound[]): Promise<void> {
		const startsBefore = this.#fleet.starts();
		const called = new Set<string>();
		const window = await FleetWindow.open(this.#fleet, this.#fleet.config(without), this.#stored);
		try {
			const restored = window.activated;
			const evicted = new Set<string>();
			for (let i = 0; i < turnsOfWindow; i++) {
				const rounds = (i === 0 ? first : undefined) ?? this.#script();
				await this.#take(window, rounds, evicted);
				for (const name of rounds.flatMap(callsOf)) called.add(name.split('__')[0] ?? '');
			}
			this.windows.push({ restored, startsBefore, called, startsAfter: this.#fleet.starts() });
		} finally {
			await window[Symbol.asyncDispose]();
		}
	}

	/** What the model does in the next turn: searches of both kinds, calls after them, beside them and without one. */
	#script(): ScriptedRound[] {
		const thing = (i: number) => wantedThings[(this.#turn * 7 + i * 11) % wantedThings.length] ?? 'invoice';
		const [one, other] = [thing(0), thing(1)];
		const answer = { text: `That was turn ${this.#turn}.` };
		switch (this.#turn % 4) {
			case 0:
				return [searchFor(`create a new ${one}`), callsFor({ verb: 'create', thing: one }), answer];
			case 1: {
				const named = [one, other].flatMap((its) => [
					`${serverOf(its)}:cancel_${its}`,
					wireNameOf({ verb: 'find', thing: its }),
				]);
				const search = { name: 'search_tools', input: { tool_names: named } };
				return [
					{ calls: [search] },
					callsFor({ verb: 'find', thing: one }, { verb: 'cancel', thing: other }),
					answer,
				];
			}
			case 2: {
				return [callsFor(this.used(), this.used(3)), answer];
			}
			default: {
				const search = { name: 'search_tools', input: { query: `export one ${one}` } };
				return [{ calls: [search, ...callsFor({ verb: 'export', thing: one }).calls] }, answer];
			}
		}
	}

	async #take(window: FleetWindow, rounds: readonly ScriptedRound[], evicted: Set<string>): Promise<void> {
		const prompt = `Please do number ${this.#turn}.`;
		const played = await window.play(prompt, rounds, this.#history, () => {
			this.most = Math.max(this.most, window.activated.length);
		});
		const last = rounds.at(-1);
		this.#history.push({ prompt, answer: last && 'text' in last ? last.text : '' });
		this.#follow(played, evicted);
		this.#stored = window.stored;
		this.#turn++;
	}

	/** Takes the same steps in the plain model. */
	#follow({ events, rounds, requests }: PlayedTurn, evicted: Set<string>): void {
		this.#naive.beginTurn();
		const found = events.flatMap((event) => (event.type === 'searchFinished' ? [event.outcome] : []));
		const ahead = events.flatMap((event) => (event.type === 'prefetched' ? event.tools : []));
		const expected = [...this.#naive.activate(ahead.map(({ wireName }) => wireName)).evicted];
		const byCalls: string[] = [];
		for (const [i, body] of requests.entries()) {
			const active = [...this.#naive.order];
			this.requests.push({
				window: this.windows.length,
				turn: this.#turn,
				body,
				active,
				evicted: new Set([...evicted, ...expected, ...byCalls]),
			});
			const round = rounds[i];
			if (!round || 'text' in round) continue;
			for (const name of callsOf(round)) {
				const isSent = body.tools.some((tool) => tool.function.name === name);
				// Evicted, and called all the same: it still stands before the model.
				if (!this.#naive.touch(name) && isSent) byCalls.push(...this.#naive.activate([name]).evicted);
			}
			for (const { name } of round.calls) {
				if (name !== 'search_tools') continue;
				const outcome = found.shift();
				const hits = outcome?.ok ? outcome.hits.map(({ tool }) => tool.wireName) : [];
				expected.push(...this.#naive.activate(hits).evicted);
			}
			for (const name of callsOf(round)) this.#naive.touch(name);
		}
		const told = events.flatMap((event) => (event.type === 'evicted' ? event.names : []));
		this.evictions.push({ told: told.map((id) => id.replace(':', '__')), expected, byCalls });
		for (const name of [...expected, ...byCalls]) evicted.add(name);
		this.events.push(...events.map((event) => ({ turn: this.#turn, event })));
	}
}

/** The model searches. */
export function searchFor(query: string): ScriptedRound {
	return { calls: [{ name: 'search_tools', input: { query } }] };
}

/** The model calls these tools, all at once. */
export function callsFor(...tools: readonly FleetTool[]) {
	const calls = tools.map((tool) => ({ name: wireNameOf(tool), input: { [`${tool.thing}_id`]: '7' } }));
	return { calls };
}

function callsOf(round: ScriptedRound): string[] {
	return 'calls' in round ? round.calls.map(({ name }) => name).filter((name) => name.includes('__')) : [];
}
