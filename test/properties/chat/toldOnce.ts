import { expect } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import type { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';

/** What a model has read, in the message `at` this place, or where that is absent in the beginning of its requests. */
type Fact = { readonly at?: number } & (
	| { readonly kind: 'server'; readonly server: string; readonly names: readonly string[] }
	| { readonly kind: 'tool'; readonly name: string; readonly description: string }
	| { readonly kind: 'gone' | 'back'; readonly name: string }
);

/** Reads a chat as its model does, and its events as its user does: each change is told to both, and to none of them twice. */
export class ToldOnce {
	/** How often something was told. */
	readonly tellings = { changed: 0, gone: 0, back: 0, servers: 0, evicted: 0, shown: 0 };
	#facts: Fact[] = [];
	/** The texts of each message as far as they were read. */
	#read: (readonly string[])[] = [];
	/** Changes that were told: a tool with its description. */
	readonly #changes = new Set<string>();
	/** The user went back: what was told since requests began as they do may be told again. */
	#again = false;
	/** Unloaded to make room, and not told yet, by reader. */
	readonly #evicted = { model: new Set<string>(), user: new Set<string>() };
	/** Changes of which the model was told and the user was not: `server:tool`. */
	readonly #unshown = new Set<string>();
	#entries = 0;

	/** Reads what is new in the conversation; to be called before anything happens to the servers, since it tells of them as they are. */
	read({ log, surface }: DiscoverySession): void {
		this.#follow(log.entries);
		if (log.messages.length < this.#read.length) {
			this.#read.length = log.messages.length;
			// What is gone is told again when it matters.
			this.#facts = this.#facts.filter(({ at = -1, kind }) => at < log.messages.length && kind !== 'gone');
			this.#again = true;
			this.#changes.clear();
		}
		for (const [at, message] of log.messages.entries()) {
			const before = this.#read[at];
			const texts = textsOf(message);
			this.#read[at] = texts;
			for (const [i, text] of texts.entries()) {
				const brought = message.role === 'tool' ? message.results[i]?.loaded : undefined;
				for (const { name, description = '' } of before === undefined ? (brought ?? []) : [])
					this.#facts.push({ at, kind: 'tool', name, description });
				const known = before?.[i] ?? '';
				// A text is only ever added to, or there is less left of it.
				if (text.startsWith(known)) this.#take(text.slice(known.length), at, surface);
			}
		}
	}

	/** A request is sent: with it the model knows all that has changed, and so does the user. */
	request(session: DiscoverySession): void {
		const { surface, log } = session;
		const isFirst = this.#facts.length === 0;
		this.read(session);
		const sent = log.entries.findLast((entry) => entry.kind === 'request');
		if (sent?.kind !== 'request') return;
		if (sent.anew !== undefined) this.#begin(session);
		for (const { name, description = '' } of sent.head?.tools ?? sent.added ?? []) {
			this.#facts.push({ kind: 'tool', name, description });
		}
		if (sent.anew === undefined) this.#checkKnown(session);
		const loaded = new Set(session.activations.map(({ wireName }) => wireName));
		const isMissing = (name: string) => !loaded.has(name) && surface.nameable([name]).length > 0;
		const { model, user } = this.#evicted;
		if (!isFirst) expect([...model].filter(isMissing), 'the model is told what was unloaded').toEqual([]);
		expect([...user].filter(isMissing), 'the user is told what was unloaded').toEqual([]);
		expect([...this.#unshown], 'the user is told what has changed').toEqual([]);
		model.clear();
		user.clear();
	}

	/** What the chat shows to its user. */
	hear(event: LoopEvent, session: DiscoverySession): void {
		this.read(session);
		if (event.type === 'evicted') {
			for (const name of event.names.map((one) => one.replace(':', '__'))) {
				this.tellings.shown++;
				expect(this.#evicted.user.delete(name), `${name} is shown as unloaded once`).toBe(true);
			}
		}
		const list =
			event.type === 'notice'
				? /^Reloaded because their servers changed them: (.*)\.$/.exec(event.text)?.[1]
				: undefined;
		for (const name of list?.replace(/ and \d+ more$/, '').split(', ') ?? []) {
			this.tellings.shown++;
			expect(this.#unshown.delete(name), `${name} is shown as changed once`).toBe(true);
		}
		// Those behind the first five are counted.
		if (list?.endsWith(' more')) this.#unshown.clear();
	}

	/** What was unloaded, by the log. */
	#follow(entries: DiscoverySession['log']['entries']): void {
		// Of the entries, only messages are ever taken out.
		const happened = entries.filter(({ kind }) => kind !== 'message');
		for (const entry of happened.slice(this.#entries)) {
			if (entry.kind === 'evict') {
				for (const untold of Object.values(this.#evicted))
					for (const name of entry.wireNames) untold.add(name);
			}
			if (entry.kind !== 'reset') continue;
			this.#evicted.model.clear();
			this.#evicted.user.clear();
			this.#unshown.clear();
		}
		this.#entries = happened.length;
	}

	/** The beginning of a request says all as it is. */
	#begin({ surface, log }: DiscoverySession): void {
		this.#facts = this.#facts.flatMap((fact): readonly Fact[] => {
			const { at } = fact;
			if (at === undefined || (fact.kind === 'tool' && !log.definitions.has(fact.name))) return [];
			// What could be found then does not count any more, but that its tools were there again does.
			return fact.kind === 'server' ? fact.names.map((name) => ({ at, kind: 'back', name })) : [fact];
		});
		for (const [server, names] of findableOn(surface)) this.#facts.push({ kind: 'server', server, names });
		this.#again = false;
	}

	#take(text: string, at: number, surface: ToolSurface): void {
		for (const line of text.split('\n')) {
			for (const name of namesIn(/^Changed since you loaded it: (.*?);/, line))
				this.#changed(name, at, surface);
			for (const name of namesIn(/^Loaded earlier, no longer available: (.*)\.$/, line)) {
				this.tellings.gone++;
				if (!this.#again) expect([...this.#gone], 'told to be gone once').not.toContain(name);
				expect(surface.get(name), `${name} is gone`).toBeUndefined();
				this.#facts.push({ at, kind: 'gone', name });
			}
			for (const name of namesIn(/^Available again: (.*)\.$/, line)) {
				this.tellings.back++;
				expect(this.#again || this.#gone.has(name), `${name} is told to be back once`).toBe(true);
				this.#facts.push({ at, kind: 'back', name });
			}
			for (const name of namesIn(/^Unloaded to make room: (.*)$/, line)) {
				this.tellings.evicted++;
				expect(this.#evicted.model.delete(name), `${name} is told to be unloaded once`).toBe(true);
			}
		}
		const servers = /^Changed since the server list was made:((?:\n- .*)+)/m.exec(text)?.[1];
		if (servers) this.#serversChanged(servers.trim().split('\n'), at, surface);
	}

	#changed(name: string, at: number, surface: ToolSurface): void {
		this.tellings.changed++;
		const { description = '', id = '' } = surface.get(name) ?? {};
		const change = `${name} ${description}`;
		if (!this.#again) expect([...this.#changes], 'told to have changed once').not.toContain(change);
		this.#changes.add(change);
		this.#unshown.add(id);
		this.#facts.push({ at, kind: 'tool', name, description });
	}

	/** What a note says has changed is what the model did not know yet. */
	#serversChanged(lines: readonly string[], at: number, surface: ToolSurface): void {
		this.tellings.servers++;
		const [known, now] = [this.#findable, findableOn(surface)];
		for (const line of lines) {
			const gone = namesIn(/^- Servers that are gone: (.*)$/, line);
			const added = namesIn(/^- New servers: (.*)$/, line);
			const changed = /^- (\w+): /.exec(line)?.[1];
			for (const server of [...gone, ...added, ...(changed === undefined ? [] : [changed])]) {
				const names = now.get(server) ?? [];
				if (!this.#again)
					expect(known.get(server) ?? [], `${server} is told to have changed once`).not.toEqual(names);
				this.#facts.push({ at, kind: 'server', server, names });
			}
		}
	}

	#checkKnown({ surface, activations }: DiscoverySession): void {
		expect(sorted(this.#findable), 'what can be found').toEqual(sorted(findableOn(surface)));
		const gone = this.#gone;
		const tools = new Map(
			this.#facts.flatMap((fact) => (fact.kind === 'tool' ? [[fact.name, fact.description]] : [])),
		);
		for (const name of [...gone])
			expect(surface.get(name)?.id, 'the model is told what is back').toBeUndefined();
		for (const { wireName } of activations) {
			const tool = surface.get(wireName);
			if (tool) expect(tools.get(wireName), `${wireName} as it is`).toBe(tool.description);
			else if (!surface.toolset && tools.has(wireName))
				expect([...gone], 'the model is told what is gone').toContain(wireName);
		}
	}

	/** By server, what the model knows that it can find. */
	get #findable(): Map<string, readonly string[]> {
		const servers = this.#facts.flatMap((fact) => (fact.kind === 'server' ? [fact] : []));
		const known = new Map(servers.map(({ server, names }) => [server, names]));
		return new Map([...known].filter(([, names]) => names.length > 0));
	}

	/** Tools that the model takes to be gone. */
	get #gone(): ReadonlySet<string> {
		const gone = new Set<string>();
		for (const fact of this.#facts) {
			if (fact.kind === 'gone') gone.add(fact.name);
			if (fact.kind === 'tool' || fact.kind === 'back') gone.delete(fact.name);
			if (fact.kind === 'server') for (const name of fact.names) gone.delete(name);
		}
		return gone;
	}
}

/** The names that a line lists, without what it says of each. */
function namesIn(pattern: RegExp, line: string): string[] {
	const list = pattern.exec(line)?.[1];
	return list === undefined ? [] : list.replaceAll(/ \([^)]*\)/g, '').split(', ');
}

function findableOn({ deferred }: ToolSurface): Map<string, string[]> {
	const servers = Map.groupBy(deferred, ({ server }) => server);
	return new Map([...servers].map(([server, tools]) => [server, tools.map(({ wireName }) => wireName)]));
}

function sorted(findable: ReadonlyMap<string, readonly string[]>): readonly unknown[] {
	return [...findable].sort(([a], [b]) => (a < b ? -1 : 1));
}

function textsOf(message: ChatMessage): readonly string[] {
	if (message.role === 'assistant') return [];
	if (message.role === 'user') return [message.news ?? ''];
	return message.results.map(({ result }) => resultText(result));
}
