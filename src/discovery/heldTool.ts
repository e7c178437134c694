import type { CatalogTool } from './catalog.ts';
import { sentence } from './text.ts';
import type { ToolNames } from './toolNames.ts';

/** The tool that a name means, or may mean, of those that wait for the user to accept them. */
export function heldTool(name: string, held: ToolNames): CatalogTool | undefined {
	const resolution = held.resolve(name);
	if (resolution.kind === 'unknown') return undefined;
	return resolution.kind === 'found' ? resolution.tool : resolution.candidates[0];
}

/** What a model is told that calls such a tool. `name`: by which it knows the tool. */
export function notAccepted(name: string): string {
	return (
		sentence`The definition of '${name}' has changed since the user accepted it: it is not called until the user accepts the change. ` +
		"Do not call it again. Tell the user to review it in the view 'Servers' of Discovery, or with the command 'Discovery: Show Change of Tool'."
	);
}
