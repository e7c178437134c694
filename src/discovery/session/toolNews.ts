import { definitionHash } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import { listed } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import { searchToolsName } from '../catalog/syntheticTool.ts';
import { type ToolResult, withText } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { permits } from '../catalog/toolset.ts';
import { schemaText, unloadedToMakeRoom } from '../tools/toolText.ts';
import type { Activation, ActivationSet } from './activationSet.ts';
import type { ChatPrompt } from './chatPrompt.ts';
import { isSameTool } from './earlierTools.ts';

/** Loaded tools that are kept while nobody offers them: as many as one request may have. */
const keptGone = 64;
/** Characters of input schemas that one note tells. */
const toldSchemas = 8_000;
/** Tools that one note names, and tools whose nearest names are looked for: that compares each with every tool there is. */
const namedTools = 20;
const comparedTools = 5;

/** A loaded tool that is not there any more. */
export interface GoneTool {
	readonly wireName: string;
	/** The tools whose names are most like its own, best first; none where more are gone than are looked at. */
	readonly closest: readonly CatalogTool[];
}

/** Made once a tool: chats share them, and each looks at every change of a server. */
const toolHash = weakMemo((tool: CatalogTool) => definitionHash(toolDefinition(tool)));

/** Keeps what these tools look like now: it is what the model is told of them. Names that lead to no tool are passed over. */
export function keepHashes(active: ActivationSet, surface: ToolSurface, wireNames: readonly string[]): void {
	for (const name of wireNames) {
		const tool = surface.get(name);
		if (tool) active.stamp(tool, toolHash(tool));
	}
}

/** Who is told of tools that were unloaded to make room. */
export type Reader = 'user' | 'model';

/**
 * What becomes of the loaded tools of one chat while servers change, start anew and go, and what the model and the user have been told
 * of that: each thing once. A tool that looks otherwise than its activation has it has changed; one that is gone stays loaded, for when
 * its server comes back.
 */
export class ToolNews {
	readonly #active: ActivationSet;
	readonly #prompt: ChatPrompt;
	/** Wire names of tools that are gone and of which the model has been told. */
	readonly #toldGone = new Set<string>();
	/** Wire names of tools that were unloaded to make room, by the reader who has not been told yet. */
	readonly #evicted: Readonly<Record<Reader, Set<string>>> = { user: new Set(), model: new Set() };
	/** Changed tools of which the model has been told and the user has not. */
	readonly #changed = new Set<CatalogTool>();

	constructor(active: ActivationSet, prompt: ChatPrompt) {
		this.#active = active;
		this.#prompt = prompt;
	}

