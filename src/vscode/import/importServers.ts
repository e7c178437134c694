import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import { convertServers } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { type ImportPlaces, importSources, productOf } from '../../config/import/importSources.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { RunAction } from '../actions/action.ts';
import { cannotChange } from '../ui/fileChanges.ts';
import { commands } from '../ui/ids.ts';
import { asked } from '../ui/inputs/quickInputs.ts';
import { commandTitle, dialogTitle, showError } from '../ui/messages.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { type AddedServers, type AddServices, addDrafts, chooseTarget } from './addedServers.ts';
import {
	type FoundFile,
	findForeignFiles,
	importPlaces,
	readForeignFile,
	withEnvFiles,
	workspaceFolderOf,
} from './foreignFiles.ts';
import { type ImportRow, importRows, shownPath } from './importRows.ts';
import { offerNextSteps } from './nextSteps.ts';

/** Copies servers that the user chooses from files of other programs into the configuration, as one change that can be undone. */
export async function importServers(
	services: AddServices & { readonly globalStorage: vscode.Uri },
): Promise<void> {
	const target = await chooseTarget(l10n.t('Select the configuration to add the servers to'), services);
	if (!target) return;
	const added = await addFromFiles(target, importPlaces(services.globalStorage), services);
	// It waits for the user, and must not keep the command from running again.
	if (added) offerNextSteps(added, services).catch(showError);
}

async function addFromFiles(
	target: CurrentText,
	places: ImportPlaces,
	services: AddServices,
): Promise<AddedServers | undefined> {
	const scope = withSecrets(target.scope);
	let files = await withEnvFiles(await findForeignFiles(places), scope);
	for (;;) {
		const choice = await choose(files, target, places, services.run);
		if (choice.kind === 'cancelled') return undefined;
		if (choice.kind === 'import') {
			const added = await addDrafts(choice.drafts, target, services);
			if (added === 'back') continue;
			return added === 'cancelled' ? undefined : added;
		}
		const other = await chooseOtherFile(places);
		if (other) {
			const others = files.filter(({ source }) => source.path !== other.source.path);
			files = [...others, ...(await withEnvFiles([other], scope))];
		} else if (files.length === 0) return undefined;
	}
}

async function choose(
	files: readonly FoundFile[],
	{ uri, text, scope }: CurrentText,
	places: ImportPlaces,
	run: RunAction,
): Promise<ServerChoice> {
	const full = withSecrets(scope);
	const { platform } = places;
	const drafts = files.flatMap((file) => file.servers);
	const servers = convertServers(drafts, { env: full.env, platform });
	const plan = planImport(servers, text, full);
	if (!plan) throw cannotChange(uri);
	const isAllThere = plan.servers.every(({ state }) => state === 'present');
	if (isAllThere) return sayNothingToImport(files, places, text === undefined ? run : undefined);
	const planned = files.map(({ source, faults }) => ({
		source,
		faults,
		servers: plan.servers.filter(({ server }) => server.source === source),
	}));
	const chosen = await pickServers(importRows(planned, (path) => shownPath(path, places)));
	if (chosen === 'otherFile') return { kind: 'otherFile' };
	const taken = new Set(chosen.map(({ server }) => server));
	const chosenDrafts = drafts.filter((_, index) => servers[index] && taken.has(servers[index]));
	return chosenDrafts.length > 0 ? { kind: 'import', drafts: chosenDrafts } : { kind: 'cancelled' };
}

/** Says that there is nothing new, or which files were looked for, and offers another file. `run`: where no configuration exists, opens an example. */
async function sayNothingToImport(
	files: readonly FoundFile[],
	places: ImportPlaces,
	run: RunAction | undefined,
): Promise<ServerChoice> {
	const count = files.reduce((sum, { servers }) => sum + servers.length, 0);
	const open = commandTitle(commands.openConfig);
	const choose = l10n.t('Choose File…');
	const faults = files.flatMap(({ source, faults }) =>
		faults.map((fault) => `${shownPath(source.path, places)}: ${fault}`),
	);
	const programs = new Set(importSources(places).flatMap(({ product }) => product ?? []));
	const looked = l10n.t('Looked for the files of {0}.', [...programs].join(', '));
	const text =
		count > 0
			? l10n.t('Nothing new to import: {0} found, all already configured.', serverCount(count))
			: l10n.t('No servers found in other programs.');
	const detail = [...faults, ...(count > 0 ? [] : [looked])].join('\n');
	const buttons = run ? [choose, open] : [choose];
	const chosen = await vscode.window.showInformationMessage(text, { modal: true, detail }, ...buttons);
	if (chosen === open) await run?.('openConfig');
	return chosen === choose ? { kind: 'otherFile' } : { kind: 'cancelled' };
}

