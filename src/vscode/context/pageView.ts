import type { ChatSessions } from '../../chat/sessions.ts';
import { type HabitSummary, habitSummary } from '../../discovery/habits/habitSummary.ts';
import type { Proposal } from '../../discovery/habits/rules.ts';
import { type ContextReport, contextReport } from '../../discovery/report.ts';
import { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { Services } from '../../services.ts';

/** What the context page has to show. Plain JSON: it goes to a window of its own. */
export type PageView =
	/** The configuration is being read. */
	| { readonly kind: 'loading' }
	| { readonly kind: 'untrusted' }
	/** No configuration file, or one that cannot be read. */
	| { readonly kind: 'none' | 'broken' }
	| {
			readonly kind: 'report';
			/** Of the last used chat; before there is one, of one in which nothing has happened. */
			readonly report: ContextReport;
			/** The best first. */
			readonly suggestions: readonly Proposal[];
			/** What past chats add up to. */
			readonly past: HabitSummary;
			/** What was unloaded last and can be loaded again: `server:tool`. */
			readonly undo?: string;
	  };

/** What the extension tells the page. */
export interface PageMessage {
	readonly kind: 'show';
	readonly view: PageView;
	readonly titles: CommandTitles;
}

/** What the page offers besides; each is a command of the palette. */
export type PageCommand =
	| 'addServer'
	| 'ask'
	| 'createConfig'
	| 'importServers'
	| 'openConfig'
	| 'openWalkthrough'
	| 'enableDiscovery'
	| 'trust';

/** What the page's commands are called, in the user's language. */
export type CommandTitles = Readonly<Record<PageCommand, string>>;

/** What the page asks of the extension. */
export type PageRequest =
	/** It is there, and has nothing to show yet. */
	| { readonly kind: 'ready' }
	| { readonly kind: 'export' }
	| { readonly kind: 'unload' | 'pin'; readonly wireName: string }
	| { readonly kind: 'undo' }
	/** `id`: of the suggestion. */
	| { readonly kind: 'take' | 'dismiss'; readonly id: string }
	| { readonly kind: 'run'; readonly command: PageCommand };

/** What a view is made from. */
interface ViewSources {
	readonly sessions: ChatSessions;
	readonly undo: Services['undo'];
	readonly habits: Pick<Services['learning']['habits'], 'suggestions' | 'habits'>;
	readonly trusted: boolean;
	readonly configuration: Services['configFile']['state']['kind'];
}

/** What there is to show now. */
export function pageView({ sessions, undo, habits, trusted, configuration }: ViewSources): PageView {
	if (!trusted) return { kind: 'untrusted' };
	if (configuration !== 'ok') return { kind: configuration };
	const unloaded = sessions.current && undo.lastUnload(sessions.current)?.tool.id;
	return {
		kind: 'report',
		report: contextReport(sessions.current?.discovery ?? new DiscoverySession(sessions.currentSurface)),
		suggestions: habits.suggestions(),
		past: habitSummary(habits.habits),
		...(unloaded !== undefined && { undo: unloaded }),
	};
}
