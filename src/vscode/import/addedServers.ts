import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { nameList } from '../../common/nameList.ts';
import { planAddition, proposalOf } from '../../config/add/proposal.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import type { ImportedSecret } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { RunAction } from '../actions/action.ts';
import type { ApprovalPrompt } from '../core/approvalPrompt.ts';
import { addToConfig, type ConfigChange, chooseFile } from '../core/configChange.ts';
import type { Configuration } from '../core/configuration.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import type { ServerModels } from '../core/serverModels.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import { cannotChange } from '../ui/fileChanges.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify } from '../ui/messages.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { askInputs } from './addQuestions.ts';

/** Servers that the user has chosen to add. */
export interface ServersToAdd {
	/** The file that they are written into. */
	readonly uri: vscode.Uri;
	readonly servers: readonly PlannedServer[];
	readonly secrets: readonly ImportedSecret[];
}

export type AddServices = {
	readonly configFile: Configuration;
	readonly secrets: SecretVariables;
	readonly approvalPrompt: ApprovalPrompt;
	readonly undo: UndoHistory;
	readonly pool: ServerPool;
	readonly serverModels: ServerModels;
	readonly run: RunAction;
};

/** Servers that were added with their secrets: one change, which can be undone as a whole. */
export class AddedServers implements UndoableChange {
	/** In a few words, for undo. */
	readonly label: string;
	readonly order: ServersToAdd;
	readonly #change: ConfigChange | undefined;
	#isUndone = false;

	private constructor(label: string, order: ServersToAdd, change: ConfigChange | undefined) {
		this.label = label;
		this.order = order;
		this.#change = change;
	}

	/** Stores the secrets first, so that servers find them, and then writes the configuration. If a part fails, nothing remains. */
	static async write(
		label: string,
		order: ServersToAdd,
		target: CurrentText,
		services: AddServices,
	): Promise<AddedServers> {
		const { approvalPrompt, secrets, configFile, undo } = services;
		// The command that adds servers opens their review.
		using _expected = approvalPrompt.expect(order.servers.map(({ name }) => name));
		const change = await addToConfig(configFile, target, plannedIn(order, target), [
			secrets.changing(target.folder, order.secrets),
		]);
		const added = new AddedServers(label, order, change);
		undo.push(added);
		return added;
	}

	/** `unsaved`: the configuration had unsaved changes, and takes effect when the user saves it. */
	get outcome(): ConfigChange['outcome'] {
		return this.#change?.outcome ?? 'saved';
	}

	get isUndone(): boolean {
		return this.#isUndone;
	}

	canUndo = (): boolean => !this.#isUndone;

	/** Rejects, with nothing changed, if the configuration has changed at that place since. */
	undo = async (): Promise<void> => {
		await this.#change?.undo();
		this.#isUndone = true;
	};
}

/** Asks for the configuration to add servers to, if there is a choice. */
export async function chooseTarget(
	placeHolder: string,
	{ configFile }: AddServices,
): Promise<CurrentText | undefined> {
	const file = await chooseFile({ configFile }, { command: commands.addServer, placeHolder });
	return file && configFile.current(file.place.uri);
}

/** Adds servers from any source: asks for missing values, and writes the entries as one change. `back`: the user wants to choose others. */
export async function addDrafts(
	drafts: readonly ServerDraft[],
	target: CurrentText,
	services: AddServices,
): Promise<'back' | 'cancelled' | AddedServers> {
	const context = { scope: target.scope, platform: process.platform };
	const proposal = proposalOf(drafts, context);
	// Before anything is asked: the answers would be lost.
	if (!planAddition(proposal, new Map(), target.text, context)) throw cannotChange(target.uri);
	const [first, second] = drafts;
	const all = first && !second ? labelText(first.name) : serverCount(drafts.length);
	const title = `${dialogTitle(commands.addServer)}: ${all}`;
	const answers =
		proposal.questions.size > 0 ? await askInputs(title, proposal.questions) : new Map<string, string>();
	if (answers === 'back' || answers === 'cancelled') return answers;
	const plan = planAddition(proposal, answers, target.text, context);
	if (!plan) throw cannotChange(target.uri);
	const servers = plan.servers.filter(({ state }) => state !== 'present');
	if (servers.length === 0) {
		const names = labelText(nameList(plan.servers.map(({ name }) => name)));
		void notify(l10n.t('already configured: {0}.', names));
		return 'cancelled';
	}
	const [planned] = servers;
	const label = planned && servers.length === 1 ? labelText(planned.name) : serverCount(servers.length);
	const order = { uri: target.uri, servers, secrets: plan.secrets };
	return AddedServers.write(l10n.t('add {0}', label), order, target, services);
}

function plannedIn({ servers: planned }: ServersToAdd, { scope }: CurrentText) {
	const servers = planned.map(({ server }) => server);
	return (text: string | undefined) => planImport(servers, text, withSecrets(scope))?.edits;
}
