import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { serversReading } from '../../config/missingReferences.ts';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';
import { offerAgain } from './offerAgain.ts';
import { enterSecret } from './secretInput.ts';

/** Characters of the servers' names in a message. */
const namesLength = 100;

/**
 * Stores a secret that servers of a file read, and asks for its value unless that is given. Says which servers read it, and offers to start those that
 * do not run, perhaps for lack of it.
 */
export async function enterServerSecret(
	name: string,
	file: vscode.Uri,
	{ configFile, keyring: { secrets }, pool }: Pick<Services, 'configFile' | 'keyring' | 'pool'>,
	value?: string,
): Promise<void> {
	const text = (await configFile.current(file))?.text ?? '';
	const reading = serversReading(text, name).flatMap((server) => configFile.nameOf(file, server) ?? []);
	const waiting = reading.filter((server) => {
		const status = pool.servers().find((one) => one.name === server);
		return !status || status.state.kind === 'failed';
	});
	const folder = configFile.folderOf(file);
	if (value !== undefined) await secrets.store(folder, [{ name, value }]);
	else if (!(await enterSecret(name, folder, secrets))) return;
	const servers = labelText(reading.join(', '), namesLength);
	const start = async () => {
		// It may not have been read with the secret yet.
		await configFile.reload();
		await Promise.all(waiting.map((server) => pool.start(server)));
	};
	offerAgain(
		reading.length > 0
			? l10n.t('{0} is stored. Servers that read it: {1}.', name, servers)
			: l10n.t('{0} is stored. No server reads it yet.', name),
		waiting.length > 0 ? start : undefined,
	);
}
