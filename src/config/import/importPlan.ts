import * as l10n from '@vscode/l10n';
import type { Edit, Node } from 'jsonc-parser';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { ServerJson } from '../add/serverDraft.ts';
import { packageOfEntry } from '../add/serverNames.ts';
import { sectionForServers, serverSections } from '../config.ts';
import { ConfigText, nodeValue } from '../file/configText.ts';
import { legalServerName, serverNameFault } from '../file/entryNames.ts';
import { withEntries } from '../file/jsoncText.ts';
import { quoted } from '../file/jsonPath.ts';
import { ProblemReport } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { salvage } from '../salvage.ts';
import { serverSchema } from '../schema.ts';
import { expandVariables, pathIn, type VariableScope } from '../secrets/variables.ts';
import type { ImportedSecret, ImportedServer } from './importedServer.ts';

/** What happens to one server, for a preview: contains no secrets. */
export interface PlannedServer {
	readonly server: ImportedServer;
	/** `new`: written under `name`. `renamed`: too, since its own name is taken or invalid. `present`: it exists already as `name`. */
	readonly state: 'new' | 'renamed' | 'present';
	readonly name: string;
	/** A server of the configuration that runs the same package in another way; not set if it exists already. */
	readonly twin?: string;
	readonly notes: readonly string[];
}

export interface ImportPlan {
	/** Identical servers once. */
	readonly servers: readonly PlannedServer[];
	/** Of the configuration's text, or of an empty one; empty: everything is there already. */
	readonly edits: readonly Edit[];
	/** Of the servers to be written, each variable once. Store them before changing the file. */
	readonly secrets: readonly ImportedSecret[];
}

/**
 * What importing these servers would change in a configuration of this text; `undefined` as text: there is none yet. Called for the preview
 * with all servers, then with the chosen ones, whose names may differ from the preview. `undefined`: the text cannot be read, or something
 * else occupies the place for servers.
 */
export function planImport(
	servers: readonly ImportedServer[],
	text: string | undefined,
	scope: VariableScope,
): ImportPlan | undefined {
	const existing = existingServers(text);
	if (!existing) return undefined;
	const secrets = new Map(
		servers.flatMap((server) => server.secrets.map(({ name, value }) => [name, value])),
	);
	const expansion = { ...scope, env: { ...scope.env, ...Object.fromEntries(secrets) } };
	const takenNames = new Set(existing.names);
	const present = new Map(
		existing.entries.map(([name, entry]) => [launchKey(entry, expansion) ?? Symbol(name), name]),
	);
	const seenLaunches = new Set<string | symbol>();
	const planned = enabledFirst(servers).flatMap((server) => {
		const launch = launchKey(server.entry, expansion) ?? Symbol(server.name);
		if (seenLaunches.has(launch)) return [];
		seenLaunches.add(launch);
		const presentName = present.get(launch);
		if (presentName !== undefined) return [plannedServer(server, 'present', presentName)];
		const name = legalServerName(server.name, takenNames);
		takenNames.add(name);
		return [plannedServer(server, name === server.name ? 'new' : 'renamed', name, twinOf(server, existing))];
	});
	const added = planned.filter(({ state }) => state !== 'present');
	for (const { server } of added) {
		for (const [name, { default: defaultValue }] of server.inputs)
			if (defaultValue !== undefined && expansion.env[name] === undefined) secrets.set(name, defaultValue);
	}
	const names = new Set(
		added.flatMap(({ server }) => [...server.secrets.map(({ name }) => name), ...server.inputs.keys()]),
	);
	return {
		servers: planned,
		edits: editsOf(text, existing, new Map(added.map(({ name, server }) => [name, server.entry]))),
		secrets: [...secrets].filter(([name]) => names.has(name)).map(([name, value]) => ({ name, value })),
	};
}

/** Of identical servers, the first one counts: prefer what a program uses. */
function enabledFirst(servers: readonly ImportedServer[]): readonly ImportedServer[] {
	return servers.toSorted((a, b) => Number(a.entry.disabled ?? false) - Number(b.entry.disabled ?? false));
}

interface ExistingServers {
	/** Absent: no file, or an empty one. */
	readonly root?: Node;
	/** Where new servers belong. */
	readonly section: (typeof serverSections)[number];
	/** All names in use, including those of faulty entries. */
	readonly names: readonly string[];
	readonly entries: readonly (readonly [name: string, entry: JsonRecord])[];
}

function existingServers(text: string | undefined): ExistingServers | undefined {
	// A byte order mark counts as white space.
	if (text === undefined || text.trim() === '') return { section: 'servers', names: [], entries: [] };
	const root = ConfigText.of(text).root;
	const file = root && nodeValue(root);
	if (!root || !isRecord(file)) return undefined;
	const section = sectionForServers(file);
	const all = serverSections
		.map((name) => file[name])
		.filter(isRecord)
		.flatMap(Object.entries<unknown>);
	return (
		section && {
			root,
			section,
			names: all.map(([name]) => name),
			entries: all.filter((entry): entry is [string, JsonRecord] => isRecord(entry[1])),
		}
	);
}

/** Equal keys mean the same server reached in the same way, with variables replaced if they are set. */
function launchKey(written: JsonRecord, scope: VariableScope): string | undefined {
	// `salvage` drops faulty parts; an entry with one equals no other.
	const report = new ProblemReport('', undefined, []);
	const entry = salvage(serverSchema, written, ['servers', 'x'], report);
	if (!entry || report.hasErrorAt(['servers', 'x'])) return undefined;
	const expand = (text: string) => expandVariables(text, scope).text;
	const expandAll = (texts: ReadonlyMap<string, string> = new Map(), nameOf = (name: string) => name) =>
		[...texts]
			.map(([name, text]) => [nameOf(name), expand(text)])
			.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
	const { command, args = [], env, cwd = '', url, headers } = entry;
	if (command !== undefined) {
		const folder = pathIn(scope, expand(cwd));
		return JSON.stringify([expand(command), args.map(expand), expandAll(env), folder]);
	}
	if (url === undefined) return undefined;
	const isSse = (entry.transport ?? entry.type) === 'sse';
	return JSON.stringify([expand(url), isSse, expandAll(headers, (name) => name.toLowerCase())]);
}

function twinOf(server: ImportedServer, { entries }: ExistingServers): string | undefined {
	const own = packageOfEntry(server.entry);
	return own === undefined ? undefined : entries.find(([, entry]) => packageOfEntry(entry) === own)?.[0];
}

function plannedServer(
	server: ImportedServer,
	state: PlannedServer['state'],
	name: string,
	twin?: string,
): PlannedServer {
	const notes = state === 'renamed' ? [renamedNote(server, name), ...server.notes] : server.notes;
	return { server, state, name, ...(twin !== undefined && { twin }), notes };
}

function renamedNote(server: ImportedServer, name: string): string {
	const fault = serverNameFault(server.name);
	return fault === undefined
		? l10n.t('{0} is already in use, so this server is named {1}.', quoted(server.name), quoted(name))
		: l10n.t('Its name is not valid here ({0}), so it is named {1}.', fault, quoted(name));
}

function editsOf(
	text = '',
	{ root, section }: ExistingServers,
	added: ReadonlyMap<string, ServerJson>,
): readonly Edit[] {
	if (root) return smallestEdit(text, withEntries(text, section, added));
	const file = { [section]: Object.fromEntries(added), tool_discovery: { enabled: 'auto' } };
	return smallestEdit(text, `${JSON.stringify(file, undefined, '\t')}\n`);
}
