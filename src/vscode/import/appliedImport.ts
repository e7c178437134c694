import * as vscode from 'vscode';
import type { ConfigEdits } from '../../config/file/textEdit.ts';
import { smallestEdit } from '../../config/file/textEdit.ts';
import type { ImportedSecret } from '../../config/import/importedServer.ts';
import { type ImportPlan, type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { Services } from '../../services.ts';
import { type ConfigChange, changeConfig, changedSince } from '../ui/configChange.ts';
import { applyEdit, type CurrentText } from '../ui/textFiles.ts';

/** What is imported, as the user has decided it. */
export interface ImportOrder {
	readonly servers: readonly PlannedServer[];
	readonly secrets: readonly ImportedSecret[];
	/** Whether the configuration is left closed; else it is opened, so that the change is seen and can be undone there, too. */
	readonly isQuiet?: true;
}

/** What an import works on. */
export type ImportServices = Pick<Services, 'configFile' | 'keyring' | 'trust'>;

/** An import that has been done, and can be taken back as a whole as long as its place in the configuration is as it left it. */
export class AppliedImport {
	/** `unsaved`: the configuration had unsaved changes, and takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	readonly #undoConfiguration: Undo;
	/** What goes with the change of the configuration: the last is taken back first. */
	readonly #undos: Undo[];
	#isUndone = false;

	private constructor({ outcome, undo }: ConfigChange, undos: readonly Undo[]) {
		this.outcome = outcome;
		this.#undoConfiguration = undo;
		this.#undos = [...undos];
	}

	/** Stores the secrets and then writes the configuration, so that servers find theirs; nothing of it stays if a part fails. */
	static async apply(
		order: ImportOrder,
		target: CurrentText,
		services: ImportServices,
	): Promise<AppliedImport> {
		const undos: Undo[] = [];
		try {
			await keepSecrets(order, target, services.keyring.secrets, undos);
			await keepProposals(order, services.trust.permissions, undos);
			return new AppliedImport(await writeConfiguration(order, target, services.configFile), undos);
		} catch (error) {
			await takeBack(undos);
			throw error;
		}
	}

	/** It has been taken back. */
	get isUndone(): boolean {
		return this.#isUndone;
	}

	/** Makes something else that was done for the import part of it. */
	include(undo: Undo): void {
		this.#undos.push(undo);
	}

	/** Takes the whole import back. Throws, with nothing changed, if the configuration has been changed there since. */
	async undo(): Promise<void> {
		if (this.#isUndone) return;
		await this.#undoConfiguration();
		this.#isUndone = true;
		await takeBack(this.#undos);
	}
}

async function takeBack(undos: readonly Undo[]): Promise<void> {
	for (const undo of undos.toReversed()) await undo();
}

async function keepSecrets(
	{ secrets }: ImportOrder,
	{ folder }: CurrentText,
	storage: Services['keyring']['secrets'],
	undos: Undo[],
): Promise<void> {
	const known = await storage.values(folder);
	const added = secrets.filter(({ name, value }) => known[name] !== value);
	if (added.length === 0) return;
	undos.push(() =>
		storage.remove(
			folder,
			added.map(({ name }) => name),
		),
	);
	await storage.store(folder, added);
}

/** What other programs let these servers' tools do is proposed to the user; nothing of it counts before they have decided. */
async function keepProposals(
	{ servers }: ImportOrder,
	permissions: Services['trust']['permissions'],
	undos: Undo[],
): Promise<void> {
	const proposals = servers.flatMap(({ name, server: { source, decisions = [] } }) =>
		decisions.map((decision) => ({ ...decision, server: name, product: source.product })),
	);
	if (proposals.length === 0) return;
	undos.push(() => permissions.settle(proposals));
	await permissions.propose(proposals);
}

async function writeConfiguration(
	{ servers: planned, isQuiet }: ImportOrder,
	{ uri, text, scope }: CurrentText,
	configFile: Services['configFile'],
): Promise<ConfigChange> {
	const servers = planned.map(({ server }) => server);
	const plan = (now: string | undefined) => planImport(servers, now, withSecrets(scope));
	const show = async () => {
		if (!isQuiet) await vscode.window.showTextDocument(uri, { preview: false });
	};
	if (text === undefined) {
		const change = plan(undefined)?.change;
		const made = await createConfiguration(uri, change?.kind === 'create' ? change.text : '', configFile);
		await show();
		return made;
	}
	await show();
	await configFile.reload();
	const made = await changeConfig(configFile, (now) => editsOf(plan(now), now), uri);
	return made ?? { outcome: 'saved', undo: async () => {} };
}

/** Makes the file; that is taken back by deleting it. */
async function createConfiguration(
	uri: vscode.Uri,
	text: string,
	configFile: Services['configFile'],
): Promise<ConfigChange> {
	const creation = new vscode.WorkspaceEdit();
	creation.createFile(uri, { contents: new TextEncoder().encode(text) });
	await applyEdit(creation, uri);
	await configFile.reload();
	const undo = async () => {
		if ((await configFile.current(uri))?.text !== text) throw changedSince();
		const deletion = new vscode.WorkspaceEdit();
		deletion.deleteFile(uri, { ignoreIfNotExists: true });
		await applyEdit(deletion, uri);
		await configFile.reload();
	};
	return { outcome: 'saved', undo };
}

function editsOf(plan: ImportPlan | undefined, text: string): ConfigEdits {
	if (!plan) return undefined;
	return plan.change.kind === 'create' ? smallestEdit(text, plan.change.text) : plan.change.edits;
}

/** Takes back what was done. */
type Undo = () => Promise<void>;
