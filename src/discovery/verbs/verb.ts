import type { CatalogTool } from '../catalog.ts';
import { EarlierTools } from '../earlierTools.ts';
import { heldTool, notAccepted } from '../heldTool.ts';
import { nameLimit, oneLine } from '../text.ts';
import { isFullName, type ToolNames } from '../toolNames.ts';
import type { ToolSurface } from '../toolSurface.ts';

/** What a caller of another chat is told: JSON, or where it has failed, a sentence. */
export interface VerbAnswer {
	readonly text: string;
	readonly failed: boolean;
}

/** `server:tool`, as people read it, where that can be said as it is and leads to this tool alone; else the wire name, which always does. */
export function callableName(tool: CatalogTool, names: ToolNames): string {
	const resolution = names.resolve(tool.id);
	const isOwn = resolution.kind === 'found' && resolution.tool.wireName === tool.wireName;
	return isOwn && oneLine(tool.id, nameLimit) === tool.id ? tool.id : tool.wireName;
}

/** The tool that a name leads to, or what to tell who gave it. `earlier`: what the caller may have been told before. */
export function callableTool(
	name: unknown,
	surface: ToolSurface,
	earlier: EarlierTools = new EarlierTools(),
): { readonly ok: true; readonly tool: CatalogTool } | { readonly ok: false; readonly message: string } {
	if (typeof name !== 'string' || !name.trim()) {
		return { ok: false, message: "Give the name of a tool as 'tool', such as server:tool." };
	}
	const { names, held } = surface;
	const resolution = earlier.resolve(name, surface);
	const waiting = heldTool(name, held);
	// A full name leads to one tool; a bare one must not lead to another server's because one is held.
	if (waiting && !(resolution.kind === 'found' && isFullName(name, resolution.tool))) {
		return { ok: false, message: notAccepted(waiting.id) };
	}
	if (resolution.kind === 'found') return { ok: true, tool: resolution.tool };
	const candidates = resolution.kind === 'ambiguous' ? resolution.candidates : resolution.closest;
	const hint = candidates.map((tool) => callableName(tool, names)).join(', ');
	const asked = oneLine(name, nameLimit);
	if (resolution.kind === 'ambiguous') {
		return { ok: false, message: `More than one tool is called '${asked}': ${hint}.` };
	}
	return { ok: false, message: `There is no tool '${asked}'.${hint ? ` Closest: ${hint}.` : ''}` };
}

export function failedAnswer(text: string): VerbAnswer {
	return { text, failed: true };
}

export function jsonAnswer(text: string): VerbAnswer {
	return { text, failed: false };
}
