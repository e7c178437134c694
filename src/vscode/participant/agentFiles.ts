import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentFault, AgentList } from '../../chat/agents/agent.ts';
import { agentList, type ParsedAgent, parseAgent } from '../../chat/agents/agent.ts';
import { errorMessage } from '../../common/errors.ts';
import { OutsideError, realPathIn } from '../../common/insideFolder.ts';
import { readBytes } from '../ui/textFiles.ts';

/** Folders of agent files, highest precedence first, and how the files' names end. */
const places = [
	{ folder: '.github/agents', ending: '.agent.md' },
	{ folder: '.claude/agents', ending: '.md' },
];
/** Limits on the files, and on the bytes of one. */
const maxFiles = 50;
const maxBytes = 64 * 1024;

interface ReadFile {
	/** Modification time and size. */
	readonly version: string;
	readonly parsed: ParsedAgent;
}

/** The agents of the workspace. A file is read again only after it changed. */
export class AgentFiles implements vscode.Disposable {
	#read = new Map<string, ReadFile>();
	readonly #diagnostics = vscode.languages.createDiagnosticCollection('mcpDiscovery.agents');
	readonly #onSave: vscode.Disposable;

	constructor() {
		this.#onSave = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
			if (this.#read.has(uri.toString())) void this.list();
		});
	}

	/** The agents now. Marks errors in their files. Empty in an untrusted workspace. */
	async list(): Promise<AgentList> {
		const uris = vscode.workspace.isTrusted ? await agentUris() : [];
		const read = new Map(
			await Promise.all(
				uris.slice(0, maxFiles).map(async (uri) => [uri.toString(), await this.#file(uri)] as const),
			),
		);
		this.#read = read;
		const list = agentList([...read.values()].map(({ parsed }) => parsed));
		this.#mark(uris, list.faults);
		const [first] = uris.slice(maxFiles);
		if (!first) return list;
		const message = l10n.t('There are {0} agent files. Only the first {1} are used.', uris.length, maxFiles);
		return { ...list, faults: [...list.faults, fault(first, message)] };
	}

	dispose(): void {
		this.#onSave.dispose();
		this.#diagnostics.dispose();
	}

	async #file(uri: vscode.Uri): Promise<ReadFile> {
		try {
			const { mtime, size } = await vscode.workspace.fs.stat(uri);
			const version = `${mtime} ${size}`;
			const cached = this.#read.get(uri.toString());
			if (cached?.version === version) return cached;
			return { version, parsed: await parsedFile(uri, size) };
		} catch (error) {
			const reason = errorMessage(error);
			return {
				version: '',
				parsed: { ok: false, fault: fault(uri, l10n.t('Cannot read the file: {0}', reason)) },
			};
		}
	}

	#mark(uris: readonly vscode.Uri[], faults: readonly AgentFault[]): void {
		this.#diagnostics.clear();
		const byFile = Map.groupBy(faults, ({ file }) => file);
		for (const uri of uris) this.#diagnostics.set(uri, (byFile.get(nameOf(uri)) ?? []).map(diagnostic));
	}
}

/** Agent files of all workspace folders, highest precedence first, then by folder and name. */
async function agentUris(): Promise<vscode.Uri[]> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const listings = places.flatMap(({ folder, ending }) =>
		folders.map(({ uri }) => filesIn(uri, folder, ending)),
	);
	return (await Promise.all(listings)).flat();
}

/** The files of a folder; the folder itself if it leads out of the workspace, so that reading it reports that. */
async function filesIn(within: vscode.Uri, path: string, ending: string): Promise<vscode.Uri[]> {
	const folder = vscode.Uri.joinPath(within, path);
	try {
		if (folder.scheme === 'file') await realPathIn(within.fsPath, folder.fsPath);
		const entries = await vscode.workspace.fs.readDirectory(folder);
		return entries
			.filter(([name, type]) => (type & vscode.FileType.File) !== 0 && name.endsWith(ending))
			.map(([name]) => name)
			.sort()
			.map((name) => vscode.Uri.joinPath(folder, name));
	} catch (error) {
		// Most workspaces have no such folder.
		return error instanceof OutsideError ? [folder] : [];
	}
}

async function parsedFile(uri: vscode.Uri, size: number): Promise<ParsedAgent> {
	if (size > maxBytes) {
		const message = l10n.t('The file has {0} bytes. The limit is {1}.', size, maxBytes);
		return { ok: false, fault: fault(uri, message) };
	}
	const text = textOf(await readBytes(uri, { within: vscode.workspace.getWorkspaceFolder(uri)?.uri }));
	return text === undefined
		? { ok: false, fault: fault(uri, l10n.t('The file is not UTF-8. Save it with that encoding.')) }
		: await parseAgent({ file: nameOf(uri), text });
}

function textOf(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function nameOf(uri: vscode.Uri): string {
	return vscode.workspace.asRelativePath(uri);
}

function fault(uri: vscode.Uri, message: string): AgentFault {
	return { file: nameOf(uri), line: 1, column: 1, message };
}

function diagnostic({ line, column, message }: AgentFault): vscode.Diagnostic {
	const start = new vscode.Position(line - 1, column - 1);
	const range = new vscode.Range(start, new vscode.Position(line - 1, Number.MAX_SAFE_INTEGER));
	const warning = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
	warning.source = 'Discovery';
	return warning;
}
