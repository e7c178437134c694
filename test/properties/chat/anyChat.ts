import { expect } from 'vitest';
import { followHistory, type PastTurn } from '../../../src/chat/chatHistory.ts';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { runToolLoop } from '../../../src/chat/toolLoop.ts';
import { toolDefinition } from '../../../src/discovery/catalog/catalog.ts';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import { resultText, type ToolDefinition, textResult } from '../../../src/discovery/catalog/tool.ts';
import { ChatLog } from '../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { ChatModel, ChatRequest } from '../../../src/models/chatModel.ts';
import { type Said, scriptedAnswer } from '../../scriptedAnswer.ts';
import type { AnyProvider } from './anyProvider.ts';
import { AnyServers, type Change } from './anyServers.ts';
import { CalledStays } from './calledStays.ts';
import {
	continues,
	inForm,
	type NameForm,
	noted,
	paired,
	resultsIn,
	sentNames,
	toldTools,
} from './readRequest.ts';
import { ToldOnce } from './toldOnce.ts';

export type Choice = { readonly kind: 'load' | 'unload'; readonly name: string };

/** What may happen while a model answers, or, those of the first kind, between two turns. */
export type Happening =
	| { readonly kind: 'loading' | 'model' | 'reload' }
	| { readonly kind: 'reset' }
	| Choice
	| Change;

export type Ask =
	| { readonly kind: 'search'; readonly names: readonly string[] }
	/** One of the tools that the model has before it, by its number among them; or any, by its name, which is written in this form. */
	| { readonly kind: 'call'; readonly which: number | string; readonly form?: NameForm };

/** What the model asks for in one answer, after something has happened. */
export interface Round {
	readonly happening?: Happening;
	readonly asks: readonly Ask[];
}

export interface Turn {
	readonly before: readonly Happening[];
	/** So many of the last turns are taken back. */
	readonly back: number;
	readonly rounds: readonly Round[];
	readonly end: 'answer' | 'failure' | 'stop';
}

const failure = new Error('The model failed.');
/** `search_tools` and `call_tool`, at most. */
const syntheticTools = 2;
const ways = ['append', 'native', 'call'] as const;

/** A chat with its servers, its user and its model, that looks at every request for what may not be. */
export class AnyChat {
	#loading: Loading;
	readonly #provider: AnyProvider | undefined;
	readonly #maxTools: number | undefined;
	readonly #servers: AnyServers;
	#modelId = 0;
	#calls = 0;
	#session: DiscoverySession;
	#history: PastTurn[] = [];

	#last: ChatRequest | undefined;
	/** Tools to which something has happened since the last request. */
	readonly #touched = new Set<string>();
	/** Those of them that the user has placed otherwise. */
	readonly #placed = new Set<string>();
	#begunAnew = false;
	#takenBack = false;
	#evicted = false;
	/** How often the provider was not sent a tool, or the model was told why it would not be. */
	leftOut = 0;
	readonly told = new ToldOnce();
	readonly called = new CalledStays();
	/** Names as the model wrote them in calls, by the call's id; and where each has led. */
	readonly #written = new Map<unknown, string>();
	readonly #led = new Map<string, string>();
	/** The chat in another window, which has begun the turn; until its first request. */
	#restored: DiscoverySession | undefined;
	/** The log as it was when the last message joined it; until the next request. */
	#stored: string | undefined;
	/** How often something has happened to what can be found. */
	#changes = 0;

	/** `provider`: the adapter that each request goes through. */
	constructor(loading: Loading, cap: number, maxTools: number | undefined, provider?: AnyProvider) {
		this.#loading = loading;
		this.#provider = provider;
		this.#servers = new AnyServers(cap, provider !== undefined);
		this.#maxTools = maxTools;
		this.#session = this.#opened(new ChatLog());
	}

	/** A session that goes on with a log, and stores it with each message, as the editor does. */
	#opened(log: ChatLog): DiscoverySession {
		const session = new DiscoverySession(this.#servers.surface, log);
		log.onDidAppend(() => {
			if (log.entries.at(-1)?.kind === 'message') this.#stored = JSON.stringify(log.entries);
		});
		return session;
	}

