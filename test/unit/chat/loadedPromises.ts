import { expect } from 'vitest';
import type { ChatMessage, ToolCallResult } from '../../../src/discovery/catalog/message.ts';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';

/**
 * Reads one conversation as its model does, and holds every request against what the model was told before it: what a result calls
 * loaded is there, and nothing that was there is missing without a word.
 */
export class LoadedPromises {
	#last: ChatRequest | undefined;
	/** What was said to be unloaded and has not been loaded since. */
	readonly #unloaded = new Set<string>();
	/** Names that results have called loaded, and that were there. */
	kept = 0;

	/**
	 * `excused`: tools that a server or the user has taken away since the last request. `crowded`: more tools are always there since then,
	 * so a later result may have taken back what an earlier one said.
	 */
	check(
		request: ChatRequest,
		{
			excused = () => false,
			crowded = false,
		}: { readonly excused?: (wireName: string) => boolean; readonly crowded?: boolean } = {},
	): void {
		const reachable = [...reachableIn(request)];
		const had = this.#last ? [...reachableIn(this.#last)] : [];
		const told = new Set<string>();
		for (const message of request.messages.slice(this.#last?.messages.length ?? 0)) {
			for (const [name, isLoaded] of tellings(message)) {
				if (isLoaded) {
					told.add(name);
					this.#unloaded.delete(name);
					this.kept++;
				} else this.#unloaded.add(name);
			}
		}
		const isDue = (name: string) => !this.#unloaded.has(name) && !excused(name);
		const promised = [...told].filter((name) => (crowded ? isDue(name) : !excused(name)));
		expect(reachable, 'what results call loaded').toEqual(expect.arrayContaining(promised));
		expect(reachable, 'what was there').toEqual(expect.arrayContaining(had.filter(isDue)));
		this.#last = { ...request, messages: [...request.messages] };
	}
}

/** Tools that a model can call: those of the request, and where it reads them there, those in its messages. */
export function reachableIn({ tools, messages }: ChatRequest): ReadonlySet<string> {
	const told = messages.flatMap(resultsIn).flatMap(({ loaded = [] }) => loaded);
	return new Set([...tools, ...told].map(({ name }) => name).filter((name) => name.includes('__')));
}

/** What a message says of tools, the last word on each: whether it is loaded. */
function tellings(message: ChatMessage): ReadonlyMap<string, boolean> {
	const said = new Map<string, boolean>();
	const read = (text: string) => {
		for (const line of text.split('\n')) {
			const loaded = /^- \S+ \((\w+)\)/.exec(line) ?? /^- (\w+) \[Already loaded\]/.exec(line);
			if (loaded?.[1]) said.set(loaded[1], true);
			const unloaded = /^Unloaded to make room: (.*?)\]?$/.exec(line);
			for (const name of unloaded?.[1]?.split(', ') ?? []) said.set(name, false);
		}
	};
	if (message.role === 'user') read(message.news ?? '');
	for (const { result, loaded = [] } of resultsIn(message)) {
		for (const { name } of loaded) said.set(name, true);
		read(resultText(result));
	}
	return said;
}

function resultsIn(message: ChatMessage): readonly ToolCallResult[] {
	return message.role === 'tool' ? message.results : [];
}
