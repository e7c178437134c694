import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { plain } from '../../common/markdown.ts';
import type { ForbiddenServers } from '../core/mcpAccess.ts';
import { commands } from '../ui/ids.ts';
import { commandButton } from '../ui/messages.ts';

/** What keeps a message from being answered. */
export type Obstacle =
	| 'untrusted'
	| 'loading'
	| 'noFolder'
	| 'none'
	| 'broken'
	| 'noServers'
	| 'unapproved'
	| 'disabled'
	| 'forbidden';

/** What a message is answered with instead, and buttons that remove the obstacle. `forbidden`: servers that VS Code's settings block. */
export function helpWith(
	obstacle: Obstacle,
	forbidden: ForbiddenServers,
): { readonly words: readonly string[]; readonly buttons: readonly vscode.Command[] } {
	const bans = forbidden.texts.map((text) => plain(text));
	// Opens the user's settings that forbid servers.
	const settings: vscode.Command = {
		command: 'workbench.action.openSettings',
		title: l10n.t('Open Settings'),
		arguments: ['chat.mcp.access'],
	};
	const ofBans = forbidden.isUsers ? [settings] : [];
	switch (obstacle) {
		case 'untrusted': {
			const manage = { command: 'workbench.trust.manage', title: l10n.t('Manage Workspace Trust') };
			return {
				words: [l10n.t('MCP servers do not start until you trust this workspace.')],
				buttons: [manage],
			};
		}
		case 'loading':
			return {
				words: [l10n.t('The configuration is still loading. Try again in a moment.')],
				buttons: [],
			};
		// The same text and buttons as in the Servers view of a window without a folder.
		case 'noFolder': {
			const text = l10n.t(
				'Open a folder to connect MCP servers, or create your own configuration, which applies in all workspaces.',
			);
			// VS Code's own command, whose title cannot be looked up.
			const open = { command: 'vscode.openFolder', title: l10n.t('Open Folder') };
			return { words: [text], buttons: [open, commandButton(commands.openConfig)] };
		}
		case 'none': {
			const text = l10n.t(
				'This workspace has no {0} yet, so there are no MCP servers to search.',
				'`casual_mcp_config.json`',
			);
			const ways = [commands.addServer, commands.openConfig];
			return { words: [text], buttons: ways.map((command) => commandButton(command)) };
		}
		case 'broken': {
			const text = l10n.t(
				'The configuration cannot be read, so no MCP servers start. The errors are marked in the file.',
			);
			return { words: [text], buttons: [commandButton(commands.openConfig)] };
		}
		case 'noServers':
			return {
				words: [l10n.t('The configuration has no server that can start.')],
				buttons: [commandButton(commands.addServer), commandButton(commands.openConfig)],
			};
		case 'unapproved': {
			const text = l10n.t('MCP servers start only after you approve them.');
			return { words: [...bans, text], buttons: [commandButton(commands.reviewServers), ...ofBans] };
		}
		case 'disabled': {
			const text =
				forbidden.count > 0 ? l10n.t('All other servers are disabled.') : l10n.t('All servers are disabled.');
			return { words: [...bans, text], buttons: [commandButton(commands.enable), ...ofBans] };
		}
		case 'forbidden':
			return { words: bans, buttons: ofBans };
	}
}
