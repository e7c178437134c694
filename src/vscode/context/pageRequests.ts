import * as vscode from 'vscode';
import { assertNever } from '../../discovery/assertNever.ts';
import type { SuggestionSource } from '../../discovery/habits/suggestion.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { toolNodes } from '../servers/treeNodes.ts';
import { exportContext } from './exports/exportFile.ts';
import type { PageCommand, PageRequest, PageView } from './messages.ts';

/** What requests of the page act on. */
interface RequestParts {
	readonly hub: DiscoveryHub;
	readonly habits: SuggestionSource;
}

const commandIds: Readonly<Record<PageCommand, string>> = {
	ask: commands.ask,
	createConfig: commands.createConfig,
	importServers: commands.importServers,
	openConfig: commands.openConfig,
	openWalkthrough: commands.openWalkthrough,
	enableDiscovery: commands.enableDiscovery,
	trust: 'workbench.trust.manage',
};

/** Does what the page asks for. What acts on tools goes through the same commands as everywhere else. `view`: what there is now. */
export async function answerRequest(
	request: Exclude<PageRequest, { kind: 'ready' }>,
	view: PageView,
	{ hub, habits }: RequestParts,
): Promise<void> {
	switch (request.kind) {
		case 'export':
			if (view.kind === 'report') await exportContext(view.report, request.format);
			return;
		case 'unload':
			return onTool(hub, request.wireName, commands.unloadTool);
		case 'pin':
			return onTool(hub, request.wireName, commands.pinTool);
		case 'undo':
			await vscode.commands.executeCommand(commands.undoUnload);
			return;
		case 'take':
		case 'dismiss': {
			const suggestion = habits.suggestions().find(({ id }) => id === request.id);
			if (suggestion) await habits[request.kind](suggestion);
			return;
		}
		case 'run':
			await vscode.commands.executeCommand(commandIds[request.command]);
			return;
		default:
			assertNever(request);
	}
}

/** A tool that has gone meanwhile is left alone. */
async function onTool(hub: DiscoveryHub, wireName: string, command: string): Promise<void> {
	const node = toolNodes(hub).find(({ tool }) => tool.wireName === wireName);
	if (node) await vscode.commands.executeCommand(command, node);
}
