import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { type Config, faultyServer, type LoadedConfig, withLastGoodSettings } from '../../config/config.ts';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import {
	type ConfigPart,
	type ConfiguredServer,
	type MergedConfig,
	mergeConfigs,
} from '../../config/merge.ts';
import type { Elsewhere, VariableScope } from '../../config/secrets/variables.ts';
import type { FileProblem } from '../ui/nodes.ts';

export type FileState =
	| { readonly kind: 'loading' }
	/** The file does not exist. */
	| { readonly kind: 'none' }
	/** The file could not be read, and there is no earlier valid version. */
	| { readonly kind: 'broken'; readonly problems: readonly ConfigProblem[] }
	| {
			readonly kind: 'ok';
			readonly config: Config;
			readonly problems: readonly ConfigProblem[];
			/** The file cannot be read now; `config` is the last valid version. */
			readonly isStale: boolean;
	  };

export interface FileReading {
	readonly isTrusted: boolean;
	/** `unchanged`: see {@link isInForce}. Absent: there is no file. */
	readonly content?:
		| 'unchanged'
		| {
				readonly loaded: LoadedConfig;
				/** What it was loaded from; absent if the file could not be read. */
				readonly source?: ConfigSource;
		  };
}

interface ConfigSource {
	readonly text: string;
	readonly scope: VariableScope;
}

/** The state and its source, to compare the next reading with. */
export interface KnownFile {
	readonly state: FileState;
	/** The source of the configuration in force, with its `.env`; absent if none is in force. */
	readonly source?: ConfigSource;
	/** Whether the workspace was trusted at the last reading. */
	readonly isTrusted?: boolean;
}

/**
 * Whether the configuration in force was loaded from exactly this text and these variables: after our own edit, or when one save is reported
 * twice. Then nothing needs to be loaded.
 */
export function isInForce(source: ConfigSource, { state, source: lastSource }: KnownFile): boolean {
	return state.kind === 'ok' && !state.isStale && isDeepStrictEqual(lastSource, source);
}

/**
 * The state after a reading: the same object if nothing has changed, and the same `config` if text and variables have not. `'gone'`: the file is
 * missing while one is in force. Some editors save by deleting and renaming, so it must be read again later with `isGone`: then it counts as
 * deleted.
 */
export function nextFile(knownFile: KnownFile, reading: FileReading, isGone = false): KnownFile | 'gone' {
	if (knownFile.state.kind === 'ok' && !reading.content && !isGone) return 'gone';
	const next = { ...readState(reading, knownFile), isTrusted: reading.isTrusted };
	return isSame(knownFile, next) ? knownFile : next;
}

function readState({ content }: FileReading, knownFile: KnownFile): KnownFile {
	if (!content) return { state: { kind: 'none' } };
	if (content === 'unchanged') return knownFile;
	const good = knownFile.state.kind === 'ok' ? knownFile.state : undefined;
	const { loaded, source } = content;
	const { config, problems } = loaded;
	if (config && source) {
		const isUnchanged = good && isDeepStrictEqual(knownFile.source, source);
		const inForce = isUnchanged ? good.config : withLastGoodSettings(config, problems, good?.config);
		return { state: { kind: 'ok', config: inForce, problems, isStale: false }, source };
	}
	if (!good) return { state: { kind: 'broken', problems } };
	return {
		state: { ...good, problems, isStale: true },
		...(knownFile.source && { source: knownFile.source }),
	};
}

function isSame(a: KnownFile, b: KnownFile): boolean {
	const isSameConfig = a.state.kind !== 'ok' || b.state.kind !== 'ok' || a.state.config === b.state.config;
	const plain = ({ state }: KnownFile) => ({ ...state, config: undefined });
	return isSameConfig && a.isTrusted === b.isTrusted && isDeepStrictEqual(plain(a), plain(b));
}

/** The environment variables that are not set, each once. */
export function unsetVariables(problems: readonly ConfigProblem[]): readonly string[] {
	const names = problems.flatMap(({ reason }) => (reason?.kind === 'unset-variable' ? [reason.name] : []));
	return [...new Set(names)].filter(Boolean);
}

/** The state of the configuration, which is merged from all files. */
export type ConfigState =
	| { readonly kind: 'loading' }
	| { readonly kind: 'none' }
	/** No file could be read, and there is no earlier valid version. `uri`: the first file. */
	| { readonly kind: 'broken'; readonly uri: vscode.Uri; readonly problems: readonly FileProblem[] }
	| ConfigInForce;

/** A configuration in force, with the problems of its files. */
export interface ConfigInForce extends MergedConfig<FollowedFile> {
	readonly kind: 'ok';
	/** The first existing file, for changes that belong to no server. */
	readonly uri: vscode.Uri;
	readonly problems: readonly FileProblem[];
	readonly unreadable: readonly UnreadableFile[];
}

export type ServerOfFile = ConfiguredServer<FollowedFile>;

export interface UnreadableFile {
	readonly uri: vscode.Uri;
	/** Whether its last valid version is in force. */
	readonly isStale: boolean;
}

/** Unique labels of folders: their names, with parent folders where names are equal. */
export function folderLabels(
	folders: readonly { readonly name: string; readonly path: string }[],
): readonly string[] {
	return folders.map((folder) => {
		const alike = folders.filter(({ name }) => name === folder.name);
		const above = (path: string, depth: number) =>
			path
				.split('/')
				.filter(Boolean)
				.slice(-depth - 1, -1);
		const longest = Math.max(...alike.map(({ path }) => path.split('/').length));
		for (let depth = 0; depth < longest; depth++) {
			const label = (path: string) => [...above(path, depth), folder.name].join('/');
			if (alike.filter(({ path }) => label(path) === label(folder.path)).length === 1)
				return label(folder.path);
		}
		return folder.path;
	});
}

