import type { ChatSessions } from '../../chat/sessions.ts';
import { type ContextReport, contextReport } from '../../discovery/report.ts';
import { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { AgentUse, AgentUses } from '../../gateway/agentUses.ts';
import type { NodeRef } from '../actions/action.ts';
import type { Configuration } from '../core/configuration.ts';
import type { UndoHistory } from '../core/undo.ts';
import { agentTokens } from '../ui/agentTokens.ts';
import type { CommandName } from '../ui/ids.ts';

/** The content of the context page. Plain JSON, because it goes to a webview. */
export type PageView =
	/** `none`: there is no configuration. `broken`: it cannot be read. */
	| { readonly kind: 'loading' | 'untrusted' | 'none' | 'broken' }
	| {
			readonly kind: 'report';
			/** Of the last used chat; without one, of an empty chat. */
			readonly report: ContextReport;
			/** Other agents that have used this window, the last one first. */
			readonly agents: readonly ShownAgent[];
			/** What Undo would undo. */
			readonly undo?: string;
	  };

/** What another agent has used, and its tokens with the four tools and without. */
export interface ShownAgent
	extends Pick<AgentUse, 'name' | 'lastUse'>,
		Readonly<ReturnType<typeof agentTokens>> {
	/** The last used one first, with its calls. */
	readonly tools: readonly (readonly [id: string, calls: number])[];
	readonly isDisconnected: boolean;
}

export interface PageMessage {
	readonly view: PageView;
	readonly titles: CommandTitles;
}

/** Actions that the page offers. */
export const pageActions = [
	'addServer',
	'ask',
	'openConfig',
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
	| { readonly kind: 'connect' | 'disconnect'; readonly agent: string }
	| { readonly kind: 'run'; readonly command: PageCommand; readonly on?: NodeRef };

interface ViewSources {
	readonly sessions: ChatSessions;
	readonly agents: AgentUses;
	readonly undo: Pick<UndoHistory, 'next'>;
	readonly isTrusted: boolean;
	readonly configuration: Configuration['state']['kind'];
}

export function pageView({
	sessions,
	agents,
	undo,
	isTrusted: trusted,
	configuration,
}: ViewSources): PageView {
	if (!trusted) return { kind: 'untrusted' };
	if (configuration !== 'ok') return { kind: configuration };
	return {
		kind: 'report',
		report: contextReport(sessions.current?.discovery ?? new DiscoverySession(sessions.currentSurface)),
		agents: agents.all.map((use) => ({
			name: use.name,
			lastUse: use.lastUse,
			tools: [...use.tools].reverse(),
			isDisconnected: agents.isDisconnected(use.name),
			...agentTokens(use, sessions.serverTools),
		})),
		...(undo.next && { undo: undo.next.label }),
	};
}
