import { callToolName, unwrappedCall } from './callTool.ts';
import type { CatalogTool } from './catalog.ts';
import type { EarlierTools } from './earlierTools.ts';
import { heldTool, notAccepted } from './heldTool.ts';
import { searchToolsName } from './syntheticTool.ts';
import { nameLimit, oneLine } from './text.ts';
import type { ToolSurface } from './toolSurface.ts';

/** The tool that a model means. */
export interface CalledTool {
	/** As the model has written it. */
	readonly name: string;
	readonly tool: CatalogTool;
	readonly input: Readonly<Record<string, unknown>>;
	/** It is called through the synthetic tool that calls others. */
	readonly isWrapped: boolean;
}

/** A call that means no tool. What the model is told is made when it is asked for: to find the closest names costs a look at many. */
interface NoTool {
	readonly ok: false;
	readonly message: (withClosest: boolean) => string;
}

/** Which tool of a server a call means. */
export function calledTool(
	name: string,
	input: Readonly<Record<string, unknown>>,
	surface: ToolSurface,
	earlier: EarlierTools,
): ({ readonly ok: true } & CalledTool) | NoTool {
	const discovers = surface.deferred.length > 0;
	// Whatever the way of loading is now: earlier results of this chat may say that this is how to call.
	const isWrapped = name === callToolName && discovers;
	const meant = isWrapped ? unwrappedCall(input) : ({ ok: true, name, input } as const);
	if (!meant.ok) return { ok: false, message: () => meant.message };
	const exact = surface.get(meant.name);
	// Before names that are not exact: what is held must not lead to another server's tool of that name.
	const held = exact ? undefined : heldTool(meant.name, surface.held);
	if (held) return { ok: false, message: () => `Error: ${notAccepted(held.wireName)}` };
	const tool = exact ?? misnamed(meant.name, surface, earlier);
	if (tool && !earlier.meansAnother(meant.name, tool)) {
		return { ok: true, name: meant.name, tool, input: meant.input, isWrapped };
	}
	const closest = () => surface.names.closest(meant.name);
	return {
		ok: false,
		message: (withClosest) => unknownTool(meant.name, withClosest ? closest() : [], discovers),
	};
}

/** A model may write `server:tool` for the wire name that it was given. */
function misnamed(name: string, surface: ToolSurface, earlier: EarlierTools): CatalogTool | undefined {
	const resolution = earlier.resolve(name, surface);
	return resolution.kind === 'found' ? resolution.tool : undefined;
}

/** What a model is told that calls what nothing goes by. `discovers`: it can search. */
function unknownTool(name: string, closest: readonly CatalogTool[], discovers: boolean): string {
	const names = closest.map((tool) => tool.wireName).join(', ');
	const hint = names ? ` Closest names: ${names}.` : '';
	const advice = discovers ? ` Use the '${searchToolsName}' tool to find one.` : '';
	return `Error: There is no tool '${oneLine(name, nameLimit)}'.${hint}${advice}`;
}
