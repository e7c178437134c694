import * as l10n from '@vscode/l10n';
import type { ContextReport } from '../discovery/report.ts';
import { toolCount, wholeNumber } from './counts.ts';

/** What a model gets of all tools, in a chat or before it. */
export interface LoadedFacts {
	readonly loaded: number;
	readonly tools: number;
	/** Estimated tokens of the definitions in a request, now and with every tool loaded. */
	readonly sent: number;
	readonly everything: number;
	/** Tools that still fit; `null`: there is no limit. */
	readonly room: number | null;
}

/** The count says how many tools still fit once there is room for no more than this. */
const shownRoom = 2;

/** How many of a server's tools are loaded: `2 of 28 loaded`, `all 9 loaded`, `loaded` for its only one, or `28 tools` if none is. */
export function loadedCount(loaded: number, tools: number): string {
	if (loaded === 0) return toolCount(tools);
	if (loaded < tools) return l10n.t('{0} of {1} loaded', wholeNumber(loaded), wholeNumber(tools));
	return loaded === 1 ? l10n.t('loaded') : l10n.t('all {0} loaded', wholeNumber(loaded));
}

/** `3 of 957 tools loaded · −99%`: what every view says of a chat. */
export function loadedWords({ loaded, tools, sent: sentTokens, everything, room }: LoadedFacts): string {
	if (tools === 0) return l10n.t('no tools yet');
	const saving = savedPercent(sentTokens, everything);
	return [
		l10n.t('{0} of {1} loaded', wholeNumber(loaded), toolCount(tools)),
		...(saving === undefined ? [] : [saving]),
		...(room !== null && room <= shownRoom ? [roomWords(room)] : []),
	].join(' · ');
}

function roomWords(room: number): string {
	return room > 0 ? l10n.t('room for {0} more', room) : l10n.t('no room for more');
}

/** `−96%`: how much smaller requests are; `undefined`: not smaller. At most `−99%`: something is always sent. */
function savedPercent(sent: number, everything: number): string | undefined {
	const percent = Math.max(-99, Math.round((sent / everything - 1) * 100));
	return percent < 0 ? `−${-percent}%` : undefined;
}

export function loadedIn({ costs, cap, active, always }: ContextReport): LoadedFacts {
	return {
		loaded: always.length + active.length,
		tools: costs.everything.tools,
		sent: costs.sent.tokens,
		everything: costs.everything.tokens,
		room: cap === null ? null : cap - active.length,
	};
}
