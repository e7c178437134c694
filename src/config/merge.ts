import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../common/text.ts';
import type { Toolset, ToolsetSelection } from '../discovery/catalog/toolset.ts';
import { type Config, emptyConfig } from './config.ts';
import type { ClientDefinition } from './models/clientDefinition.ts';
import type { ServerLaunch } from './servers/launch.ts';

/** What one file contributes to the configuration. */
export interface ConfigPart<File> {
	readonly file: File;
	/** The workspace folder it belongs to; absent: it is the user's own. */
	readonly folder?: string;
	readonly config: Config;
	/** Servers that are off because of faults. They still override others with their name. */
	readonly off: readonly string[];
}

/** A server of the configuration, and where it comes from. */
export interface ConfiguredServer<File> {
	/** In the merged configuration, where no other server has it. */
	readonly name: string;
	readonly file: File;
	/** Its name in its file. */
	readonly key: string;
	/** Absent: it is off because of a fault. */
	readonly launch: ServerLaunch | undefined;
	/** Whether it overrides a server in the user's own file. */
	readonly replacesUsers: boolean;
}

/** Several files as one configuration. */
export interface MergedConfig<File> {
	readonly config: Config;
	/** Every server, even if it is off, by {@link ConfiguredServer.name}. */
	readonly servers: ReadonlyMap<string, ConfiguredServer<File>>;
	/** The file whose `tool_discovery` is used. */
	readonly discovery: File;
}

/**
 * Merges configuration files: first those of the folders, in the window's order, then the user's own. An entry in a folder overrides the
 * user's entry with the same name. Servers with the same name in several folders are all kept, distinguished by folder; of models and toolsets
 * the first one counts. All clients are kept, because each model uses its own file's client. Of clients with the same name and without models,
 * the first one counts. Discovery settings come from the first file that has any.
 */
export function mergeConfigs<File>(
	parts: readonly [ConfigPart<File>, ...ConfigPart<File>[]],
): MergedConfig<File> {
	const names = namesInForce(parts);
	const servers = new Map<string, ConfiguredServer<File>>();
	const users = parts.find(({ folder }) => folder === undefined);
	const usersNames = new Set(users && localNames(users));
	for (const [part, mergedNames] of names) {
		const { file, config } = part;
		for (const [key, name] of mergedNames) {
			const replacesUsers = part !== users && usersNames.has(key);
			servers.set(name, { name, file, key, launch: config.launches.get(key), replacesUsers });
		}
	}
	/** Collects one thing from all files, under merged names. */
	const collected = <T>(entriesOf: (config: Config) => ReadonlyMap<string, T>) =>
		new Map(
			parts.flatMap((part) =>
				[...entriesOf(part.config)].flatMap(([name, entry]): [string, T][] => {
					const mergedName = names.get(part)?.get(name);
					return mergedName === undefined ? [] : [[mergedName, entry]];
				}),
			),
		);
	const clients = parts.flatMap(({ config }) => config.clients);
	const models = firstOf(parts, ({ config }) => config.models);
	const isFirst = (client: ClientDefinition) => clients.find(({ name }) => name === client.name) === client;
	const isUsed = (client: ClientDefinition) =>
		models.values().some((model) => isDeepStrictEqual(model.client, client));
	const toolsets = firstOf(parts, (part) => {
		const ownNames = names.get(part);
		return new Map(
			[...part.config.toolsets].map(([name, set]) => [name, mergedToolset(set, ownNames, servers)]),
		);
	});
	const discovery = parts.find(({ config }) => config.setsDiscovery) ?? parts[0];
	const config: Config = {
		policy: { ...discovery.config.policy, servers: collected(({ policy }) => policy.servers) },
		editorTools: discovery.config.editorTools,
		setsDiscovery: discovery.config.setsDiscovery,
		toolsets,
		prompts: parts.find((part) => part.config.prompts.length > 0)?.config.prompts ?? [],
		launches: collected(({ launches }) => launches),
		clients,
		clientsWithoutModels: parts
			.flatMap(({ config }) => config.clientsWithoutModels)
			.filter((client) => isFirst(client) && !isUsed(client)),
		models,
		...environmentOf(parts),
	};
	return { config, servers, discovery: discovery.file };
}

/** The merged names of each file's servers. The user's servers that a folder overrides have none. */
function namesInForce<File>(
	parts: readonly ConfigPart<File>[],
): ReadonlyMap<ConfigPart<File>, ReadonlyMap<string, string>> {
	const folders = parts.filter(({ folder }) => folder !== undefined);
	const byName = Map.groupBy(folders.flatMap(localNames), (name) => name);
	const writtenNames = new Set(parts.flatMap(localNames));
	const givenNames = new Set<string>();
	const uniqueName = (name: string, folder: string) => {
		const wish = `${name} (${oneLine(folder, maxFolderLength)})`;
		let candidate = wish;
		for (let number = 2; writtenNames.has(candidate) || givenNames.has(candidate); number++)
			candidate = `${wish} ${number}`;
		givenNames.add(candidate);
		return candidate;
	};
	return new Map(
		parts.map((part) => {
			const { folder } = part;
			const names = localNames(part).flatMap((name): [string, string][] => {
				if (folder === undefined) return byName.has(name) ? [] : [[name, name]];
				return [[name, byName.get(name)?.length === 1 ? name : uniqueName(name, folder)]];
			});
			return [part, new Map(names)];
		}),
	);
}

/** Characters of a folder's name beside a server's. */
const maxFolderLength = 40;

function localNames({ config, off }: Pick<ConfigPart<unknown>, 'config' | 'off'>): readonly string[] {
	return [...new Set([...config.policy.servers.keys(), ...off])];
}

/** Entries of all files; of equal names, the first. */
function firstOf<T, File>(
	parts: readonly ConfigPart<File>[],
	entriesOf: (part: ConfigPart<File>) => ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
	const entries = new Map<string, T>();
	for (const part of parts) {
		for (const [name, entry] of entriesOf(part)) if (!entries.has(name)) entries.set(name, entry);
	}
	return entries;
}

/**
 * A toolset with merged names. It refers to servers of its own file by their names there, and to others by their merged names. A name that
 * servers of several folders share means all of them.
 */
function mergedToolset(
	toolset: Toolset,
	ownNames: ReadonlyMap<string, string> | undefined,
	servers: ReadonlyMap<string, ConfiguredServer<unknown>>,
): Toolset {
	const serversNamed = (name: string): readonly string[] => {
		const merged = ownNames?.get(name) ?? (servers.has(name) ? name : undefined);
		if (merged !== undefined) return [merged];
		const alike = [...servers.values()].flatMap((server) => (server.key === name ? [server.name] : []));
		return alike.length > 0 ? alike : [name];
	};
	const selections = [...toolset.servers].flatMap(([server, selection]) =>
		serversNamed(server).map((merged): [string, ToolsetSelection] => [merged, selection]),
	);
	return { ...toolset, servers: new Map(selections) };
}

/** Environment settings: for each, the first that differs from its default. */
function environmentOf(
	parts: readonly Pick<ConfigPart<unknown>, 'config'>[],
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
