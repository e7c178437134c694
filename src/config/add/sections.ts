import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordsIn } from '../../common/json.ts';
import { quoted } from '../file/jsonPath.ts';
import type { ImportSource } from '../import/importSources.ts';
import { composed, describedServers } from './described.ts';
import { draftsOf, fault, joinedDrafts, namedDrafts, readInputs } from './draftsOf.ts';
import { isEntry } from './entryShapes.ts';
import type { Drafts, ServerDraft } from './serverDraft.ts';

/** Keys that list MCP servers, and nothing else: `mcpServers`, `mcp_servers`, Zed's `context_servers`, `amp.mcpServers`. */
const ownKey = /(^|[._-])(mcp|context|modelContextProtocol)[._-]?servers$/i;
/** Keys that list MCP servers in some files, and other things in others: `servers`, opencode's `mcp`, Goose's `extensions`, `stdio_servers`. */
const sharedKey = /^(mcp|mcp_?config|extensions)$|(?<!lsp|language)[._-]?servers$/i;

/** Whether programs list servers under a key. */
export function isSectionKey(key: string): boolean {
	return ownKey.test(key) || sharedKey.test(key);
}

/** Sections deeper in a document than this are not searched for. */
const deepest = 6;

/** What the servers of a section have in common. */
interface Place {
	readonly source?: ImportSource;
	readonly inputs: ServerDraft['inputs'];
	readonly depth: number;
	/** The folder whose servers these are, for a program that keeps those of all folders in one file. */
	readonly folder?: string;
	/** Names of servers that the file turns off elsewhere. */
	readonly off: readonly unknown[];
	/** It is within `mcp`, where all servers are ours. */
	readonly isWithinMcp: boolean;
}

/** The servers that a document defines, wherever its program lists them; `undefined`: none. */
export function serversIn(value: JsonRecord, source?: ImportSource): Drafts | undefined {
	const described = describedServers(value, source);
	if (described) return described;
	const place: Place = {
		...(source && { source }),
		inputs: new Map(),
		depth: 0,
		off: [],
		isWithinMcp: false,
	};
	const listedDrafts = listedIn(value, place);
	if (listedDrafts.length > 0) return joinedDrafts(listedDrafts);
	// With a section that is empty, other objects are something else, such as a gateway's own address.
	const isListed = Object.keys(value).some((key) => ownKey.test(key));
	return composed(value) ?? (isListed ? undefined : unlistedIn(value, source));
}

function listedIn(value: JsonRecord, { inputs: outer, off: outerOff, ...place }: Place): readonly Drafts[] {
	const inputs = value.inputs === undefined ? outer : readInputs(value.inputs);
	const mcp = isRecord(value.mcp) ? value.mcp.excluded : undefined;
	const off = [outerOff, mcp, value.excludeMCPServers, value.disabledMcpServers].flatMap((names) =>
		Array.isArray(names) ? names : [],
	);
	const seenNames = new Set<string>();
	const read = new Set<string>();
	const list: Drafts[] = [];
	// VS Code's comes first: it reads others too, and people paste into any file.
	const keys = Object.keys(value)
		.filter(isSectionKey)
		.toSorted((a, b) => Number(b === 'servers') - Number(a === 'servers'));
	for (const key of keys) {
		const entries = entriesOf(key, value[key], place.isWithinMcp);
		if (!entries) continue;
		read.add(key);
		if (entries === 'not a list') {
			list.push(fault(l10n.t('{0} is not an object that maps names to servers.', quoted(key))));
			continue;
		}
		for (const [name, entry] of entries) {
			if (seenNames.has(name)) {
				const twice = l10n.t('The server {0} is also in "servers", which takes precedence.', quoted(name));
				list.push(fault(twice));
				continue;
			}
			// A whole configuration pasted as an entry, as VS Code's own "Add Server" once wrote it.
			const isEntryItself = !isRecord(entry) || isEntry(entry) || place.depth >= deepest;
			const nested = isEntryItself ? [] : listedIn(entry, { ...place, inputs, off, depth: place.depth + 1 });
			if (nested.length > 0) {
				list.push(...nested);
				continue;
			}
			const drafts = draftsOf({
				name,
				entry: off.includes(name) && isRecord(entry) ? { ...entry, disabled: true } : entry,
				inputs,
				...(place.source && { source: place.source }),
				...(place.source?.product && { product: place.source.product }),
				...(place.folder !== undefined && {
					notes: [l10n.t('It was set up for the folder {0}.', quoted(place.folder))],
				}),
			});
			if (drafts.servers.length > 0 && name !== '') seenNames.add(name);
			list.push(drafts);
		}
	}
	if (place.depth >= deepest) return list;
	const deeper = Object.entries(value).flatMap(([key, section]) => {
		if (read.has(key) || !isRecord(section)) return [];
		const folder = /^([A-Za-z]:)?[\\/]/.test(key) ? { folder: key } : {};
		const isWithinMcp = place.isWithinMcp || key === 'mcp';
		return listedIn(section, { ...place, ...folder, inputs, off, isWithinMcp, depth: place.depth + 1 });
	});
	return [...list, ...deeper];
}

