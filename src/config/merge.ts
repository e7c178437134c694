import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../common/text.ts';
import type { Toolset, ToolsetSelection } from '../discovery/catalog/toolset.ts';
import { type Config, emptyConfig } from './config.ts';

/** One file of the configuration that is in force. */
export interface ConfigPart {
	/** Identifies the file: its address. */
	readonly file: string;
	/** The workspace folder that it is of; absent: it is the user's own. */
	readonly folder?: string;
	readonly config: Config;
	/** Servers whose entries have faults that keep them off: they, too, stand in the place of others of their name. */
	readonly off: readonly string[];
}

/** Where a server of the configuration stands. */
export interface ServerPlace {
	readonly file: string;
	/** Its name there. */
	readonly name: string;
	/** The user's own file has a server of this name, too, which this one replaces. */
	readonly replacesUsers?: true;
}

/** Several files of the configuration as one. */
export interface MergedConfig {
	readonly config: Config;
	/** Every server, also those that are off, by the name that it has in the whole. */
	readonly servers: ReadonlyMap<string, ServerPlace>;
	/** The file that each client and each model stands in. */
	readonly clients: ReadonlyMap<string, string>;
	readonly models: ReadonlyMap<string, string>;
	/** The file that each toolset stands in. */
	readonly toolsets: ReadonlyMap<string, string>;
	/** The file whose `tool_discovery` is in force. */
	readonly discovery: string;
}

/**
 * Makes one configuration of several files: first those of the folders, in the order of the window, then the user's own. An entry of a
 * folder replaces one of the same name of the user. Servers of one name in several folders are all there, told apart by their folders;
 * of clients, models and toolsets of one name the first counts. Discovery settings are those of the first file that has any.
 */
export function mergeConfigs(parts: readonly [ConfigPart, ...ConfigPart[]]): MergedConfig {
	const names = namesInForce(parts);
	const servers = new Map<string, ServerPlace>();
	const users = parts.find(({ folder }) => folder === undefined);
	const usersNames = new Set(users && localNames(users));
	for (const [part, its] of names) {
		for (const [name, whole] of its) {
			const replaces = part !== users && usersNames.has(name);
			servers.set(whole, { file: part.file, name, ...(replaces && { replacesUsers: true as const }) });
		}
	}
	/** Of every file, by names of the whole. */
	const all = <T>(of: (config: Config) => ReadonlyMap<string, T>) =>
		new Map(
			parts.flatMap((part) =>
				[...of(part.config)].flatMap(([name, entry]): [string, T][] => {
					const whole = names.get(part)?.get(name);
					return whole === undefined ? [] : [[whole, entry]];
				}),
			),
		);
	const clients = firstOf(parts, ({ config }) => config.clients);
	const models = firstOf(parts, ({ config }) => config.models);
	const toolsets = firstOf(parts, (part) => {
		const own = names.get(part);
		return new Map([...part.config.toolsets].map(([name, one]) => [name, wholeToolset(one, own, servers)]));
	});
	const discovery = parts.find(({ config }) => config.setsDiscovery) ?? parts[0];
	const config: Config = {
		policy: { ...discovery.config.policy, servers: all(({ policy }) => policy.servers) },
		editorTools: discovery.config.editorTools,
		setsDiscovery: discovery.config.setsDiscovery,
		toolsets: toolsets.entries,
		prompts: parts.find((part) => part.config.prompts.length > 0)?.config.prompts ?? [],
		launches: all(({ launches }) => launches),
		clients: clients.entries,
		clientsWithoutModels: parts.flatMap((part) =>
			part.config.clientsWithoutModels.filter(
				(client) =>
					clients.files.get(client.name) === part.file &&
					![...models.entries.values()].some((model) => isDeepStrictEqual(model.client, client)),
			),
		),
		models: models.entries,
		...environmentOf(parts),
	};
	return {
		config,
		servers,
		clients: clients.files,
		models: models.files,
		toolsets: toolsets.files,
		discovery: discovery.file,
	};
}

type Names = ReadonlyMap<ConfigPart, ReadonlyMap<string, string>>;

/** What the servers of each file are called in the whole; those of the user that a folder replaces are called nothing. */
function namesInForce(parts: readonly ConfigPart[]): Names {
	const folders = parts.filter(({ folder }) => folder !== undefined);
	const counts = new Map<string, number>();
	for (const name of folders.flatMap(localNames)) counts.set(name, (counts.get(name) ?? 0) + 1);
	const written = new Set(parts.flatMap(localNames));
	const given = new Set<string>();
	const toldApart = (name: string, folder: string) => {
		const wish = `${name} (${oneLine(folder, longestFolder)})`;
		for (let number = 1; ; number++) {
			const whole = number === 1 ? wish : `${wish} ${number}`;
			if (written.has(whole) || given.has(whole)) continue;
			given.add(whole);
			return whole;
		}
	};
	return new Map(
		parts.map((part) => {
			const { folder } = part;
			const its = localNames(part).flatMap((name): [string, string][] => {
				if (folder === undefined) return counts.has(name) ? [] : [[name, name]];
				return [[name, counts.get(name) === 1 ? name : toldApart(name, folder)]];
			});
			return [part, new Map(its)];
		}),
	);
}

/** Characters of a folder's name beside a server's. */
const longestFolder = 40;

function localNames({ config, off }: ConfigPart): readonly string[] {
	return [...new Set([...config.policy.servers.keys(), ...off])];
}

/** Entries of files, of one name the first, and the file that each is of. */
function firstOf<T>(
	parts: readonly ConfigPart[],
	of: (part: ConfigPart) => ReadonlyMap<string, T>,
): { readonly entries: ReadonlyMap<string, T>; readonly files: ReadonlyMap<string, string> } {
	const entries = new Map<string, T>();
	const files = new Map<string, string>();
	for (const part of parts) {
		for (const [name, entry] of of(part)) {
			if (files.has(name)) continue;
			files.set(name, part.file);
			entries.set(name, entry);
		}
	}
	return { entries, files };
}

/**
 * A toolset by the names of the whole. It names the servers of its own file as they stand there, and others by their names in the whole; a
 * name that servers of several folders have means all of them.
 */
function wholeToolset(
	toolset: Toolset,
	own: ReadonlyMap<string, string> | undefined,
	servers: ReadonlyMap<string, ServerPlace>,
): Toolset {
	const meant = (name: string): readonly string[] => {
		const whole = own?.get(name) ?? (servers.has(name) ? name : undefined);
		if (whole !== undefined) return [whole];
		const alike = [...servers].flatMap(([one, place]) => (place.name === name ? [one] : []));
		return alike.length > 0 ? alike : [name];
	};
	const its = [...toolset.servers].flatMap(([server, selection]) =>
		meant(server).map((whole): [string, ToolsetSelection] => [whole, selection]),
	);
	return { ...toolset, servers: new Map(its) };
}

/** Settings of the environment: of each the first that is not as it is by itself. */
function environmentOf(
	parts: readonly ConfigPart[],
): Pick<Config, 'toolCacheTtlSeconds' | 'toolResultFormat' | 'logLevel'> {
	const first = <Key extends keyof Config>(key: Key): Config[Key] =>
		parts.find(({ config }) => config[key] !== emptyConfig[key])?.config[key] ?? emptyConfig[key];
	const logLevel = first('logLevel');
	return {
		toolCacheTtlSeconds: first('toolCacheTtlSeconds'),
		toolResultFormat: first('toolResultFormat'),
		...(logLevel !== undefined && { logLevel }),
	};
}
