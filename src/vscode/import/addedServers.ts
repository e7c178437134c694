import { applyEdits } from 'jsonc-parser';
import type * as vscode from 'vscode';
import type { ImportedSecret } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { Services } from '../../services.ts';
import { type ConfigChange, changeConfig, createConfigFile } from '../ui/configChange.ts';
import type { CurrentText } from '../ui/textFiles.ts';

/** Servers that the user has chosen to add. */
export interface ServersToAdd {
	/** The file that they are written into. */
	readonly uri: vscode.Uri;
	readonly servers: readonly PlannedServer[];
	readonly secrets: readonly ImportedSecret[];
}

export type AddServices = Pick<
	Services,
	'configFile' | 'keyring' | 'trust' | 'undo' | 'pool' | 'serverModels'
>;

type Undo = () => Promise<void>;

/** Servers that were added with their secrets and proposed permissions: one change, which can be undone as a whole. */
export class AddedServers {
	readonly order: ServersToAdd;
	/** `unsaved`: the configuration had unsaved changes, and takes effect when the user saves it. */
	readonly outcome: ConfigChange['outcome'];
	readonly #undoConfiguration: Undo;
	/** The last is undone first. */
	readonly #undos: readonly Undo[];
	#isUndone = false;

	private constructor(order: ServersToAdd, { outcome, undo }: ConfigChange, undos: readonly Undo[]) {
		this.order = order;
		this.outcome = outcome;
		this.#undoConfiguration = undo;
		this.#undos = undos;
	}

	/** Stores the secrets first, so that servers find them, and then writes the configuration. If a part fails, nothing remains. */
	static async write(
		what: string,
		order: ServersToAdd,
		target: CurrentText,
		services: AddServices,
	): Promise<AddedServers> {
		const {
			trust: { approvalPrompt, permissions },
			keyring: { secrets },
			configFile,
			undo,
		} = services;
		// Whoever adds servers leads to their review.
		using _expected = approvalPrompt.expect(order.servers.map(({ name }) => name));
		const undos: Undo[] = [];
		try {
			await keepSecrets(order, target, secrets, undos);
			await keepProposals(order, permissions, undos);
			const added = new AddedServers(order, await writeConfiguration(order, target, configFile), undos);
			undo.push({ what, holds: () => !added.isUndone, undo: () => added.undo() });
			return added;
		} catch (error) {
			await undoAll(undos);
			throw error;
		}
	}

	get isUndone(): boolean {
		return this.#isUndone;
	}

	/** Throws, with nothing changed, if the configuration has changed at that place since. */
	async undo(): Promise<void> {
		if (this.#isUndone) return;
		await this.#undoConfiguration();
		this.#isUndone = true;
		await undoAll(this.#undos);
	}
}

async function undoAll(undos: readonly Undo[]): Promise<void> {
	for (const undo of undos.toReversed()) await undo();
}

async function keepSecrets(
	{ secrets }: ServersToAdd,
	{ folder }: CurrentText,
	storage: Services['keyring']['secrets'],
	undos: Undo[],
): Promise<void> {
	const known = await storage.values(folder);
	const added = secrets.filter(({ name, value }) => known[name] !== value);
	if (added.length === 0) return;
	const names = added.map(({ name }) => name);
	undos.push(() => storage.remove(folder, names));
	await storage.store(folder, added);
}

/** Permissions of other programs are only proposed: they count once the user has decided. */
async function keepProposals(
	{ servers }: ServersToAdd,
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
	{ uri, servers: planned }: ServersToAdd,
	{ text, scope }: CurrentText,
	configFile: Services['configFile'],
): Promise<ConfigChange> {
	const servers = planned.map(({ server }) => server);
	const plan = (now: string | undefined) => planImport(servers, now, withSecrets(scope));
	const edits = text === undefined ? plan(undefined)?.edits : undefined;
	const created = edits && (await createConfigFile(configFile, uri, applyEdits('', [...edits])));
	const made = created ?? (await changeConfig(configFile, [{ uri, plan: (now) => plan(now)?.edits }]));
	return made ?? { outcome: 'saved', undo: async () => {} };
}
