import * as vscode from 'vscode';
import type { QueryFile } from '../../discovery/evaluation/labelledQuery.ts';
import { pastQueries } from '../../discovery/evaluation/pastQueries.ts';
import { readQueryFile } from '../../discovery/evaluation/queryFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { exampleQueries } from './exampleQueries.ts';

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
			label: `$(file) ${vscode.workspace.asRelativePath(uri)}`,
			read: () => readFile(uri),
		})),
		...(files.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
		{ label: '$(folder-opened) Choose File…', detail: 'JSON, JSON Lines or CSV', read: chooseFile },
		{
			label: '$(history) From My Past Chats…',
			detail: 'What was searched for and said, with the tools that were called afterwards',
			read: () => fromPastChats(hub),
		},
		{
			label: '$(new-file) Create an Example File',
			detail: `${exampleName}, with some of your tools`,
			read: () => createExample(hub),
		},
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: 'Evaluate Search',
		placeHolder: 'Queries, each with the tools that should be found for it',
	});
	return picked?.read?.();
}

/** Reads labelled queries from a file, with unsaved changes. */
export async function readFile(uri: vscode.Uri): Promise<QuerySource> {
	const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
	const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { title: vscode.workspace.asRelativePath(uri), ...readQueryFile(uri.path, text) };
}

async function chooseFile(): Promise<QuerySource | undefined> {
	const filters = { Queries: ['json', 'jsonc', 'jsonl', 'ndjson', 'csv', 'tsv'] };
	const chosen = await vscode.window.showOpenDialog({ title: 'Choose a File of Labelled Queries', filters });
	return chosen?.[0] && readFile(chosen[0]);
}

/** What people have said is used only after they have agreed, each time. */
async function fromPastChats(hub: DiscoveryHub): Promise<QuerySource | undefined> {
	const queries = pastQueries(hub.chats.map(({ discovery }) => discovery.timeline));
	if (queries.length === 0)
		throw new Error('no chat of this window has called a tool for something that was asked.');
	const detail = [
		`Your messages and the words of searches in the chats of this window, cut to 120 characters, become ${queries.length === 1 ? '1 query' : `${queries.length} queries`}; the tools that were called afterwards count as right.`,
		'The report shows them. They stay in this window: nothing is written to a file, and nothing is sent anywhere.',
	].join('\n\n');
	const agreed = await vscode.window.showInformationMessage(
		'Evaluate search on what was asked in your chats?',
		{ modal: true, detail },
		'Evaluate',
	);
	return agreed === 'Evaluate' ? { title: 'your past chats', queries, faults: [] } : undefined;
}

async function createExample(hub: DiscoveryHub): Promise<undefined> {
	const folder = vscode.workspace.workspaceFolders?.[0];
	if (!folder) throw new Error('open a folder first, where the file can be created.');
	const uri = vscode.Uri.joinPath(folder.uri, exampleName);
	const creation = new vscode.WorkspaceEdit();
	const { deferred } = hub.surface();
	const searched = deferred.length > 0 ? deferred : hub.catalog.tools;
	const contents = new TextEncoder().encode(exampleQueries(searched));
	creation.createFile(uri, { ignoreIfExists: true, contents });
	await vscode.workspace.applyEdit(creation);
	await vscode.window.showTextDocument(uri);
}