	/** To be called when there is another surface. Tools that an earlier version loaded are taken as they are now. */
	review(surface: ToolSurface): void {
		for (const { wireName, tool } of this.#active.activations) {
			const now = surface.get(wireName);
			// Another server's tool has this name now, and nobody has loaded that one.
			if (tool && now && !isSameTool(tool, now)) this.#active.remove(wireName);
		}
		const unknown = this.#active.activations.filter((one) => one.hash === undefined);
		keepHashes(
			this.#active,
			surface,
			unknown.map(({ wireName }) => wireName),
		);
		for (const name of this.#toldGone) if (surface.get(name)) this.#toldGone.delete(name);
		const oldest = this.#active.byUse.filter((name) => !surface.get(name));
		for (const name of oldest.slice(0, Math.max(0, oldest.length - keptGone))) this.#active.remove(name);
	}

	/** Loaded tools that have changed, and of which the model has not been told yet. */
	changed(surface: ToolSurface): readonly CatalogTool[] {
		const eager = new Set(surface.loaded);
		const changedTool = ({ wireName, hash: before }: Activation) => {
			const tool = surface.get(wireName);
			const isChanged = tool && before !== undefined && before !== toolHash(tool);
			return isChanged && !eager.has(tool) ? [tool] : [];
		};
		return this.#active.activations.flatMap(changedTool);
	}

	/** Loaded tools that are gone. */
	gone(surface: ToolSurface): readonly GoneTool[] {
		return described(this.#gone(surface), surface);
	}

	/** Tools were unloaded to make room, by wire name; these readers have not heard of it by other ways. */
	evicted(wireNames: readonly string[], untold: readonly Reader[]): void {
		for (const reader of untold) for (const name of wireNames) this.#evicted[reader].add(name);
	}

	/** What was unloaded to make room and this reader is told now, without what has been found again since. */
	tellEvicted(reader: Reader, surface: ToolSurface): readonly string[] {
		const names = surface.nameable([...this.#evicted[reader]]);
		this.#evicted[reader].clear();
		return names.filter((name) => !this.#active.has(name));
	}

	/** The tools of which the model has been told that they have changed, for the user to be told as well. */
	tellChanges(): readonly CatalogTool[] {
		const tools = [...this.#changed];
		this.#changed.clear();
		return tools;
	}

	/** What the model is to know before its next request and no result has told it. */
	beforeRequest(surface: ToolSurface): string | undefined {
		const evicted = this.tellEvicted('model', surface);
		const news = [
			// Before its first request, the model cannot miss what has made room.
			evicted.length > 0 && this.#prompt.hasBegun ? unloadedToMakeRoom(evicted) : undefined,
			this.#prompt.changes(surface),
		];
		// A request that begins anew has its tools as they are.
		if (this.#prompt.goesOn(surface)) {
			const sent = this.#prompt.goneSent(surface);
			news.push(this.#tellChanged(surface), this.#tellGone(surface, sent));
		}
		const told = news.filter((text) => text !== undefined);
		return told.length > 0 ? told.join('\n\n') : undefined;
	}

	/** A call's result with which loaded tools have changed. */
	withChanges(result: ToolResult, surface: ToolSurface): ToolResult {
		return withTexts(result, [this.#tellChanged(surface)]);
	}

	/** A search's result with what else has changed since: what can be found, which loaded tools are gone or others. */
	withAll(result: ToolResult, surface: ToolSurface): ToolResult {
		const found = [this.#prompt.changes(surface), this.#tellGone(surface)];
		return this.withChanges(withTexts(result, found), surface);
	}

	/** What has been told of changed and gone tools is told again. */
	forgetTold(): void {
		this.#prompt.forgetTold();
		this.#toldGone.clear();
	}

	/** Nothing is loaded any more. */
	clear(): void {
		this.#evicted.user.clear();
		this.#evicted.model.clear();
		this.#changed.clear();
	}

	/**
	 * A sentence on tools that have changed; from then on those that are loaded count as loaded as they are now. More than a note can tell
	 * has the next request begin anew, where all is as it is.
	 */
	#tellChanged(surface: ToolSurface): string | undefined {
		const sent = this.#prompt.changedSent(surface);
		if (areTellable(sent)) this.#prompt.outdate(sent);
		else this.#prompt.forget();
		const tools = [...new Set([...this.changed(surface), ...sent])];
		for (const tool of tools) this.#changed.add(tool);
		const names = tools.map(({ wireName }) => wireName);
		if (names.length === 0) return undefined;
		keepHashes(this.#active, surface, names);
		const inText = names.filter((name) => this.#prompt.isInText(surface, name));
		const advice =
			inText.length > 0
				? [
						`The schema you have read no longer holds: ask for it again with ${searchToolsName} and tool_names ${JSON.stringify(inText.slice(0, namedTools))}.`,
					]
				: [];
		// The next request still has the old definition of these tools.
		const isSent = (tool: CatalogTool) => sent.includes(tool) && this.#prompt.isOutdated(tool.wireName);
		const schemas = tools
			.filter((tool) => isSent(tool) && !inText.includes(tool.wireName))
			.map((tool) => `\nThe input schema of ${tool.wireName} is now: ${schemaText(tool)}`);
		return [
			`Changed since you loaded it: ${listed(names, namedTools)}; read its definition again.`,
			...advice,
			...schemas,
		].join(' ');
	}

	/** A sentence on loaded tools that are gone; `sent`: others that the model's request still has. */
	#tellGone(surface: ToolSurface, sent: readonly string[] = []): string | undefined {
		// What is sent was permitted by the toolset: with another one the request begins anew.
		const gone = new Set([...this.#gone(surface), ...sent]);
		const untold = [...gone].filter((name) => !this.#toldGone.has(name));
		if (untold.length === 0) return undefined;
		for (const name of untold) this.#toldGone.add(name);
		const entries = described(untold, surface).map((tool) => {
			return surface.quarantined.resolve(tool.wireName).kind === 'found'
				? `${tool.wireName} (changed, and not called until the user accepts that)`
				: withClosest(tool);
		});
		return `Loaded before, and not available any more: ${listed(entries, namedTools)}.`;
	}

	/** By wire name, in the order of activation. What the toolset leaves out is not gone, and nothing names it. */
	#gone(surface: ToolSurface): readonly string[] {
		const { toolset } = surface;
		const isPermitted = ({ tool }: Activation) => (tool ? permits(toolset, tool) : !toolset);
		return this.#active.activations
			.filter((one) => !surface.get(one.wireName) && isPermitted(one))
			.map(({ wireName }) => wireName);
	}
}

function withTexts(result: ToolResult, texts: readonly (string | undefined)[]): ToolResult {
	return texts.filter((text) => text !== undefined).reduce(withText, result);
}

/** Whether the new schemas of tools are short enough to be told in a note. */
function areTellable(tools: readonly CatalogTool[]): boolean {
	return (
		tools.length <= namedTools && tools.reduce((sum, tool) => sum + schemaText(tool).length, 0) <= toldSchemas
	);
}

function described(wireNames: readonly string[], surface: ToolSurface): GoneTool[] {
	return wireNames.map((wireName, i) => ({
		wireName,
		closest: i < comparedTools ? surface.names.closest(wireName) : [],
	}));
}

function withClosest({ wireName, closest }: GoneTool): string {
	const names = closest.map((tool) => tool.wireName).join(', ');
	return names ? `${wireName} (closest names: ${names})` : wireName;
}
