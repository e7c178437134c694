import type { Tool } from '../catalog/tool.ts';
import type { ToolShape } from './byFields/toolShape.ts';
import { actionKinds, reading } from './words/actionKinds.ts';

/** Kinds of actions that leave what exists as it was: they only read, or add something new. */
const harmless = reading | actionKinds.make;

/**
 * Whether a tool may change or destroy something that exists, as far as its server says: by its annotations, else by the verb of its name, else by
 * the verbs that its description begins with. MCP calls these updates destructive, and others additive. A tool without any verb, such as
 * `weather`, counts as reading: most of those do.
 */
export function mayChange({ annotations }: Tool, { named, described }: ToolShape): boolean {
	const { readOnlyHint, destructiveHint } = annotations ?? {};
	if (readOnlyHint === true) return false;
	if (destructiveHint !== undefined) return destructiveHint;
	if (readOnlyHint === false) return true;
	const kinds = named || described;
	return (kinds & ~harmless) !== 0 && (kinds & reading) === 0;
}
