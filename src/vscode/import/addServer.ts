import * as l10n from '@vscode/l10n';
import { planAddition, proposalOf } from '../../config/add/proposal.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import type { Approvals } from '../core/approvals.ts';
import { chooseFile } from '../core/configChange.ts';
import { cannotChange } from '../ui/fileChanges.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, showError } from '../ui/messages.ts';
import { AddedServers, type AddServices } from './addedServers.ts';
import { askInputs, chooseServer, type TypedText } from './addQuestions.ts';
import { importServers } from './importServers.ts';
import { offerNextSteps } from './nextSteps.ts';

type AddContext = Parameters<typeof importServers>[0] & {
	readonly approvals: Approvals;
	/** Shows a server in the review, and resolves when the review is closed. */
	readonly review: (server: string) => Promise<void>;
};

/**
 * Adds a server from whatever names it, or those of other programs: asks for missing values, writes the entry as one change that can be
 * undone, and shows it in the review. Nothing runs before the user approves it there.
 */
export async function addServer(services: AddContext): Promise<void> {
	const typed: TypedText = { value: '' };
	for (;;) {
		const choice = await chooseServer(typed);
		if (choice.kind === 'cancelled') return;
		if (choice.kind === 'import') {
			return importServers(services);
		}
		const added = await addFound(choice.found, services);
		if (added === 'cancelled') return;
		if (added === 'back') continue;
		// The rest waits for the user, and must not keep the command from running again.
		reviewAdded(added, services)
			.then(() => offerNextSteps(added, services))
			.catch(showError);
		return;
	}
}

/** Asks for the file and for missing values, and writes the entry. `back`: the user wants to choose another server. */
async function addFound(
	found: ServerDraft,
	services: AddServices,
): Promise<'back' | 'cancelled' | AddedServers> {
	const { configFile } = services;
	const placeHolder = l10n.t('Select the configuration to add {0} to', labelText(found.name));
	const file = await chooseFile(services, { command: commands.addServer, placeHolder });
	const target = file && (await configFile.current(file.place.uri));
	if (!target) return 'back';
	const proposal = proposalOf(found, target.scope);
	const context = { scope: target.scope, platform: process.platform };
	// Before anything is asked: the answers would be lost.
	if (!planAddition(proposal, new Map(), target.text, context)) throw cannotChange(target.uri);
	const title = `${dialogTitle(commands.addServer)}: ${labelText(found.name)}`;
	const answers =
		proposal.asked.size > 0 ? await askInputs(title, proposal.asked) : new Map<string, string>();
	if (answers === 'back' || answers === 'cancelled') return answers;
	const plan = planAddition(proposal, answers, target.text, context);
	const planned = plan?.servers[0];
	if (!planned) throw cannotChange(target.uri);
	if (planned.state === 'present') {
		void notify(l10n.t('this server is already configured: {0}.', labelText(planned.name)));
		return 'cancelled';
	}
	const order = { uri: target.uri, servers: [planned], secrets: plan.secrets };
	const what = l10n.t('add {0}', labelText(planned.name));
	return AddedServers.write(what, order, target, services);
}

/** Shows what was added in the review; resolves when the server is approved or the review is closed. */
async function reviewAdded(
	{
		order: {
			uri,
			servers: [added],
		},
	}: AddedServers,
	{ configFile, approvals, review }: AddContext,
): Promise<void> {
	const { name, launch } = (added && configFile.serverIn(configFile.fileAt(uri), added.name)) ?? {};
	if (name === undefined || !launch || approvals.isApproved(name, launch)) return;
	const approved = Promise.withResolvers<void>();
	const listener = approvals.onDidChange(() => {
		if (approvals.isApproved(name, launch)) approved.resolve();
	});
	await Promise.race([review(name), approved.promise]);
	listener.dispose();
}
