import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { quoted } from '../file/jsonPath.ts';
import type { ImportSource, Product } from '../import/importSources.ts';
import { draftsOf, fault, joined, namedDrafts, readInputs } from './draftsOf.ts';
import { isEntry } from './entryShapes.ts';
import type { Drafts, ServerDraft } from './serverDraft.ts';

/** A key under which programs list their servers. */
interface Section {
	readonly keys: readonly string[];
	/** The program that reads it, if the file is none of a known program. */
	readonly product?: Product;
	/** The key is also used for other things. */
	readonly isShared?: true;
}

/** VS Code's comes first: it reads others too, and people paste into any file. */
const sections: readonly Section[] = [
	{ keys: ['servers', 'mcp.servers'], product: 'VS Code' },
	{ keys: ['mcpServers', 'mcp_servers', 'mcpservers', 'mcp-servers', 'modelContextProtocolServers'] },
	{ keys: ['context_servers'], product: 'Zed' },
	{ keys: ['amp.mcpServers'], product: 'Amp' },
	{ keys: ['mcp', 'extensions'], isShared: true },
];

export const sectionKeys: readonly string[] = sections.flatMap(({ keys }) => keys);

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
}

/** The servers that a document defines, wherever its program lists them; `undefined`: none. */
export function serversIn(value: JsonRecord, source?: ImportSource): Drafts | undefined {
	const listed = listedIn(value, { ...(source && { source }), inputs: new Map(), depth: 0, off: [] });
	if (listed.length > 0) return joined(listed);
	return unlistedIn(value, source);
}

function listedIn(value: JsonRecord, { inputs: outer, off: outerOff, ...place }: Place): readonly Drafts[] {
	const inputs = value.inputs === undefined ? outer : readInputs(value.inputs);
	const mcp = isRecord(value.mcp) ? value.mcp.excluded : undefined;
	const off = [outerOff, mcp, value.excludeMCPServers, value.disabledMcpServers].flatMap((names) =>
		Array.isArray(names) ? names : [],
	);
	const seen = new Set<string>();
	const read = new Set<string>();
	const found: Drafts[] = [];
	for (const section of sections) {
		for (const key of section.keys) {
			if (value[key] === undefined) continue;
			const entries = entriesOf(value[key], section);
			if (!entries) continue;
			read.add(key);
			if (entries === 'not a list') {
				found.push(fault(l10n.t('{0} is not an object that maps names to servers.', quoted(key))));
				continue;
			}
			const { product: ofFile } = place.source ?? {};
			const product = ofFile === 'VS Code' ? section.product : (ofFile ?? section.product);
			for (const [name, entry] of entries) {
				if (seen.has(name)) {
					const twice = l10n.t('The server {0} is also in "servers", which takes precedence.', quoted(name));
					found.push(fault(twice));
					continue;
				}
				const drafts = draftsOf({
					name,
					entry: off.includes(name) && isRecord(entry) ? { ...entry, disabled: true } : entry,
					inputs,
					...(product && { product }),
					...(place.source && { source: place.source }),
					...(place.folder !== undefined && {
						notes: [l10n.t('It was set up for the folder {0}.', quoted(place.folder))],
					}),
				});
				if (drafts.servers.length > 0 && name !== '') seen.add(name);
				found.push(drafts);
			}
		}
	}
	if (place.depth >= deepest) return found;
	const deeper = Object.entries(value).flatMap(([key, one]) => {
		if (read.has(key) || !isRecord(one)) return [];
		const folder = /^([A-Za-z]:)?[\\/]/.test(key) ? { folder: key } : {};
		return listedIn(one, { ...place, ...folder, inputs, off, depth: place.depth + 1 });
	});
	return [...found, ...deeper];
}

/** The entries of a section by their names, which may be missing in lists. `undefined`: the key has another meaning here. */
function entriesOf(
	section: unknown,
	{ keys, isShared }: Section,
): readonly (readonly [name: string, entry: unknown])[] | 'not a list' | undefined {
	if (Array.isArray(section)) {
		const entries = section.map((entry): readonly [string, unknown] => {
			const { name, key } = isRecord(entry) ? entry : {};
			return [[name, key].find((one) => typeof one === 'string') ?? '', entry];
		});
		// The servers of OpenAPI have no names, and are not ours.
		const isOurs = entries.some(([name, entry]) => isRecord(entry) && isEntry(entry) && name !== '');
		return isOurs || !(isShared || keys.includes('servers')) ? entries : undefined;
	}
	if (!isRecord(section)) return isShared ? undefined : 'not a list';
	const entries = Object.entries(section);
	if (!isShared) return entries;
	return !isEntry(section) && entries.some(([, entry]) => isRecord(entry) && isEntry(entry))
		? entries
		: undefined;
}

/** The servers of a document without a section: a single entry, entries by their names, or such in other settings. */
function unlistedIn(value: JsonRecord, source: ImportSource | undefined): Drafts | undefined {
	if (isEntry(value)) return namedDrafts(value, source);
	if (isPackage(value)) return undefined;
	const entries = Object.entries(value).filter(([, one]) => isRecord(one));
	if (entries.some(([, one]) => isRecord(one) && isEntry(one))) {
		const inputs = readInputs(value.inputs);
		return joined(
			entries.map(([name, entry]) => draftsOf({ name, entry, inputs, ...(source && { source }) })),
		);
	}
	for (const [, one] of entries) {
		const read = isRecord(one) ? unlistedIn(one, source) : undefined;
		if (read) return read;
	}
	return undefined;
}

/** The description of a package, such as `package.json` or `server.json`. Its URLs are pages to read, such as its repository. */
function isPackage({ name, version }: JsonRecord): boolean {
	return typeof name === 'string' && typeof version === 'string';
}
