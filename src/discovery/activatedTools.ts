import type { Activation, ActivationSet } from './activationSet.ts';
import type { CatalogTool } from './catalog.ts';
import type { ToolSurface } from './toolSurface.ts';

/** Activated tools that exist now and are not loaded anyway, in the order of activation. */
export function activatedTools(active: ActivationSet, surface: ToolSurface): readonly CatalogTool[] {
	const eager = new Set(surface.loaded);
	return active.activations
		.map(({ wireName }) => surface.get(wireName))
		.filter((tool) => tool !== undefined)
		.filter((tool) => !eager.has(tool));
}

/** An activated tool with why it was loaded. */
export interface ActivatedTool {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

/** {@link activatedTools}, the most recently used first. */
export function activationsByUse(active: ActivationSet, surface: ToolSurface): readonly ActivatedTool[] {
	const tools = new Map(activatedTools(active, surface).map((tool) => [tool.wireName, tool]));
	const activations = new Map(active.activations.map((one) => [one.wireName, one]));
	return active.byUse.toReversed().flatMap((name) => {
		const [tool, activation] = [tools.get(name), activations.get(name)];
		return tool && activation ? [{ tool, activation }] : [];
	});
}
