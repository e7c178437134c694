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
	const taken = <T>(of: (config: Config) => ReadonlyMap<string, T>) =>
		renamed(parts, of, (part, name) => names.get(part)?.get(name));
	const first = <T>(of: (config: Config) => ReadonlyMap<string, T>) => {
		const all = parts.toReversed().flatMap((part) => [...of(part.config)].map((entry) => ({ part, entry })));
		return {
			entries: new Map(all.map(({ entry }) => entry)),
			files: new Map(all.map(({ part, entry: [name] }) => [name, part.file])),
		};
	};
	const clients = first(({ clients: ofFile }) => ofFile);
	const models = first(({ models: ofFile }) => ofFile);
	const discovery = parts.find(({ config }) => config.setsDiscovery) ?? parts[0];
	const config: Config = {
		policy: { ...discovery.config.policy, servers: taken(({ policy }) => policy.servers) },
		editorTools: discovery.config.editorTools,
		setsDiscovery: discovery.config.setsDiscovery,
		toolsets: toolsetsOf(parts, names, servers),
		prompts: parts.find((part) => part.config.prompts.length > 0)?.config.prompts ?? [],
		launches: taken(({ launches }) => launches),
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
		toolsets: first(({ toolsets }) => toolsets).files,
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

/** What all files have, by names in the whole. */
function renamed<T>(
	parts: readonly ConfigPart[],
	of: (config: Config) => ReadonlyMap<string, T>,
	nameOf: (part: ConfigPart, name: string) => string | undefined,
): ReadonlyMap<string, T> {
	return new Map(
		parts.flatMap((part) =>
			[...of(part.config)].flatMap(([name, entry]): [string, T][] => {
				const whole = nameOf(part, name);
				return whole === undefined ? [] : [[whole, entry]];
			}),
		),
	);
}

/**
 * A toolset names the servers of its own file as they stand there, and others by their names in the whole; a name that servers of
 * several folders have means all of them.
 */
function toolsetsOf(
	parts: readonly ConfigPart[],
	names: Names,
	servers: ReadonlyMap<string, ServerPlace>,
): ReadonlyMap<string, Toolset> {
	const meant = (part: ConfigPart, name: string): readonly string[] => {
		const own = names.get(part)?.get(name);
		if (own !== undefined) return [own];
		if (servers.has(name)) return [name];
		const alike = [...servers].flatMap(([whole, place]) => (place.name === name ? [whole] : []));
		return alike.length > 0 ? alike : [name];
	};
	return new Map(
		parts.toReversed().flatMap((part) =>
			[...part.config.toolsets].map(([name, toolset]): [string, Toolset] => {
				const its = [...toolset.servers].flatMap(([server, selection]) =>
					meant(part, server).map((whole): [string, ToolsetSelection] => [whole, selection]),
				);
				return [name, { ...toolset, servers: new Map(its) }];
			}),
		),
	);
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
