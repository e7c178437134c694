import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf } from '../common/json.ts';
import { type Config, serverSections } from './config.ts';
import { readDocument } from './file/document.ts';
import { type Path, quoted } from './file/jsonPath.ts';
import { type ConfigProblem, ProblemReport } from './file/problemReport.ts';
import { suggestedName, withSuggestion } from './problemText.ts';
import { variablesIn } from './secrets/environmentNames.ts';

/** What is on disk at a folder's path. */
export type FolderState = 'inside' | 'outside' | 'missing';

/** Answers questions about the disk. */
export interface Disk {
	/** `folder`: absolute. `inside`: in a folder of the workspace. */
	folderState(folder: string): Promise<FolderState>;
	/** Names of the templates beside the configuration, without `.j2`. */
	templates(): Promise<readonly string[]>;
}

/**
 * What is wrong on disk with things that a valid configuration names: missing templates and folders, and folders outside the workspace.
 * Only folders that the file names count. Each is checked once, however many servers start there.
 */
export async function diskProblems(
	text: string,
	config: Config,
	disk: Disk,
): Promise<readonly ConfigProblem[]> {
	const { text: shown, root, value } = readDocument(text);
	if (!root) return [];
	const report = new ProblemReport(shown, root, []);
	const states = new Map<string, Promise<FolderState>>();
	for (const [name, launch] of config.launches) {
		const section = serverSections.find((one) => Object.hasOwn(objectAt(objectAt(value, one), name), 'cwd'));
		if (launch.kind !== 'stdio' || !section) continue;
		const state = states.get(launch.cwd) ?? disk.folderState(launch.cwd);
		states.set(launch.cwd, state);
		const found = await state;
		if (found !== 'inside') report.warning([section, name, 'cwd'], folderFault(found));
	}
	const named = [...config.models].filter(([, { template }]) => template !== undefined);
	const names = named.length > 0 ? await disk.templates() : [];
	for (const [model, { template = '' }] of named) {
		if (names.includes(template)) continue;
		const missing = l10n.t('there is no file {0}', quoted(`prompt-templates/${template}.j2`));
		report.warning(['models', model, 'template'], withSuggestion(missing, suggestedName(template, names)));
	}
	return report.problems;
}

function folderFault(state: 'outside' | 'missing'): string {
	return state === 'missing'
		? l10n.t('there is no such folder, so the server cannot start; create it or correct this')
		: l10n.t('the server starts outside the workspace; make sure that this is intended');
}

/** Environment variables that the servers of a configuration read, each once; empty if it cannot be read. */
export function serverVariables(text: string): readonly string[] {
	const { value } = readDocument(text);
	return isRecord(value) ? variablesIn(serverSections.map((section) => value[section])) : [];
}

/** Servers of a configuration that read an environment variable; empty if it cannot be read. */
export function serversReading(text: string, variable: string): readonly string[] {
	const { value } = readDocument(text);
	const reading = serverSections
		.flatMap((section) => entriesAt(value, section))
		.filter(([, entry]) => variablesIn(entry).includes(variable));
	return [...new Set(reading.map(([name]) => name))];
}

/** A name in the file that should be one of a server's tools. */
interface NamedTool {
	readonly path: Path;
	readonly part: 'key' | 'value';
	readonly server: string;
	readonly tool: string;
}

/**
 * Warnings for tools that the configuration names and their servers do not have. `toolsOf`: the names of a server's tools; `undefined`
 * while they are unknown.
 */
export function unknownToolProblems(
	text: string,
	toolsOf: (server: string) => readonly string[],
): readonly ConfigProblem[] {
	const { text: shown, root, value } = readDocument(text);
	const report = new ProblemReport(shown, root, []);
	for (const { path, part, server, tool } of namedTools(value)) {
		const names = toolsOf(server);
		if (names.length === 0 || names.includes(tool)) continue;
		const message = () => {
			const missing = l10n.t('the server {0} has no tool with this name', quoted(server));
			return withSuggestion(missing, suggestedName(tool, names));
		};
		report.warning(path, message, part);
	}
	return report.problems;
}

function* namedTools(file: unknown): Generator<NamedTool> {
	for (const section of serverSections) {
		for (const [server, entry] of entriesAt(file, section)) {
			yield* toolsInList(server, isRecord(entry) ? entry.pinned : undefined, [section, server, 'pinned']);
			for (const [tool] of entriesAt(entry, 'tools')) {
				yield { path: [section, server, 'tools', tool], part: 'key', server, tool };
			}
		}
	}
	for (const [name, toolset] of entriesAt(file, 'tool_sets')) {
		for (const [server, choice] of entriesAt(toolset, 'servers')) {
			const path = ['tool_sets', name, 'servers', server];
			yield* toolsInList(server, choice, path);
			yield* toolsInList(server, isRecord(choice) ? choice.exclude : undefined, [...path, 'exclude']);
		}
	}
}

function* toolsInList(server: string, list: unknown, path: Path): Generator<NamedTool> {
	if (!Array.isArray(list)) return;
	for (const [index, tool] of list.entries()) {
		if (typeof tool === 'string') yield { path: [...path, index], part: 'value', server, tool };
	}
}

function entriesAt(value: unknown, key: string): [string, unknown][] {
	return Object.entries(objectAt(value, key));
}

/** The object under a key; an empty one if there is none. */
function objectAt(value: unknown, key: string): JsonRecord {
	return recordOf(isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined);
}