async function chooseOtherFile({ home }: ImportPlaces): Promise<FoundFile | undefined> {
	const chosen = await vscode.window.showOpenDialog({
		title: l10n.t('Import Servers from a File'),
		openLabel: l10n.t('Import'),
		defaultUri: vscode.Uri.file(home),
		filters: { JSON: ['json', 'jsonc'], [l10n.t('All Files')]: ['*'] },
	});
	const path = chosen?.[0]?.fsPath;
	if (path === undefined) return undefined;
	const folder = workspaceFolderOf(path);
	const product = productOf(path);
	return readForeignFile({
		path,
		...(product !== undefined && { product }),
		...(folder !== undefined && { folder }),
	});
}

type ServerChoice =
	| { readonly kind: 'import'; readonly drafts: readonly ServerDraft[] }
	/** The user wants to choose a file somewhere else. */
	| { readonly kind: 'otherFile' }
	| { readonly kind: 'cancelled' };

interface RowItem extends vscode.QuickPickItem {
	readonly row: ImportRow;
	readonly buttons?: readonly RowButton[];
}

interface RowButton extends vscode.QuickInputButton {
	readonly run: () => void;
}

/** The list stays open while its buttons open files and show notes. */
async function pickServers(rows: readonly ImportRow[]): Promise<readonly PlannedServer[] | 'otherFile'> {
	const pick = vscode.window.createQuickPick<RowItem>();
	pick.placeholder = l10n.t('Select servers to copy into the configuration');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.buttons = [{ iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: l10n.t('Choose File…') }];
	pick.items = rows.map((row) => itemOf(row));
	pick.selectedItems = pick.items.filter(({ row }) => row.kind === 'server' && row.selected);
	// The editor gives each row a check box, also rows of faults.
	pick.onDidChangeSelection((items) => {
		const selectable = items.filter(({ row }) => row.kind === 'server' && row.selectable);
		if (selectable.length < items.length) pick.selectedItems = selectable;
	});
	pick.onDidTriggerItemButton(({ item, button }) => item.buttons?.find((one) => one === button)?.run());
	const reply = await asked<readonly PlannedServer[] | 'otherFile'>(
		pick,
		{ title: dialogTitle(commands.addServer) },
		(answer) => {
			pick.onDidTriggerButton(() => answer('otherFile'));
			pick.onDidAccept(() =>
				answer(
					pick.selectedItems.flatMap(({ row }) =>
						row.kind === 'server' && row.selectable ? [row.planned] : [],
					),
				),
			);
		},
	);
	return reply.kind === 'answer' ? reply.answer : [];
}

function itemOf(row: ImportRow): RowItem {
	if (row.kind === 'heading') return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
	const { label, description, detail, notes } = row;
	const { path } = row.kind === 'server' ? row.planned.server.source : row.source;
	const icon = row.kind === 'fault' ? 'warning' : row.selectable ? 'server' : 'check';
	const showNotes: RowButton = {
		iconPath: new vscode.ThemeIcon('info'),
		tooltip: notes,
		// The only message that shows all of a long text at once.
		run: () => void vscode.window.showInformationMessage(label, { modal: true, detail: notes }),
	};
	const openFile: RowButton = {
		iconPath: new vscode.ThemeIcon('go-to-file'),
		tooltip: l10n.t('Open File'),
		run: () =>
			void vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true, preserveFocus: true }),
	};
	const buttons = notes === '' ? [openFile] : [showNotes, openFile];
	return { row, label, description, detail, iconPath: new vscode.ThemeIcon(icon), buttons };
}