/** What merging and the views need to know about a configuration file. */
export interface FollowedFile {
	/** Its folder's, or that of the user configuration. */
	readonly label: string;
	readonly place: {
		readonly uri: vscode.Uri;
		/** Absent: the user's own file. */
		readonly folder?: { readonly label: string };
	};
	readonly state: FileState;
}

export interface MergedFiles {
	readonly parts: readonly ConfigPart<FollowedFile>[];
	readonly merged: MergedConfig<FollowedFile>;
}

/** Names in other files that a file may use; `undefined`: none. */
export function elsewhereOf(
	file: FollowedFile,
	files: readonly FollowedFile[],
	merged: MergedConfig<FollowedFile> | undefined,
): Elsewhere | undefined {
	const others = files.flatMap((candidate) =>
		candidate !== file && candidate.state.kind === 'ok' ? [{ ...candidate.place, ...candidate.state }] : [],
	);
	if (others.length === 0) return undefined;
	const names = [...(merged?.servers.values() ?? [])].flatMap((server) =>
		server.file === file ? [] : [server.name],
	);
	const servers = new Set([...names, ...others.flatMap(({ config }) => [...config.policy.servers.keys()])]);
	const users = file.place.folder && others.find(({ folder }) => !folder);
	return { servers: [...servers].toSorted(), clients: users?.config.clients ?? [] };
}

export function configParts(files: readonly FollowedFile[]): readonly ConfigPart<FollowedFile>[] {
	return files.flatMap((file): ConfigPart<FollowedFile>[] => {
		const { place, state } = file;
		if (state.kind !== 'ok') return [];
		const { config, problems } = state;
		const faulty = problems.flatMap((problem) => faultyServer(problem) ?? []);
		const off = new Set(faulty.filter((name) => !config.launches.has(name)));
		const folder = place.folder && { folder: place.folder.label };
		return [{ file, ...folder, config, off: [...off] }];
	});
}

/** Merges parts; `undefined`: there are none. Returns `previous` if no part has changed. */
export function mergedFiles(
	parts: readonly ConfigPart<FollowedFile>[],
	previous: MergedFiles | undefined,
): MergedFiles | undefined {
	const [first, ...others] = parts;
	if (!first) return undefined;
	if (previous && isSameParts(previous.parts, parts)) return previous;
	return { parts, merged: mergeConfigs([first, ...others]) };
}

function isSameParts(a: MergedFiles['parts'], b: MergedFiles['parts']): boolean {
	const isSame = (part: (typeof a)[number], other: (typeof a)[number] | undefined) =>
		part.config === other?.config &&
		part.file === other.file &&
		part.folder === other.folder &&
		isDeepStrictEqual(part.off, other.off);
	return a.length === b.length && a.every((part, index) => isSame(part, b[index]));
}

/** The state of the configuration. `files`: in order of precedence. */
export function configStateOf(
	files: readonly FollowedFile[],
	merged: MergedConfig<FollowedFile> | undefined,
): ConfigState {
	if (files.every(({ state }) => state.kind === 'loading')) return { kind: 'loading' };
	const existing = files.filter(({ state }) => state.kind === 'ok' || state.kind === 'broken');
	const uri = existing[0]?.place.uri;
	if (!uri) return { kind: 'none' };
	const problems = existing.flatMap((file) => problemsOf(file, merged));
	if (!merged) return { kind: 'broken', uri, problems };
	const unreadable = existing.flatMap(({ place, state }) => {
		const isStale = state.kind === 'ok' && state.isStale;
		return isStale || state.kind === 'broken' ? [{ uri: place.uri, isStale }] : [];
	});
	return { kind: 'ok', uri, problems, unreadable, ...merged };
}

function problemsOf(
	file: FollowedFile,
	merged: MergedConfig<FollowedFile> | undefined,
): readonly FileProblem[] {
	const { place, state } = file;
	if (!('problems' in state)) return [];
	const names = new Map(
		[...(merged?.servers.values() ?? [])].flatMap((server) =>
			server.file === file ? [[server.key, server.name] as const] : [],
		),
	);
	const launches = state.kind === 'ok' ? state.config.launches : new Map();
	return state.problems.map((problem) => {
		const server = faultyServer(problem);
		const off = server === undefined || launches.has(server) ? undefined : names.get(server);
		return { ...problem, uri: place.uri, ...(off !== undefined && { off }) };
	});
}

/** A state without the configuration itself, as plain data. */
function comparable(state: ConfigState): unknown {
	if (!('uri' in state)) return state;
	const problems = state.problems.map((problem) => ({ ...problem, uri: problem.uri.toString() }));
	const common = { ...state, uri: state.uri.toString(), problems };
	if (state.kind === 'broken') return common;
	const unreadable = state.unreadable.map((file) => ({ ...file, uri: file.uri.toString() }));
	// What was merged is compared as a whole, by its `config`.
	return { ...common, unreadable, config: undefined, servers: undefined, discovery: undefined };
}

export function isSameState(a: ConfigState, b: ConfigState): boolean {
	const isSameConfig = a.kind !== 'ok' || b.kind !== 'ok' || a.config === b.config;
	return isSameConfig && isDeepStrictEqual(comparable(a), comparable(b));
}
