import * as l10n from '@vscode/l10n';
import { autoSentence } from '../../chat/autoWords.ts';
import { chatName } from '../../chat/chatName.ts';
import { shortNumber, toolCount, wholeNumber } from '../../chat/counts.ts';
import { type LoadedFacts, loadedWords } from '../../chat/loadedCount.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { RequestCost } from '../../discovery/session/logEntry.ts';
import { firstCost } from '../../discovery/session/toolTokens.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';

export interface StatusLabel {
	readonly text: string;
	readonly tooltip: string;
	readonly accessibleLabel: string;
}

/** How many tools a chat has loaded and what that saves; without a chat, what its first request will contain. */
export function statusLabel(surface: ToolSurface, chat: DiscoverySession | undefined): StatusLabel {
	return surface.policy.enabled ? onWords(surface, chat) : offWords(surface);
}

function offWords(surface: ToolSurface): StatusLabel {
	const { auto } = surface.policy;
	const isEmpty = surface.tools.length === 0;
	const tooltip = auto
		? autoSentence(auto)
		: l10n.t(
				'Discovery is off: {0} (≈{1} tokens, estimated) are sent with every request.',
				toolCount(surface.loaded.length),
				shortNumber(firstCost(surface).everyToolTokens),
			);
	return {
		text: `$(tools) ${isEmpty ? loadedWords(loadedNow(surface, undefined)) : auto ? l10n.t('Discovery off (auto)') : l10n.t('Discovery off')}`,
		tooltip,
		accessibleLabel: tooltip,
	};
}

function onWords(surface: ToolSurface, chat: DiscoverySession | undefined): StatusLabel {
	const tooltip = [
		...[chatName(chat?.log.firstPrompt)].filter(Boolean),
		loadedSentences(surface, chat),
		...priceWords(surface, chat),
		...(surface.policy.auto ? [autoSentence(surface.policy.auto)] : []),
	].join('\n');
	return {
		text: `$(tools) ${loadedWords(loadedNow(surface, chat))}`,
		tooltip,
		accessibleLabel: `${l10n.t('Discovery')}: ${tooltip}`,
	};
}

function nextCost(surface: ToolSurface, chat: DiscoverySession | undefined): RequestCost {
	return chat?.nextCost ?? firstCost(surface);
}

/** What the last used chat, or the first request of a new one, gets. */
export function loadedNow(surface: ToolSurface, chat: DiscoverySession | undefined): LoadedFacts {
	const { tokens: sent, everyToolTokens: everything } = nextCost(surface, chat);
	const activatedCount = chat?.activated.length ?? 0;
	const cap = surface.policy.maxActiveSchemas;
	return {
		loaded: surface.loaded.length + activatedCount,
		tools: surface.tools.length,
		sent,
		everything,
		room: cap === null ? null : cap - activatedCount,
	};
}

/** What every request contains, with a warning if it is more than without discovery. */
function priceWords(surface: ToolSurface, chat: DiscoverySession | undefined): string[] {
	if (surface.deferred.length === 0) return [];
	const { tokens: sent, everyToolTokens: all } = nextCost(surface, chat);
	const tokens = [shortNumber(sent), shortNumber(all)];
	return [
		sent <= all
			? l10n.t('≈{0} instead of ≈{1} tokens per request (estimated).', ...tokens)
			: l10n.t(
					'≈{0} tokens per request. All tools together would need only ≈{1} (estimated). "auto" turns discovery off while there are so few.',
					...tokens,
				),
	];
}

/** The badge: servers that need the user. */
export function badgeOf(
	servers: readonly ServerStatus[],
	quarantined: readonly CatalogTool[],
): { readonly value: number; readonly tooltip: string } | undefined {
	const changed = new Set(quarantined.map(({ server }) => server));
	const needs = Map.groupBy(
		servers,
		(status) => needOf(status) ?? (changed.has(status.name) ? 'tools' : undefined),
	);
	const count = (need: Need) => needs.get(need)?.length ?? 0;
	const words = (Object.keys(needWords) as Need[]).filter((need) => count(need) > 0);
	if (words.length === 0) return undefined;
	return {
		value: words.reduce((sum, need) => sum + count(need), 0),
		tooltip: words.map((need) => needWords[need](count(need))).join('\n'),
	};
}

type Need = 'approval' | 'signIn' | 'failed' | 'tools';

const needWords: Readonly<Record<Need, (n: number) => string>> = {
	approval: (n) => (n === 1 ? l10n.t('1 server needs approval') : l10n.t('{0} servers need approval', n)),
	signIn: (n) =>
		n === 1 ? l10n.t('1 server needs you to sign in') : l10n.t('{0} servers need you to sign in', n),
	failed: (n) => (n === 1 ? l10n.t('1 server failed') : l10n.t('{0} servers failed', n)),
	tools: (n) =>
		n === 1 ? l10n.t('1 server has tools to review') : l10n.t('{0} servers have tools to review', n),
};

function needOf({ state, wantsRights }: ServerStatus): Need | undefined {
	if (state.kind === 'unapproved') return 'approval';
	if (state.kind === 'signed-out' || wantsRights) return 'signIn';
	return state.kind === 'failed' ? 'failed' : undefined;
}

/** `It has loaded 3 tools of at most 24. 2 more are always loaded. A new chat starts with 2 tools.` */
function loadedSentences(surface: ToolSurface, chat: DiscoverySession | undefined): string {
	const { length: always } = surface.loaded;
	const { length: activatedCount } = chat?.activated ?? [];
	const isAsked = chat?.log.firstPrompt !== undefined;
	return [
		loadedHere(activatedCount, surface.policy.maxActiveSchemas, isAsked),
		...(always > 0 ? [alwaysLoaded(always)] : []),
		// VS Code does not say that the user has begun a new chat.
		...(isAsked && activatedCount > 0 ? [l10n.t('A new chat starts with {0}.', toolCount(always))] : []),
	].join(' ');
}

function loadedHere(n: number, cap: number | null, isAsked: boolean): string {
	const tools = cap === null ? toolCount(n) : l10n.t('{0} of at most {1}', toolCount(n), wholeNumber(cap));
	return isAsked ? l10n.t('It has loaded {0}.', tools) : l10n.t('Loaded for the next chat: {0}.', tools);
}

function alwaysLoaded(n: number): string {
	return n === 1 ? l10n.t('1 more is always loaded.') : l10n.t('{0} more are always loaded.', wholeNumber(n));
}

/** A first start shows its seconds in steps of this many milliseconds, because each change of a row closes its tooltip. */
const startStepMs = 10_000;

/** The label of a long first start. `word` does not change, for screen readers; `short` counts seconds. */
export function startingWords(
	{ since, first }: ServerState & { readonly kind: 'starting' },
	now: number,
): { readonly word: string; readonly short: string } | undefined {
	const steps = Math.floor((now - (since ?? now)) / startStepMs);
	if (!first || steps < 1) return undefined;
	const seconds = (steps * startStepMs) / 1000;
	return first.installs
		? { word: l10n.t('Installing…'), short: l10n.t('Installing, {0} s…', seconds) }
		: { word: l10n.t('Starting for the first time…'), short: l10n.t('Starting, {0} s…', seconds) };
}

/** What explains the state of a server: the last output of a first start, or what others say about a failure. */
export function explanationOf({ state }: Pick<ServerStatus, 'state'>): string | undefined {
	if (state.kind === 'starting') return state.first?.lastOutput;
	return state.kind === 'failed' ? state.error.details.explanation : undefined;
}
