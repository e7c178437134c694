import type { ActivationSet } from './activationSet.ts';
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
