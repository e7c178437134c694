import type { CatalogTool } from '../catalog.ts';
import { oneLine } from '../text.ts';
import type { ToolNames } from '../toolNames.ts';

/** What a caller of another chat is told: JSON, or where it has failed, a sentence. */
export interface VerbAnswer {
	readonly text: string;
	readonly failed: boolean;
}

/** Characters of a name that an error repeats. */
const nameLimit = 160;

/** `server:tool`, as people read it, where it leads to this tool alone; else the wire name, which always does. */
export function callableName(tool: CatalogTool, names: ToolNames): string {
	const resolution = names.resolve(tool.id);
	const isOwn = resolution.kind === 'found' && resolution.tool.wireName === tool.wireName;
	return isOwn ? tool.id : tool.wireName;
}

/** The tool that a name leads to, or what to tell who gave it. */
export function callableTool(
	name: unknown,
	names: ToolNames,
): { readonly ok: true; readonly tool: CatalogTool } | { readonly ok: false; readonly message: string } {
	if (typeof name !== 'string' || !name.trim()) {
		return { ok: false, message: "Give the name of a tool as 'tool', such as server:tool." };
	}
	const resolution = names.resolve(name);
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
