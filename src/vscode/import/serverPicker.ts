import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exactText } from '../../common/exactText.ts';
import { nameList } from '../../common/nameList.ts';
import { guessedServers, type PackageKind, readPasted } from '../../config/add/pasted.ts';
import { withPlacesAsInputs } from '../../config/add/proposal.ts';
import { type Drafts, launchText, type ServerDraft } from '../../config/add/serverDraft.ts';
import { convertServers } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import { type ImportPlaces, products } from '../../config/import/importSources.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import { cannotChange } from '../ui/fileChanges.ts';
import { commands } from '../ui/ids.ts';
import { showInput } from '../ui/inputs/quickInputs.ts';
import { dialogTitle } from '../ui/messages.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { keepOrder } from '../ui/unsupported.ts';
import type { FoundFile } from './foreignFiles.ts';
import { type AddRow, foundRows, oneOfEachName, pastedFaultRow, serverRow, shownPath } from './importRows.ts';

/** What the list shows, kept while another dialog is in front of it. */
export interface PickerContent {
	/** What is in the box. */
	value: string;
	/** What was read from it, or from the clipboard if it was pasted: the box, which has one line, drops line breaks. */
	pasted: Drafts;
	files: readonly FoundFile[];
	ticked: ReadonlySet<ServerDraft>;
}

type PickerChoice =
	| { readonly kind: 'servers'; readonly drafts: readonly ServerDraft[] }
	/** The user wants to add `draft` under another name. `others`: the other drafts that are ticked. */
	| { readonly kind: 'rename'; readonly draft: ServerDraft; readonly others: readonly ServerDraft[] }
	/** The user wants to choose a file somewhere else. */
	| { readonly kind: 'otherFile' }
	| { readonly kind: 'cancelled' };

interface ServerItem extends vscode.QuickPickItem {
	readonly row: AddRow;
	/** What to add, if the row can be ticked. */
	readonly draft?: ServerDraft;
	readonly buttons?: readonly RowButton[];
}

interface RowButton extends vscode.QuickInputButton {
	/** Absent: the button renames the server. The list stays open while the others open files and show notes. */
	readonly run?: () => void;
}

/** Lets the user paste what a readme says, and tick servers of other programs. One server of each name can be ticked. */
export async function pickServers(
	content: PickerContent,
	target: CurrentText,
	places: ImportPlaces,
): Promise<PickerChoice> {
	const planned = (drafts: readonly ServerDraft[]) => planDrafts(drafts, target, places.platform);
	const fileItems = foundItems(content.files, planned, (path) => shownPath(path, places));
	/** An empty list would not say whether anything was looked for. */
	const nothingFound =
		fileItems.length === 0
			? l10n.t('No servers of other programs were found. Looked for those of {0}.', nameList(products))
			: '';
	const pick = vscode.window.createQuickPick<ServerItem>();
	keepOrder(pick);
	pick.placeholder = l10n.t('Paste a command, URL, JSON or readme, or select servers');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.buttons = [{ iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: l10n.t('Choose File…') }];
	const draw = () => {
		pick.items = [...pastedItems(content.pasted, planned), ...fileItems];
		pick.selectedItems = pick.items.filter(({ draft }) => draft && content.ticked.has(draft));
	};
	const read = (text: string) => {
		const tickedDrafts = fileItems.flatMap(({ draft }) =>
			draft && content.ticked.has(draft) ? [draft] : [],
		);
		content.pasted = readPasted(text);
		content.ticked = new Set([...tickedDrafts, ...content.pasted.servers]);
		draw();
		tick(pick.selectedItems);
	};
	const tick = (items: readonly ServerItem[]) => {
		const ticked = oneOfEachName(items, ({ draft }) => draft !== undefined && content.ticked.has(draft));
		content.ticked = new Set(ticked.flatMap(({ draft }) => draft ?? []));
		// The editor gives each row a check box, also rows of faults.
		if (ticked.length < items.length) pick.selectedItems = ticked;
	};
	pick.onDidChangeSelection(tick);
	pick.onDidChangeValue(async (value) => {
		const grown = value.length - content.value.length;
		content.value = value;
		pick.prompt = value === '' ? nothingFound : '';
		read(value);
		if (grown < minPasteLength) return;
		const copied = await vscode.env.clipboard.readText().then(undefined, () => '');
		// The clipboard has the line breaks, if it is what was pasted just now.
		if (content.value === value && /[\r\n]/.test(copied) && isJoined(copied, value)) read(copied);
	});
	pick.value = content.value;
	if (content.value === '') pick.prompt = nothingFound;
	draw();
	const reply = await showInput<PickerChoice>(pick, { title: dialogTitle(commands.addServer) }, (answer) => {
		pick.onDidTriggerButton(() => answer({ kind: 'otherFile' }));
		pick.onDidAccept(() => {
			const drafts = draftsIn(pick.selectedItems);
			if (drafts.length > 0) answer({ kind: 'servers', drafts });
			else if (draftsIn(pick.items).length > 0) pick.prompt = l10n.t('Select at least one server.');
		});
		pick.onDidTriggerItemButton(({ item, button }) => {
			const pressed = item.buttons?.find((candidate) => candidate === button);
			if (pressed?.run) return pressed.run();
			const others = draftsIn(pick.selectedItems.filter((other) => other !== item));
			for (const draft of draftsIn([item])) answer({ kind: 'rename', draft, others });
		});
	});
	return reply.kind === 'answer' ? reply.answer : { kind: 'cancelled' };
}

