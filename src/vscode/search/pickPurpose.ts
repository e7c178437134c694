import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount, toolCount } from '../../chat/counts.ts';
import { commands } from '../ids.ts';
import { isLoaded, type ToolNode } from '../servers/treeNodes.ts';
import type { ToolRow } from './pickRows.ts';
import { chatScope, type SearchScope, serversScope } from './searchScope.ts';

/** What a quick pick of tools is opened for. */
export interface PickPurpose {
	readonly title: string;
	/** What stands in the empty input, for that many tools and servers. */
	readonly placeholder: (tools: number, servers: number) => string;
	/** What is said where no tool is known. */
	readonly nothing: string;
	readonly scope: SearchScope;
	/** What Enter does with a tool. */
	readonly take: (row: ToolRow) => Promise<void>;
}

/** How long the status bar says what Enter did. */
const messageMs = 5000;

/** To look around, and load what is found: Enter never unloads, for to choose a tool and lose it thereby would surprise. */
export function loadingPurpose(): PickPurpose {
	return {
		title: l10n.t('Search Tools'),
		placeholder: (tools, servers) =>
			l10n.t(
				'Find a tool; Enter loads it for the last used chat ({0}, {1})',
				toolCount(tools),
				serverCount(servers),
			),
		nothing: l10n.t(
			'there is nothing to search: no tool is known yet. Servers tell their tools once you have approved them.',
		),
		scope: chatScope,
		take: ({ label, node }) => load(label, node),
	};
}

/** To run a tool by hand. */
export function runningPurpose(): PickPurpose {
	return {
		title: l10n.t('Run Tool'),
		placeholder: (tools, servers) =>
			l10n.t(
				'Find a tool; Enter asks for parameters and runs it ({0}, {1})',
				toolCount(tools),
				serverCount(servers),
			),
		nothing: l10n.t(
			'nothing to run: no tool is known yet. Servers tell their tools once you have approved them.',
		),
		scope: serversScope,
		take: async ({ node }) => {
			await vscode.commands.executeCommand(commands.runTool, node);
		},
	};
}

async function load(label: string, node: ToolNode): Promise<void> {
	if (isLoaded(node.state)) {
		vscode.window.setStatusBarMessage(l10n.t('Discovery: {0} is loaded already.', label), messageMs);
	} else {
		await vscode.commands.executeCommand(commands.loadTool, node);
	}
}
