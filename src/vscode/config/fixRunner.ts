import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigFix } from '../../config/fixes/configFix.ts';
import { withSecrets } from '../../config/variables.ts';
import { keyRequest } from '../keys/keyStore.ts';
import { enterSecret } from '../keys/manageSecrets.ts';
import { failureText } from '../labelText.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { folderOf } from './configFile.ts';
import { workspaceEdit } from './workspaceEdit.ts';

/** A fix that does more than change the file. */
export type EffectfulFix = Exclude<ConfigFix, { kind: 'edit' }>;

/** Does what a fix does beside the edit, and first: a value is kept before it leaves the file. */
export class FixRunner {
	readonly #parts: Pick<ConfigFeatureParts, 'configFile' | 'keys' | 'secrets'>;

	constructor(parts: Pick<ConfigFeatureParts, 'configFile' | 'keys' | 'secrets'>) {
		this.#parts = parts;
	}

	/** `version`: of the document that the fix was made for. What fails is told to the user. */
	async run(uri: vscode.Uri, version: number, fix: EffectfulFix): Promise<void> {
		try {
			await this.#run(uri, version, fix);
		} catch (error) {
			void vscode.window.showErrorMessage(l10n.t('Discovery: {0}', failureText(error)));
		}
	}

	async #run(uri: vscode.Uri, version: number, fix: EffectfulFix): Promise<void> {
		const { secrets } = this.#parts;
		switch (fix.kind) {
			case 'set-variable':
				if (fix.where === 'secrets') await enterSecret(fix.variable, folderOf(uri), secrets);
				else await openDotenv(uri, fix.variable);
				return;
			case 'store-variable': {
				const document = await unchanged(uri, version);
				await this.#checkFree(uri, fix);
				await secrets.store(folderOf(uri), [{ name: fix.variable, value: fix.value }]);
				await apply(document, fix.edits);
				say(l10n.t('Discovery: the value is stored as {0}, for the servers of this folder.', fix.variable));
				return;
			}
			case 'store-key': {
				const document = await unchanged(uri, version);
				await this.#storeKey(fix.client, fix.value);
				await apply(document, fix.edits);
				say(l10n.t('Discovery: the key of {0} is stored.', fix.client));
				return;
			}
		}
	}

	/** Since the fix was offered, its name may have come to stand for something else, which would be used in place of the value. */
	async #checkFree(
		uri: vscode.Uri,
		{ variable, value }: EffectfulFix & { kind: 'store-variable' },
	): Promise<void> {
		const { env } = withSecrets(await this.#parts.configFile.scopeOf(uri));
		const set = Object.hasOwn(env, variable) ? env[variable] : undefined;
		if (set !== undefined && set !== value)
			throw new Error(l10n.t('{0} has been set in the meantime; choose the fix again.', variable));
	}

	async #storeKey(name: string, key: string): Promise<void> {
		const { configFile, keys } = this.#parts;
		const client = configFile.state.kind === 'ok' ? configFile.state.config.clients.get(name) : undefined;
		if (!client) {
			throw new Error(l10n.t('save the file first, with no other fault in the client "{0}".', name));
		}
		await keys.store(keyRequest(client).origin, key);
	}
}

async function unchanged(uri: vscode.Uri, version: number): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument(uri);
	if (document.version !== version)
		throw new Error(l10n.t('the file has changed in the meantime; choose the fix again.'));
	return document;
}

async function apply(
	document: vscode.TextDocument,
	edits: Parameters<typeof workspaceEdit>[1],
): Promise<void> {
	if (await vscode.workspace.applyEdit(workspaceEdit(document, edits))) return;
	throw new Error(l10n.t('{0} could not be changed.', document.uri.fsPath));
}

/** Opens `.env` beside the file at its end, with the name of a variable that only lacks its value. */
async function openDotenv(config: vscode.Uri, variable: string): Promise<void> {
	const uri = vscode.Uri.joinPath(config, '..', '.env');
	const creation = new vscode.WorkspaceEdit();
	creation.createFile(uri, { ignoreIfExists: true });
	await vscode.workspace.applyEdit(creation);
	const editor = await vscode.window.showTextDocument(uri);
	const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
	const line = `${end.character === 0 ? '' : '\n'}${variable}=`;
	await editor.edit((edit) => edit.insert(end, line));
	const last = editor.document.lineAt(editor.document.lineCount - 1).range.end;
	editor.selection = new vscode.Selection(last, last);
	editor.revealRange(new vscode.Range(last, last));
}

function say(what: string): void {
	vscode.window.setStatusBarMessage(what, 5000);
}
