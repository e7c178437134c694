import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { pastQueries, pastSearches } from '../../discovery/evaluation/pastQueries.ts';
import { type QuerySource, readQueryFile } from '../../discovery/evaluation/queryFile.ts';
import { commands } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';
import { openDocument } from '../ui/readingEditor.ts';
import { readBytes } from '../ui/textFiles.ts';
import { exampleQueries } from './exampleQueries.ts';
import { queryCount } from './searchReport.ts';

interface SourceItem extends vscode.QuickPickItem {
	readonly read?: () => Promise<QuerySource | undefined>;
}

const filePattern = '**/*.queries.{json,jsonc,jsonl,ndjson}';
const mostFiles = 20;
const exampleName = 'search.queries.jsonc';

function queryFiles(): Thenable<vscode.Uri[]> {
	return vscode.workspace.findFiles(filePattern, '**/node_modules/**', mostFiles);
}

/** Asks which queries to evaluate. `undefined`: none, or an example file was created instead. */
export async function chooseQueries(sessions: ChatSessions): Promise<QuerySource | undefined> {
	const files = await queryFiles();
	const example = exampleUri()?.toString();
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
			detail: l10n.t('JSON or JSON Lines'),
			read: chooseFile,
		},
		{
			label: l10n.t('From My Past Chats…'),
			iconPath: new vscode.ThemeIcon('history'),
			detail: l10n.t('Your messages and searches, with the tools that were then called'),
			read: () => fromPastChats(sessions),
		},
		...(files.some((uri) => uri.toString() === example)
			? []
			: [
					{
						label: l10n.t('Create Example File'),
						iconPath: new vscode.ThemeIcon('new-file'),
						detail: l10n.t('{0}, with some of your tools', exampleName),
						read: () => createExample(sessions),
					},
				]),
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.evaluateSearch),
		placeHolder: l10n.t('Select the queries to evaluate search with'),
	});
	return picked?.read?.();
}

/** The workspace's query files. If they hold no queries, the searches of this window's chats: the user agreed to those with the teaching. */
export async function queriesForTeaching(sessions: ChatSessions): Promise<readonly QuerySource[]> {
	const files = await Promise.all(
		(await queryFiles()).map((uri) =>
			readFile(uri).catch((error: unknown) => ({
				title: vscode.workspace.asRelativePath(uri),
				queries: [],
				faults: [{ line: 1, message: failureText(error) }],
			})),
		),
	);
	if (files.some(({ queries }) => queries.length > 0)) return files;
	const queries = pastSearches(timelinesOf(sessions));
	return [...files, { title: l10n.t('your chats’ searches'), queries, faults: [] }];
}

function timelinesOf({ chats }: ChatSessions) {
	return chats.map(({ discovery }) => discovery.log.timeline);
}

/** Reads an open file with its unsaved changes. */
async function readFile(uri: vscode.Uri): Promise<QuerySource> {
	const text = openDocument(uri)?.getText() ?? new TextDecoder().decode(await readBytes(uri));
	return { title: vscode.workspace.asRelativePath(uri), ...readQueryFile(uri.path, text) };
}

async function chooseFile(): Promise<QuerySource | undefined> {
	const filters = { [l10n.t('Queries')]: ['json', 'jsonc', 'jsonl', 'ndjson'] };
	const title = l10n.t('Choose a File of Labeled Queries');
	const chosen = await vscode.window.showOpenDialog({ title, filters });
	return chosen?.[0] && readFile(chosen[0]);
}

/** Asks for consent each time: the report shows what people said. */
async function fromPastChats(sessions: ChatSessions): Promise<QuerySource | undefined> {
	const queries = pastQueries(timelinesOf(sessions));
	if (queries.length === 0) throw new Error(l10n.t('no chat in this window has called a tool yet.'));
	const evaluate = l10n.t('Evaluate');
	const agreed = await vscode.window.showInformationMessage(
		l10n.t('Evaluate search on your chats?'),
		{
			modal: true,
			detail: l10n.t(
				'Uses {0}: your messages and searches in this window, each cut to 120 characters, with the tools that were then called. The report shows them. Nothing is saved or sent.',
				queryCount(queries.length),
			),
		},
		evaluate,
	);
	return agreed === evaluate ? { title: l10n.t('your past chats'), queries, faults: [] } : undefined;
}

function exampleUri(): vscode.Uri | undefined {
	const folder = vscode.workspace.workspaceFolders?.[0];
	return folder && vscode.Uri.joinPath(folder.uri, exampleName);
}

async function createExample(sessions: ChatSessions): Promise<undefined> {
	const uri = exampleUri();
	if (!uri) throw new Error(l10n.t('open a folder first.'));
	const creation = new vscode.WorkspaceEdit();
	const { deferred } = sessions.surface();
	const tools = deferred.length > 0 ? deferred : sessions.catalog.tools;
	const contents = new TextEncoder().encode(exampleQueries(tools));
	creation.createFile(uri, { ignoreIfExists: true, contents });
	await vscode.workspace.applyEdit(creation);
	await vscode.window.showTextDocument(uri);
}
