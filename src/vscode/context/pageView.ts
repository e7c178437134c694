import type { ChatSessions } from '../../chat/sessions.ts';
import { type ContextReport, contextReport } from '../../discovery/report.ts';
import { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { NodeRef } from '../actions/action.ts';
import type { Configuration } from '../core/configuration.ts';
import type { UndoHistory } from '../core/undo.ts';
import type { CommandName } from '../ui/ids.ts';

/** The content of the context page. Plain JSON, because it goes to a webview. */
export type PageView =
	/** `none`: there is no configuration. `broken`: it cannot be read. */
	| { readonly kind: 'loading' | 'untrusted' | 'none' | 'broken' }
	| {
			readonly kind: 'report';
			/** Of the last used chat; without one, of an empty chat. */
			readonly report: ContextReport;
			/** What Undo would undo. */
			readonly undo?: string;
	  };

export interface PageMessage {
	readonly view: PageView;
	readonly titles: CommandTitles;
}

/** Actions that the page offers. */
export const pageActions = [
	'addServer',
	'ask',
	'openConfig',
	'openWalkthrough',
	'enableDiscovery',
	'pinServer',
	'undo',
	'unloadTool',
] as const satisfies readonly CommandName[];

/** `trust`: VS Code's own. */
export type PageCommand = (typeof pageActions)[number] | 'trust';

export type CommandTitles = Readonly<Record<PageCommand, string>>;

/** Requests of the page. */
export type PageRequest =
	/** The page is loaded and empty. */
	| { readonly kind: 'ready' }
	| { readonly kind: 'export' }
	| { readonly kind: 'run'; readonly command: PageCommand; readonly on?: NodeRef };

interface ViewSources {
	readonly sessions: ChatSessions;
	readonly undo: Pick<UndoHistory, 'next'>;
	readonly trusted: boolean;
	readonly configuration: Configuration['state']['kind'];
}

export function pageView({ sessions, undo, trusted, configuration }: ViewSources): PageView {
	if (!trusted) return { kind: 'untrusted' };
	if (configuration !== 'ok') return { kind: configuration };
	return {
		kind: 'report',
		report: contextReport(sessions.current?.discovery ?? new DiscoverySession(sessions.currentSurface)),
		...(undo.next && { undo: undo.next.what }),
	};
}
