import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { placement } from '../../discovery/partition.ts';
import { firstSentence } from '../../discovery/text.ts';

/** Characters of a description in a list, and tools that a sentence names. */
const descriptionLimit = 160;
const namedTools = 20;

/** A tool in a list: name, state, what else marks it, the first sentence of its description. */
export function toolLine(tool: CatalogTool, session: DiscoverySession, ...marks: readonly string[]): string {
	const text = firstSentence(tool.description ?? tool.title ?? '');
	const state = [...stateOf(tool, session), ...marks].join(', ');
	return `${code(tool.id)}${state && ` (${state})`}${text ? ` — ${plain(text, descriptionLimit)}` : ''}`;
}

/** `pinned`, `loaded` or `deferred`; nothing while discovery is off, and every tool is loaded anyway. */
export function stateOf(tool: CatalogTool, session: DiscoverySession): readonly string[] {
	if (!session.surface.policy.enabled) return [];
	return [wordOf(tool, session)];
}

function wordOf(tool: CatalogTool, session: DiscoverySession): string {
	if (placement(tool, session.surface.policy) === 'pinned') return l10n.t('pinned');
	return isLoaded(tool, session) ? l10n.t('loaded') : l10n.t('deferred');
}

/** Whether the model gets the tool's schema. */
export function isLoaded(tool: CatalogTool, session: DiscoverySession): boolean {
	return session.loadedTools.includes(tool);
}

/** Names of tools in a sentence. */
export function toolList(tools: readonly CatalogTool[]): string {
	const shown = tools.slice(0, namedTools).map((tool) => code(tool.id));
	const rest = tools.length - shown.length;
	return (rest > 0 ? [...shown, l10n.t('… and {0} more', rest)] : shown).join(', ');
}
