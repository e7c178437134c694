import * as vscode from 'vscode';
import { sha256 } from '../../common/digest.ts';
import type { Event } from '../../common/event.ts';
import { entryName, type ProgramStart } from '../../gateway/agents.ts';
import { type GatewayTools, gatewayDefinitions } from '../../gateway/gatewayTools.ts';
import { ids } from '../ui/ids.ts';

interface OfferParts {
	readonly start: ProgramStart;
	/** A folder of this window. */
	readonly folder: string;
	readonly tools: Pick<GatewayTools, 'services'>;
	/** The tools may have changed. */
	readonly onDidChange: Event<void>;
}

/**
 * Offers the gateway to the agents that VS Code runs outside the extension host. They start the same program as other agents do: VS Code stores
 * definitions, and hands them to those agents without asking us again, so a definition must hold no token, and stay right after a reload. The
 * folder is an argument, because these agents may work in a copy of it.
 */
export function offerToEditorAgents({ start, folder, tools, onDidChange }: OfferParts): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	/** VS Code keeps the list of tools until this changes. */
	const versionNow = async () => sha256(JSON.stringify(gatewayDefinitions(await tools.services())));
	let version: string | undefined;
	return vscode.Disposable.from(
		changed,
		onDidChange(async () => {
			if ((await versionNow()) !== version) changed.fire();
		}),
		vscode.lm.registerMcpServerDefinitionProvider(ids.gateway, {
			onDidChangeMcpServerDefinitions: changed.event,
			provideMcpServerDefinitions: async () => {
				version = await versionNow();
				const { command, args, env } = start;
				return [
					new vscode.McpStdioServerDefinition(entryName, command, [...args, folder], { ...env }, version),
				];
			},
		}),
	);
}