/** UTF-16 units: a value that grows by this many at once was pasted, not typed. */
const minPasteLength = 8;

/** Whether `value` is `copied` with its line breaks dropped or replaced by spaces. */
function isJoined(copied: string, value: string): boolean {
	return copied.replace(/\s+/g, '') === value.replace(/\s+/g, '');
}

/** A readme has placeholders. The file of a working program has none, only folders that look like one. */
function draftsIn(items: readonly ServerItem[]): readonly ServerDraft[] {
	return items.flatMap(({ draft, alwaysShow }) =>
		draft ? [alwaysShow ? withPlacesAsInputs(draft) : draft] : [],
	);
}

interface PlannedDraft {
	readonly draft: ServerDraft;
	readonly planned: PlannedServer;
}

/** What adding all of these drafts would do, identical ones once. */
function planDrafts(
	drafts: readonly ServerDraft[],
	{ uri, text, scope }: CurrentText,
	platform: NodeJS.Platform,
): readonly PlannedDraft[] {
	const full = withSecrets(scope);
	const servers = convertServers(drafts, { env: full.env, platform });
	const plan = planImport(servers, text, full);
	if (!plan) throw cannotChange(uri);
	const draftOf = new Map(servers.map((server, index) => [server, drafts[index]]));
	return plan.servers.flatMap((planned) => {
		const draft = draftOf.get(planned.server);
		return draft ? [{ planned, draft }] : [];
	});
}

/** The rows of the text, which stay whatever is typed. Several ways to run a server have its name: each is planned alone. */
function pastedItems(
	{ servers, faults, words }: Drafts,
	planned: (drafts: readonly ServerDraft[]) => readonly PlannedDraft[],
): readonly ServerItem[] {
	const kinds: Readonly<Record<PackageKind, string>> = {
		npm: l10n.t('npm package'),
		python: l10n.t('Python package'),
		container: l10n.t('Docker image'),
	};
	const item = (draft: ServerDraft, guess?: string) =>
		planned([withPlacesAsInputs(draft)]).map(({ planned: plan }) => {
			const runs = plan.server.secrets.reduce(
				(text, { name, value }) => text.replaceAll(value, () => `\${env:${name}}`),
				launchText(draft.entry, exactWord),
			);
			const row = serverRow(plan, guess ?? '', runs);
			return { ...itemOf({ ...row, isGuess: guess !== undefined }, draft), alwaysShow: true };
		});
	return [
		...servers.flatMap((draft) => item(draft)),
		...faults.map((fault) => ({ ...itemOf(pastedFaultRow(fault)), alwaysShow: true })),
		...guessedServers(words ?? '').flatMap(({ kind, server }) => item(server, kinds[kind])),
	];
}

function foundItems(
	files: readonly FoundFile[],
	planned: (drafts: readonly ServerDraft[]) => readonly PlannedDraft[],
	readablePath: (path: string) => string,
): readonly ServerItem[] {
	const plans = planned(files.flatMap(({ servers }) => servers));
	const rows = foundRows(
		files.map(({ source, faults }) => ({
			source,
			faults,
			servers: plans.flatMap(({ draft, planned }) => (draft.source === source ? [planned] : [])),
		})),
		readablePath,
	);
	return rows.map((row) =>
		itemOf(
			row,
			row.kind === 'server' ? plans.find(({ planned }) => planned === row.planned)?.draft : undefined,
		),
	);
}

/** A word of a command or a URL, as exact as in the review; a missing value appears as `<name>`. */
function exactWord(word: string): string {
	return exactText(word).replace(/\$\{input:([^{}]*)\}/g, '<$1>');
}

function itemOf(row: AddRow, draft?: ServerDraft): ServerItem {
	if (row.kind === 'heading') return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
	const { label, description, detail, notes, path } = row;
	const canBeTicked = row.kind === 'server' && row.isSelectable;
	const icon = row.kind === 'fault' ? 'warning' : canBeTicked ? 'server' : 'check';
	const rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename…') };
	const showNotes: RowButton = {
		iconPath: new vscode.ThemeIcon('info'),
		tooltip: notes,
		// The only message that shows all of a long text at once.
		run: () => void vscode.window.showInformationMessage(label, { modal: true, detail: notes }),
	};
	const openFile = (file: string): RowButton => ({
		iconPath: new vscode.ThemeIcon('go-to-file'),
		tooltip: l10n.t('Open File'),
		run: () =>
			void vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true, preserveFocus: true }),
	});
	const buttons = [
		...(canBeTicked ? [rename] : []),
		...(notes === '' ? [] : [showNotes]),
		...(path === undefined ? [] : [openFile(path)]),
	];
	const iconPath = new vscode.ThemeIcon(icon);
	return { row, label, description, detail, iconPath, buttons, ...(canBeTicked && draft && { draft }) };
}
