import * as vscode from 'vscode';
import { withDotenvVariables } from '../../config/dotenvText.ts';
import type { ConfigEdits } from '../../config/edit.ts';
import type { ImportedSecret } from '../../config/import/importedServer.ts';
import { type ImportPlan, type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { smallestEdit } from '../../config/textEdit.ts';
import { withSecrets } from '../../config/variables.ts';
import { type ConfigFile, type CurrentText, folderOf } from '../config/configFile.ts';
import type { SecretVariables } from '../keys/secretVariables.ts';
import { changeFile, type Undo } from './fileBeside.ts';
import { withIgnored } from './gitIgnore.ts';
import type { SecretPlace } from './secretChoice.ts';

/** What is imported, as the user has decided it. */
export interface ImportOrder {
	readonly servers: readonly PlannedServer[];
	readonly secrets: readonly ImportedSecret[];
	readonly place: SecretPlace;
	/** `.env` is to be written into `.gitignore`. */
	readonly ignoreDotenv: boolean;
}

/** What an import works on. */
export interface ImportParts {
	readonly configFile: ConfigFile;
	readonly secrets: SecretVariables;
}

/** An import that has been done, and can be taken back as a whole while the configuration is as it left it. */
export class AppliedImport {
	/** `unsaved`: the configuration had unsaved changes, and takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	readonly #parts: ImportParts;
	readonly #target: CurrentText;
	/** What goes with the change of the configuration: the last is taken back first. */
	readonly #undos: Undo[];
	#after: string | undefined;

	private constructor(
		outcome: 'saved' | 'unsaved',
		parts: ImportParts,
		target: CurrentText,
		undos: readonly Undo[],
	) {
		this.outcome = outcome;
		this.#parts = parts;
		this.#target = target;
		this.#undos = [...undos];
	}

	/** Stores the secrets and then writes the configuration, so that servers find theirs; nothing of it stays if a part fails. */
	static async apply(order: ImportOrder, target: CurrentText, parts: ImportParts): Promise<AppliedImport> {
		const undos: Undo[] = [];
		try {
			await keepSecrets(order, target.uri, parts.secrets, undos);
			const outcome = await writeConfiguration(order.servers, target, parts.configFile);
			const applied = new AppliedImport(outcome, parts, target, undos);
			await applied.include();
			return applied;
		} catch (error) {
			await takeBack(undos);
			throw error;
		}
	}

	/** Makes the configuration as it is now part of the import, and something else that was done for it. */
	async include(undo?: Undo): Promise<void> {
		if (undo) this.#undos.push(undo);
		this.#after = (await this.#parts.configFile.current())?.text;
	}

	/** Takes the whole import back. Throws, with nothing changed, if the configuration has been changed since. */
	async undo(): Promise<void> {
		const { configFile } = this.#parts;
		const { uri, text: before } = this.#target;
		const now = await configFile.current();
		if (now?.text !== this.#after) {
			throw new Error(`${uri.fsPath} has changed since the import: take the servers out of it by hand.`);
		}
		if (before === undefined) {
			const edit = new vscode.WorkspaceEdit();
			edit.deleteFile(uri, { ignoreIfNotExists: true });
			await applyEdit(edit, uri);
			await configFile.reload();
		} else {
			await configFile.edit((text) => smallestEdit(text, before));
		}
		await takeBack(this.#undos);
	}
}

async function takeBack(undos: readonly Undo[]): Promise<void> {
	for (const undo of undos.toReversed()) await undo();
}

async function keepSecrets(
	{ secrets, place, ignoreDotenv }: ImportOrder,
	uri: vscode.Uri,
	storage: SecretVariables,
	undos: Undo[],
): Promise<void> {
	if (secrets.length === 0 || place === 'nowhere') return;
	const folder = folderOf(uri);
	if (place === 'storage') {
		const known = await storage.values(folder);
		const added = secrets.filter(({ name, value }) => known[name] !== value);
		const names = added.map(({ name }) => name);
		undos.push(() => storage.remove(folder, names));
		await storage.store(folder, added);
		return;
	}
	const beside = (name: string) => vscode.Uri.joinPath(uri, '..', name);
	if (ignoreDotenv) {
		undos.push(await changeFile(beside('.gitignore'), (text) => withIgnored(text, '.env')));
	}
	undos.push(await changeFile(beside('.env'), (text) => withDotenvVariables(text, secrets)));
}

/** Opens the file, so that the change is seen and can be undone in the editor, too. */
async function writeConfiguration(
	planned: readonly PlannedServer[],
	{ uri, text, scope }: CurrentText,
	configFile: ConfigFile,
): Promise<'saved' | 'unsaved'> {
	const servers = planned.map(({ server }) => server);
	const plan = (now: string | undefined) => planImport(servers, now, withSecrets(scope));
	if (text !== undefined) {
		await vscode.window.showTextDocument(uri, { preview: false });
		await configFile.reload();
		return configFile.edit((now) => editsOf(plan(now), now));
	}
	const change = plan(undefined)?.change;
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(change?.kind === 'create' ? change.text : '') });
	await applyEdit(edit, uri);
	await configFile.reload();
	await vscode.window.showTextDocument(uri, { preview: false });
	return 'saved';
}

function editsOf(plan: ImportPlan | undefined, text: string): ConfigEdits {
	if (!plan) return undefined;
	return plan.change.kind === 'create' ? smallestEdit(text, plan.change.text) : plan.change.edits;
}

async function applyEdit(edit: vscode.WorkspaceEdit, uri: vscode.Uri): Promise<void> {
	if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${uri.fsPath} could not be changed.`);
}