/** The entries of a section by their names, which may be missing in lists. `undefined`: the key has another meaning here. */
function entriesOf(
	key: string,
	section: unknown,
	isWithinMcp: boolean,
): readonly (readonly [name: string, entry: unknown])[] | 'not a list' | undefined {
	const isOwn = ownKey.test(key) || isWithinMcp;
	if (Array.isArray(section)) {
		const entries = section.map((entry): readonly [string, unknown] => {
			const { name, key: id, uses } = isRecord(entry) ? entry : {};
			return [[name, id, uses].find((text) => typeof text === 'string') ?? '', entry];
		});
		// The servers of OpenAPI have no names, and are not ours.
		const isOurs = entries.some(([name, entry]) => isRecord(entry) && isEntry(entry) && name !== '');
		return isOurs || isOwn ? entries : undefined;
	}
	// `enable_all_project_mcp_servers: true` is a setting.
	if (typeof section === 'boolean') return undefined;
	if (!isRecord(section)) return isOwn || key === 'servers' ? 'not a list' : undefined;
	const entries = Object.entries(section);
	if (isOwn || key === 'servers') return entries;
	return !isEntry(section) && entries.some(([, entry]) => isRecord(entry) && isEntry(entry))
		? entries
		: undefined;
}

/** The servers of a document without a section: a single entry, entries by their names, or such in other settings. */
function unlistedIn(value: JsonRecord, source: ImportSource | undefined): Drafts | undefined {
	if (isEntry(value)) return namedDrafts(value, source);
	if (isPackage(value)) return undefined;
	const entries = Object.entries(value).filter(([, entry]) => isRecord(entry));
	if (entries.some(([, entry]) => isRecord(entry) && isEntry(entry))) {
		const inputs = readInputs(value.inputs);
		return joinedDrafts(
			entries.map(([name, entry]) => draftsOf({ name, entry, inputs, ...(source && { source }) })),
		);
	}
	// The tools of a request to OpenAI or Anthropic, some of which are servers.
	const listed = Object.values(value).flatMap((list) =>
		recordsIn(list).filter(
			({ server_label, server_url }) => server_label !== undefined && server_url !== undefined,
		),
	);
	const inner = [
		...listed.map((entry) => namedDrafts(entry, source)),
		...entries.flatMap(([, entry]) => (isRecord(entry) ? (unlistedIn(entry, source) ?? []) : [])),
	];
	return inner.length > 0 ? joinedDrafts(inner) : undefined;
}

/** The description of a package, such as `package.json` or `server.json`. Its URLs are pages to read, such as its repository. */
function isPackage({ name, version }: JsonRecord): boolean {
	return typeof name === 'string' && typeof version === 'string';
}