	async take({ before, back, rounds, end }: Turn): Promise<void> {
		for (const happening of before) this.#happen(happening);
		if (back > 0) this.#takenBack = true;
		this.#history = this.#history.slice(0, Math.max(0, this.#history.length - back));
		const message = { role: 'user', text: `Prompt ${this.#calls++}` } as const;
		const stop = new AbortController();
		const left = [...rounds];
		const model: ChatModel = {
			id: `model ${this.#modelId}`,
			name: '',
			maxTools: this.#maxTools,
			maxInputTokens: undefined,
			loadings: [this.#loading],
			answer: (request, _signal, emit) => scriptedAnswer(this.#answer(request, left, end, stop), emit),
			...(this.#provider && { refusalOf: (one: ToolDefinition) => this.#provider?.refusalOf(one) }),
		};
		let answer = '';
		followHistory(this.#session, this.#history);
		this.told.read(this.#session);
		this.#restored = this.#copy();
		const { refusalOf } = model;
		this.#restored.beginTurn(
			{
				model: model.id,
				loading: this.#loading,
				maxTools: this.#maxTools,
				hosted: [],
				...(refusalOf && this.#loading !== 'call' && { refusalOf }),
			},
			message,
		);
		const loop = runToolLoop({
			model,
			session: this.#session,
			runTool: async (tool, { input }) => {
				this.#checkTarget(tool.id, this.#written.get(input.n));
				if (end === 'stop' && left.length === 0) stop.abort();
				return textResult('done');
			},
			checkArguments: async () => ({ faults: [], concerns: [] }),
			resultFormat: 'result',
			system: 'Be brief.',
			message,
			signal: stop.signal,
		});
		for await (const event of loop) {
			if (event.type === 'text') answer += event.text;
			this.#look(event);
		}
		this.#history.push({ prompt: message.text, answer });
	}

	async *#answer(
		request: ChatRequest,
		left: Round[],
		end: Turn['end'],
		stop: AbortController,
	): AsyncGenerator<Said> {
		this.#check(request);
		if (this.#provider) await this.#checkSent(request, this.#provider);
		const round = left.shift();
		if (round?.happening) this.#happen(round.happening);
		if (round) {
			for (const ask of round.asks) yield { type: 'toolCall', call: this.#callOf(ask, request) };
			if (round.asks.length > 0) return;
		}
		if (end === 'failure') throw failure;
		if (end === 'stop') stop.abort();
		yield { type: 'text', text: 'That is it.' };
	}

	#callOf(ask: Ask, request: ChatRequest): ToolCall {
		const id = `call_${this.#calls++}`;
		if (ask.kind === 'search') return { id, name: 'search_tools', input: { tool_names: ask.names } };
		const callable = [...this.#callable(request)];
		const name = typeof ask.which === 'string' ? ask.which : callable[ask.which % callable.length];
		if (name === undefined) return { id, name: 'search_tools', input: { query: 'x' } };
		const written = inForm(name, ask.form ?? 'wire');
		this.#written.set(id, written);
		return this.#loading === 'call' && !sentNames(request).includes(name)
			? { id, name: 'call_tool', input: { name: written, arguments: { n: id } } }
			: { id, name: written, input: { n: id } };
	}

	/** A name leads to the tool that has it in one of its forms, and to no other tool as long as the chat lives. */
	#checkTarget(id: string, written: string | undefined): void {
		const wire = id.replace(':', '__');
		const forms = (['wire', 'id', 'bare'] as const).map((form) => inForm(wire, form));
		expect(forms, `${written} leads to ${id}`).toContain(written);
		if (written === undefined) return;
		expect(this.#led.get(written) ?? id, `${written} has led to another tool`).toBe(id);
		this.#led.set(written, id);
	}

	/** What a model can be expected to call: what stands before it, and with `call` has not been evicted. */
	#callable(request: ChatRequest): Set<string> {
		const told = toldTools(request.messages).map(({ name }) => name);
		const active = new Set(this.#session.activated.map(({ wireName }) => wireName));
		const loaded = this.#loading === 'call' ? told.filter((name) => active.has(name)) : told;
		// What is gone stands in the request as long as that goes on as it began.
		const isThere = (name: string) => this.#session.surface.get(name) !== undefined;
		return new Set([...sentNames(request), ...loaded].filter(isThere));
	}

	#look(event: LoopEvent): void {
		if (!this.#provider) this.#checkCopy();
		this.told.hear(event, this.#session);
		this.called.check(this.#session);
		if (event.type === 'evicted') this.#evicted = true;
		if (event.type === 'end' && event.reason === 'failed' && event.error !== failure) throw event.error;
		if (event.type === 'end' && event.reason === 'tooManyTools') {
			const always = this.#session.surface.loaded.length;
			expect(always + syntheticTools, 'too many').toBeGreaterThan(event.limit);
		}
		if (event.type === 'searchFinished' && event.outcome.ok && this.#loading !== 'call') {
			this.leftOut += event.outcome.hits.filter(({ state }) => state === 'unsendable').length;
			const loaded = event.outcome.hits.filter(({ state }) => state === 'loaded');
			const refusals = loaded.map(({ tool }) => this.#provider?.refusalOf(toolDefinition(tool)));
			expect(refusals.filter(Boolean), 'told to be loaded, and not sent').toEqual([]);
		}
		if (event.type !== 'toolFinished' || event.tool || !this.#last) return;
		const { name, input } = event.call;
		const inner = name === 'call_tool' ? `${input.name}` : name;
		if (this.#touched.has(inner) || this.#begunAnew) return;
		expect([...this.#callable(this.#last)], 'refused').not.toContain(inner);
	}

	#check(request: ChatRequest): void {
		this.#checkRestored(request);
		this.told.request(this.#session);
		this.called.check(this.#session);
		this.#checkMessages(request);
		this.#checkTools(request);
		const sent = this.#session.log.entries.findLast((entry) => entry.kind === 'request');
		const saysWhy = sent?.kind === 'request' && sent.anew !== undefined;
		const mayBreak = this.#last && this.#mayBreak(this.#last, request);
		if (this.#last && !(mayBreak && saysWhy)) this.#checkBeginning(this.#last, request);
		this.#last = { ...request, messages: [...request.messages] };
		this.#touched.clear();
		// What the user says of a tool that is away shows when it is back.
		for (const name of this.#placed) if (this.#session.surface.get(name)) this.#placed.delete(name);
		this.#begunAnew = false;
		this.#takenBack = false;
		this.#evicted = false;
	}

	/** What the model is told to be loaded it can call when the provider has the request, or was told why not. */
	async #checkSent(request: ChatRequest, provider: AnyProvider): Promise<void> {
		const { callable, dropped } = await provider.send(request);
		const told = this.#loading === 'native' ? toldTools(request.messages) : [];
		for (const definition of [...request.tools, ...told]) {
			if (callable.has(definition.name)) continue;
			this.leftOut++;
			expect(dropped, 'left out without a word').toContain(definition.name);
			expect(provider.refusalOf(definition), `why ${definition.name} is left out`).toBeDefined();
		}
	}

	/** A chat that is restored from its log sends the same next request as the one that was never closed: at the start of a turn and within it. */
	#checkRestored({ system, tools, messages, searchTool }: ChatRequest): void {
		const sent = (this.#restored ?? this.#reopened())?.nextRequest();
		this.#restored = undefined;
		this.#stored = undefined;
		if (!sent) return;
		expect(sent.messages, 'restored').toEqual(messages);
		expect(sent.tools, 'restored').toEqual(tools);
		expect(sent.searchTool, 'restored').toBe(searchTool);
		expect(['Be brief.', sent.paragraph].filter(Boolean).join('\n\n'), 'restored').toBe(system);
	}

	/** The chat as its log was stored with the last message. What the log does not hold is who answers the turn, with which limits. */
	#reopened(): DiscoverySession | undefined {
		if (this.#stored === undefined || this.#provider || this.#maxTools !== undefined) return undefined;
		return new DiscoverySession(this.#servers.surface, new ChatLog(JSON.parse(this.#stored)));
	}

	/** At any entry of its log, another window would have loaded what this one has, and would begin its requests as this one. */
	#checkCopy(): void {
		const copy = this.#copy();
		expect(copy.activations, 'copy').toEqual(this.#session.activations);
		expect(copy.log.messages, 'copy').toEqual(this.#session.log.messages);
		if (this.#maxTools === undefined) expect(copy.nextHead, 'copy').toEqual(this.#session.nextHead);
	}

	/** What another window has of the chat. */
	#copy(): DiscoverySession {
		const log = new ChatLog(JSON.parse(JSON.stringify(this.#session.log.entries)));
		return new DiscoverySession(this.#servers.surface, log);
	}

	#checkMessages({ messages }: ChatRequest): void {
		expect(paired(messages), 'calls and results').toBe(true);
		const prompts = messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
		expect(prompts.slice(0, -1)).toEqual(this.#history.map(({ prompt }) => prompt));
		const told = resultsIn(messages).filter(({ result }) => resultText(result).includes('Changed since'));
		expect(told.length, 'changes are told once').toBeLessThanOrEqual(this.#changes);
	}

	#checkTools({ tools, messages, searchTool }: ChatRequest): void {
		const names = tools.map(({ name }) => name);
		expect(new Set(names).size, 'no tool twice').toBe(names.length);
		expect(names.length).toBeLessThanOrEqual(this.#maxTools ?? 64);
		const told = this.#loading === 'append' ? [] : toldTools(messages);
		if (searchTool !== undefined) {
			expect(
				told.filter(({ name }) => names.includes(name)),
				'sent and told',
			).toEqual([]);
		}
		// Whatever the model has before it is as it is now, or it was told otherwise.
		for (const { name, description } of [...tools.filter(({ name }) => name.includes('__')), ...told]) {
			if (description === this.#session.surface.get(name)?.description || this.#loading === 'call') continue;
			expect(noted(messages), `${name} is not as it was`).toContain(name);
		}
		const reachable = [...names, ...told.map(({ name }) => name)];
		for (const { wireName } of this.#session.loadedTools) expect(reachable, 'loaded').toContain(wireName);
	}

	#checkBeginning(last: ChatRequest, request: ChatRequest): void {
		expect(request.system).toBe(last.system);
		expect(request.searchTool).toBe(last.searchTool);
		expect(continues(last.tools, request.tools), 'tools').toBe(true);
		if (!this.#takenBack) expect(continues(last.messages, request.messages), 'messages').toBe(true);
	}

	/** Whether the user or a server has done something since the last request that must show, or the limit was reached. */
	#mayBreak(last: ChatRequest, { tools }: ChatRequest): boolean {
		const sent = [...sentNames(last), ...toldTools(last.messages).map(({ name }) => name)];
		const wanted = new Set([...last.tools, ...tools].map(({ name }) => name));
		const isFull = this.#maxTools !== undefined && (this.#evicted || wanted.size > this.#maxTools);
		return this.#begunAnew || isFull || sent.some((name) => this.#placed.has(name));
	}

	#happen(happening: Happening): void {
		this.told.read(this.#session);
		switch (happening.kind) {
			// What the user does between two turns takes effect with the next.
			case 'loading':
				this.#loading = this.#otherWay();
				this.#begunAnew = true;
				break;
			case 'model':
				this.#modelId++;
				this.#begunAnew = true;
				break;
			case 'reset':
				this.#session.log.append({ kind: 'reset' });
				this.#begunAnew = true;
				break;
			case 'reload':
				this.#session = this.#opened(this.#copy().log);
				break;
			case 'load':
			case 'unload':
				this.#choose(happening);
				break;
			default:
				this.#change(happening);
		}
		this.called.check(this.#session);
	}

	#otherWay(): Loading {
		const taken = this.#provider?.loadings ?? ways;
		return taken[(taken.indexOf(this.#loading) + 1) % taken.length] ?? taken[0];
	}

	#choose({ kind, name }: Choice): void {
		const wanted = this.#session.surface.get(name);
		if (!wanted) return;
		if (kind === 'load') this.#session.load([wanted]);
		else if (this.#session.unload([wanted]).length > 0) this.#begunAnew = true;
	}

	#change(change: Change): void {
		const discovered = this.#session.discovers;
		const { touched, begunAnew } = this.#servers.change(change);
		for (const name of touched) this.#touched.add(name);
		if (change.kind === 'pin') for (const name of touched) this.#placed.add(name);
		this.#changes++;
		this.#session.surface = this.#servers.surface;
		if (begunAnew || this.#session.discovers !== discovered) this.#begunAnew = true;
	}
}
