import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { noDrafts } from '../../config/add/draftsOf.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import { type ImportPlaces, productOf } from '../../config/import/importSources.ts';
import { type VariableScope, withSecrets } from '../../config/secrets/variables.ts';
import type { Approvals } from '../core/approvals.ts';
import { showError } from '../ui/messages.ts';
import { type AddedServers, type AddServices, addDrafts, chooseTarget } from './addedServers.ts';
import { askName } from './addQuestions.ts';
import {
	type FoundFile,
	findForeignFiles,
	importPlaces,
	readForeignFile,
	withEnvFiles,
	workspaceFolderOf,
} from './foreignFiles.ts';
import { offerNextSteps } from './nextSteps.ts';
import { type PickerContent, pickServers } from './serverPicker.ts';

type AddContext = AddServices & {
	readonly globalStorage: vscode.Uri;
	readonly approvals: Approvals;
	/** Shows servers in the review, and resolves when the review is closed. */
	readonly review: (servers: readonly string[]) => Promise<void>;
};

/**
 * Adds servers that the user pastes, or that other programs have: asks for missing values, writes the entries as one change that can be
 * undone, and shows them in the review. Nothing runs before the user approves it there.
 */
export async function addServers(services: AddContext): Promise<void> {
	const added = await chooseAndAdd(services);
	// The rest waits for the user, and must not keep the command from running again.
	if (added)
		reviewAdded(added, services)
			.then(() => offerNextSteps(added, services))
			.catch(showError);
}

async function chooseAndAdd(services: AddContext): Promise<AddedServers | undefined> {
	const target = await chooseTarget(l10n.t('Select the configuration to add the servers to'), services);
	if (!target) return undefined;
	const places = importPlaces(services.globalStorage);
	const scope = withSecrets(target.scope);
	const files = await withEnvFiles(await findForeignFiles(places), scope);
	const content: PickerContent = { value: '', pasted: noDrafts, files, ticked: new Set() };
	for (;;) {
		const choice = await pickServers(content, target, places);
		if (choice.kind === 'cancelled') return undefined;
		if (choice.kind === 'otherFile') {
			content.files = await withOtherFile(content.files, places, scope);
			continue;
		}
		const drafts = choice.kind === 'servers' ? choice.drafts : await withNewName(choice);
		const added = drafts ? await addDrafts(drafts, target, services) : 'back';
		if (added !== 'back') return added === 'cancelled' ? undefined : added;
	}
}

/** `undefined`: the user wants to go back. */
async function withNewName({
	draft,
	others,
}: {
	readonly draft: ServerDraft;
	readonly others: readonly ServerDraft[];
}): Promise<readonly ServerDraft[] | undefined> {
	const name = await askName(draft.name);
	return name === undefined ? undefined : [...others, { ...draft, name }];
}

/** The files and the file that the user chooses, which is read again if it was among them. */
async function withOtherFile(
	files: readonly FoundFile[],
	{ home }: ImportPlaces,
	scope: VariableScope,
): Promise<readonly FoundFile[]> {
	const chosen = await vscode.window.showOpenDialog({
		title: l10n.t('Import Servers from a File'),
		openLabel: l10n.t('Import'),
		defaultUri: vscode.Uri.file(home),
		filters: { JSON: ['json', 'jsonc'], [l10n.t('All Files')]: ['*'] },
	});
	const path = chosen?.[0]?.fsPath;
	if (path === undefined) return files;
	const folder = workspaceFolderOf(path);
	const product = productOf(path);
	const file = await readForeignFile({
		path,
		...(product !== undefined && { product }),
		...(folder !== undefined && { folder }),
	});
	if (!file) return files;
	const others = files.filter(({ source }) => source.path !== path);
	return [...(await withEnvFiles([file], scope)), ...others];
}

/** Shows what was added in the review; resolves when all of it is approved or the review is closed. */
async function reviewAdded(
	{ order: { uri, servers } }: AddedServers,
	{ configFile, approvals, review }: AddContext,
): Promise<void> {
	const file = configFile.fileAt(uri);
	const unapproved = () =>
		servers
			.flatMap(({ name }) => configFile.serverIn(file, name) ?? [])
			.flatMap(({ name, launch }) => (launch && !approvals.isApproved(name, launch) ? [name] : []));
	const names = unapproved();
	if (names.length === 0) return;
	const approved = Promise.withResolvers<void>();
	const listener = approvals.onDidChange(() => {
		if (unapproved().length === 0) approved.resolve();
	});
	await Promise.race([review(names), approved.promise]);
	listener.dispose();
}
