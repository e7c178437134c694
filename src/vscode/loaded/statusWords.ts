import type { CatalogTool } from '../../discovery/catalog.ts';
import type { ToolSurface } from '../../discovery/toolSurface.ts';
import { sumOfTokens, surfaceTokens } from '../../discovery/toolTokens.ts';
import { toolCount } from '../counts.ts';
import { shortNumber } from '../servers/treeRows.ts';

/** What the status bar says. */
export interface StatusWords {
	readonly text: string;
	readonly tooltip: string;
	readonly accessibleLabel: string;
}

/** How many tools a chat has loaded, and what that saves; `activated`: what it has loaded itself. */
export function statusWords(surface: ToolSurface, activated: readonly CatalogTool[]): StatusWords {
	return surface.policy.enabled ? onWords(surface, activated) : offWords(surface);
}

function offWords(surface: ToolSurface): StatusWords {
	const all = toolCount(surface.loaded.length);
	return {
		text: '$(tools) Discovery off',
		tooltip: `Discovery is off: ${all}, ≈${shortNumber(surfaceTokens(surface).all)} tokens (estimated), go with every request.`,
		accessibleLabel: `Discovery is off, ${all} loaded`,
	};
}

function onWords(surface: ToolSurface, activated: readonly CatalogTool[]): StatusWords {
	const cap = surface.policy.maxActiveSchemas;
	const { all } = surfaceTokens(surface);
	const tokens = tokensWith(surface, activated);
	const saving = savedPercent(surface, activated);
	const count = cap === null ? toolCount(activated.length) : `${activated.length}/${cap} tools`;
	const loaded = [
		`This chat has loaded ${toolCount(activated.length)}${cap === null ? '' : ` of at most ${cap}`}`,
		...(surface.loaded.length > 0
			? [`${surface.loaded.length} more ${areAlways(surface.loaded.length)}`]
			: []),
	].join('; ');
	const price = `≈${shortNumber(tokens)} tokens instead of ≈${shortNumber(all)} go with every request (estimated).`;
	return {
		text: `$(tools) ${[count, ...(saving ? [`${saving} tokens`] : [])].join(' · ')}`,
		tooltip: saving ? `${loaded}.\n${price}` : `${loaded}.`,
		accessibleLabel: saving ? `Discovery: ${loaded}, ${saving} tokens, estimated` : `Discovery: ${loaded}`,
	};
}

/** How much less goes with every request than without discovery: see {@link percentOff}. */
export function savedPercent(surface: ToolSurface, activated: readonly CatalogTool[]): string | undefined {
	if (surface.deferred.length === 0) return undefined;
	return percentOff(tokensWith(surface, activated), surfaceTokens(surface).all);
}

function tokensWith(surface: ToolSurface, activated: readonly CatalogTool[]): number {
	const { loaded, search } = surfaceTokens(surface);
	return loaded + search + sumOfTokens(activated);
}

/** `−96%`, or `+12%` where few small tools are deferred; `undefined` where there is no difference to speak of. */
function percentOff(tokens: number, all: number): string | undefined {
	const percent = Math.round((tokens / all - 1) * 100);
	if (percent === 0) return undefined;
	return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}

function areAlways(n: number): string {
	return n === 1 ? 'is always loaded' : 'are always loaded';
}
