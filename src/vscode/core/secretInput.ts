import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serversReading } from '../../config/missingReferences.ts';
import { secretNameFault } from '../../config/secrets/environmentNames.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { labelText } from '../ui/labelText.ts';
import { offerAgain } from '../ui/messages.ts';
import type { Configuration } from './configuration.ts';
import type { SecretVariables } from './secretVariables.ts';

/**
 * Stores a secret for servers of a file, and asks for its value unless it is given. Says which servers read it, and offers to start servers that may
 * have failed without it.
 */
export async function enterServerSecret(
	name: string,
	file: vscode.Uri,
	{
		configFile,
		secrets,
		pool,
	}: { readonly configFile: Configuration; readonly secrets: SecretVariables; readonly pool: ServerPool },
	value?: string,
): Promise<void> {
	const text = (await configFile.current(file))?.text ?? '';
	const ofFile = configFile.fileAt(file);
	if (!ofFile) throw new Error(l10n.t('{0} is not a configuration file.', file.fsPath));
	const readers = serversReading(text, name).flatMap((key) => configFile.serverIn(ofFile, key)?.name ?? []);
	const stoppedReaders = readers.filter((server) => {
		const status = pool.server(server);
		return !status || status.state.kind === 'failed';
	});
	const entered = value ?? (await typeSecret(name));
	if (!entered || secretNameFault(name)) return;
	await secrets.store(ofFile.folder, [{ name, value: entered }]);
	const servers = labelText(readers.join(', '));
	const start = async () => {
		// The configuration may not have been read with the secret yet.
		await configFile.reload();
		await Promise.all(stoppedReaders.map((server) => pool.start(server)));
	};
	offerAgain(
		readers.length > 0
			? l10n.t('{0} is stored. Servers that read it: {1}.', name, servers)
			: l10n.t('{0} is stored. No server reads it yet.', name),
		stoppedReaders.length > 0 ? start : undefined,
	);
}

function typeSecret(name: string): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: l10n.t('Enter Secret {0}', name),
		prompt: l10n.t('Stored in VS Code’s secret storage for servers of this configuration.'),
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? l10n.t('Enter a value.') : undefined),
	});
}
