import * as vscode from 'vscode';
import { variablesIn } from '../../config/serverVariables.ts';
import { withSecrets } from '../../config/variables.ts';
import { type ConfigFile, folderOf } from '../config/configFile.ts';
import { commands } from '../ids.ts';
import { enterSecret } from '../keys/manageSecrets.ts';
import type { AppliedImport, ImportOrder, ImportParts } from './appliedImport.ts';
import { importText } from './importRows.ts';

/** Says what was imported, with what it still needs and the way back, until the user has had enough. */
export function offerNextSteps(applied: AppliedImport, order: ImportOrder, parts: ImportParts): void {
	takeNextSteps(applied, order, parts).catch((error: unknown) => {
		const reason = error instanceof Error ? error.message : String(error);
		void vscode.window.showErrorMessage(`Discovery: ${reason}`);
	});
}

async function takeNextSteps(applied: AppliedImport, order: ImportOrder, parts: ImportParts): Promise<void> {
	const { configFile } = parts;
	const enter = 'Enter Values…';
	const turnOn = 'Turn On Discovery';
	const undo = 'Undo';
	for (;;) {
		const unset = await unsetVariables(order, configFile);
		const isOff = configFile.state.kind === 'ok' && !configFile.state.config.policy.enabled;
		const text = importText(order.servers, { outcome: applied.outcome, unset, isOff });
		const buttons = [...(unset.length > 0 ? [enter] : []), ...(isOff ? [turnOn] : []), undo];
		const chosen = await vscode.window.showInformationMessage(`Discovery: ${text}`, ...buttons);
		if (chosen === undo) return applied.undo();
		if (chosen === turnOn) {
			await vscode.commands.executeCommand(commands.enableDiscovery);
			await applied.include();
		} else if (chosen === enter) {
			await enterValues(unset, applied, parts);
		} else {
			return;
		}
	}
}

/** Variables that imported servers read, and that nothing sets. */
async function unsetVariables({ servers }: ImportOrder, configFile: ConfigFile): Promise<readonly string[]> {
	const current = await configFile.current();
	const env = current ? withSecrets(current.scope).env : {};
	return variablesIn(servers.map(({ server }) => server.entry)).filter((name) => env[name] === undefined);
}

async function enterValues(
	names: readonly string[],
	applied: AppliedImport,
	{ configFile, secrets }: ImportParts,
): Promise<void> {
	const uri = (await configFile.current())?.uri;
	if (!uri) return;
	const folder = folderOf(uri);
	for (const name of names) {
		if (!(await enterSecret(name, folder, secrets))) return;
		await applied.include(() => secrets.remove(folder, [name]));
	}
}
