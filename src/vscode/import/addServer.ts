import * as l10n from '@vscode/l10n';
import { withPlacesAsInputs } from '../../config/add/proposal.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import type { Approvals } from '../core/approvals.ts';
import { labelText } from '../ui/labelText.ts';
import { showError } from '../ui/messages.ts';
import { type AddedServers, type AddServices, addDrafts, chooseTarget } from './addedServers.ts';
import { chooseServer, type TypedText } from './addQuestions.ts';
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

/** Asks for the file, and adds the server. `back`: the user wants to choose another server. */
async function addFound(
	found: ServerDraft,
	services: AddServices,
): Promise<'back' | 'cancelled' | AddedServers> {
	const placeHolder = l10n.t('Select the configuration to add {0} to', labelText(found.name));
	const target = await chooseTarget(placeHolder, services);
	return target ? addDrafts([withPlacesAsInputs(found)], target, services) : 'back';
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
