import * as vscode from 'vscode';
import { settings } from '../ui/ids.ts';
import { showError } from '../ui/messages.ts';

/** Whether the user lets other agents use the servers. A workspace cannot set it. */
export function isGatewayOn(): boolean {
	return vscode.workspace.getConfiguration(settings.section).get(settings.gateway) === true;
}

/** Opens and closes the gateway with its setting. Without it nothing is loaded. */
export function registerGateway(
	app: () => Promise<{ readonly gateway: { apply(): Promise<void> } }>,
): vscode.Disposable {
	const apply = async () => (await app()).gateway.apply();
	if (isGatewayOn() && vscode.workspace.isTrusted) apply().catch(showError);
	return vscode.Disposable.from(
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration(`${settings.section}.${settings.gateway}`)) apply().catch(showError);
		}),
		vscode.workspace.onDidGrantWorkspaceTrust(() => {
			if (isGatewayOn()) apply().catch(showError);
		}),
	);
}
