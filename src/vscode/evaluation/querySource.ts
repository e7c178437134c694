import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { QueryFile } from '../../discovery/evaluation/labelledQuery.ts';
import { pastQueries } from '../../discovery/evaluation/pastQueries.ts';
import { readQueryFile } from '../../discovery/evaluation/queryFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { exampleQueries } from './exampleQueries.ts';
import { queryCount } from './verdict.ts';

/** Labelled queries, and where they are from. */
export interface QuerySource extends QueryFile {
	/** A file's name, or words. */
	readonly title: string;
}

interface SourceItem extends vscode.QuickPickItem {
	readonly read?: () => Promise<QuerySource | undefined>;
}

const filePattern = '**/*.queries.{json,jsonc,jsonl,ndjson,csv,tsv}';
const shownFiles = 20;
const exampleName = 'search.queries.jsonc';

/** Asks the user what to evaluate on; nothing where there is nothing to evaluate yet. */
export async function chooseQueries(hub: DiscoveryHub): Promise<QuerySource | undefined> {
	const files = await vscode.workspace.findFiles(filePattern, '**/node_modules/**', shownFiles);
	const items: SourceItem[] = [
		...files.map((uri) => ({
			label: vscode.workspace.asRelativePath(uri),
			iconPath: new vscode.ThemeIcon('file'),
			read: () => readFile(uri),
		})),
		...(files.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
		{
			label: l10n.t('Choose File…'),
			iconPath: new vscode.ThemeIcon('folder-opened'),
			detail: l10n.t('JSON, JSON Lines or CSV'),
			read: chooseFile,
		},
		{
			label: l10n.t('From My Past Chats…'),
			iconPath: new vscode.ThemeIcon('history'),
			detail: l10n.t('What was searched for and said, with the tools that were called afterwards'),
			read: () => fromPastChats(hub),
		},
		...(files.some(isExample) ? [] : [exampleItem(hub)]),
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t('Evaluate Search'),
		placeHolder: l10n.t('Choose the queries to put to the search, each with the tools it should find'),
	});
	return picked?.read?.();
}

function exampleItem(hub: DiscoveryHub): SourceItem {
	return {
		label: l10n.t('Create an Example File'),
		iconPath: new vscode.ThemeIcon('new-file'),
		detail: l10n.t('{0}, with some of your tools', exampleName),
		read: () => createExample(hub),
	};
}

/** Whether a file stands where the example would be created. */
function isExample(uri: vscode.Uri): boolean {
	return uri.toString() === exampleUri()?.toString();
}

function exampleUri(): vscode.Uri | undefined {
	const folder = vscode.workspace.workspaceFolders?.[0];
	return folder && vscode.Uri.joinPath(folder.uri, exampleName);
}

/** Reads labelled queries from a file, with unsaved changes. */
export async function readFile(uri: vscode.Uri): Promise<QuerySource> {
	const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
	const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { title: vscode.workspace.asRelativePath(uri), ...readQueryFile(uri.path, text) };
}

async function chooseFile(): Promise<QuerySource | undefined> {
	const filters = { [l10n.t('Queries')]: ['json', 'jsonc', 'jsonl', 'ndjson', 'csv', 'tsv'] };
	const title = l10n.t('Choose a File of Labelled Queries');
	const chosen = await vscode.window.showOpenDialog({ title, filters });
	return chosen?.[0] && readFile(chosen[0]);
}

/** What people have said is used only after they have agreed, each time. */
async function fromPastChats(hub: DiscoveryHub): Promise<QuerySource | undefined> {
	const queries = pastQueries(hub.chats.map(({ discovery }) => discovery.timeline));
	if (queries.length === 0)
		throw new Error(l10n.t('no chat of this window has called a tool for something that was asked.'));
	const detail = [
		l10n.t(
			'Your messages and the words of searches in the chats of this window, cut to 120 characters, become {0}; the tools that were called afterwards count as right.',
			queryCount(queries.length),
		),
		l10n.t(
			'The report shows them. They stay in this window: nothing is written to a file, and nothing is sent anywhere.',
		),
	].join('\n\n');
	const evaluate = l10n.t('Evaluate');
	const agreed = await vscode.window.showInformationMessage(
		l10n.t('Evaluate search on what was asked in your chats?'),
		{ modal: true, detail },
		evaluate,
	);
	return agreed === evaluate ? { title: l10n.t('your past chats'), queries, faults: [] } : undefined;
}

async function createExample(hub: DiscoveryHub): Promise<undefined> {
	const uri = exampleUri();
	if (!uri) throw new Error(l10n.t('open a folder first, where the file can be created.'));
	const creation = new vscode.WorkspaceEdit();
	const { deferred } = hub.surface();
	const searched = deferred.length > 0 ? deferred : hub.catalog.tools;
	const contents = new TextEncoder().encode(exampleQueries(searched));
	creation.createFile(uri, { ignoreIfExists: true, contents });
	await vscode.workspace.applyEdit(creation);
	await vscode.window.showTextDocument(uri);
}
