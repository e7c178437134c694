import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { ConfigText } from '../../file/configText.ts';
import { LineIndex, quoted } from '../../file/jsonPath.ts';
import type { ImportSource } from '../../import/importSources.ts';
import { atMost, draftsOf, fault, isEntry, joined, namedDrafts, noDrafts, readInputs } from '../draftsOf.ts';
import type { Drafts, ServerDraft } from '../serverDraft.ts';

/** JSON as in readmes: complete, without its outermost braces, surrounded by words, or with typographic quotes. */
export function readJson(text: string): Drafts | undefined {
	if (!text.includes('{')) return undefined;
	const straight = text.replace(/[“”„]/g, '"').replaceAll('\u00a0', ' ');
	const inner = straight.slice(straight.indexOf('{'), straight.lastIndexOf('}') + 1);
	const start = /"[^"\n]{1,100}"\s*:\s*\{/.exec(straight)?.index ?? straight.length;
	const tried = [text, straight, `{${straight.slice(start, straight.lastIndexOf('}') + 1)}}`, inner];
	for (const json of tried) {
		const { value } = ConfigText.of(json);
		if (!isRecord(value)) continue;
		const read = serversIn(value);
		if (read) return read;
	}
	const { text: shown, value, faults } = ConfigText.of(text.startsWith('{') ? text : inner);
	const [first] = faults;
	if (isRecord(value) || !first)
		return fault(l10n.t('This JSON defines no server with a "command" or a "url".'));
	const line = new LineIndex(shown).positionAt(first.offset).line + 1;
	return fault(l10n.t('The JSON cannot be read. Line {0}: {1}', line, first.message));
}

/** Maximum servers read from one file: adding each of them parses the configuration once. */
const maxServers = 200;

/** Reads another program's file: JSON with comments and trailing commas. Never throws. */
export function readForeignServers(source: ImportSource, text: string): Drafts {
	if (text.trim() === '') return noDrafts;
	const { text: shown, value, faults } = ConfigText.of(text);
	if (isRecord(value)) return atMost(maxServers, listedServers(value, source) ?? noDrafts);
	return joined(
		faults.slice(0, 1).map(({ message, offset }) => {
			const line = new LineIndex(shown).positionAt(offset).line + 1;
			return fault(l10n.t('Line {0}: {1}', line, message));
		}),
	);
}

/** The servers in any object; `undefined`: none. */
export function serversIn(value: JsonRecord): Drafts | undefined {
	const listed = listedServers(value);
	if (listed) return listed;
	if (isEntry(value)) return namedDrafts(value);
	if (isPackage(value)) return undefined;
	const { holder, inputs } = holderIn(value);
	const entries = Object.entries(holder).filter(([, one]) => isRecord(one));
	if (entries.some(([, one]) => isRecord(one) && isEntry(one)))
		return joined(entries.map(([name, entry]) => draftsOf({ name, entry, product: 'Claude Code', inputs })));
	// They may be nested in other settings.
	for (const one of Object.values(value)) {
		const read = isRecord(one) ? serversIn(one) : undefined;
		if (read) return read;
	}
	return undefined;
}

/** The description of a package, such as `package.json` or `server.json`. Its URLs are pages to read, such as its repository. */
function isPackage({ name, version }: JsonRecord): boolean {
	return typeof name === 'string' && typeof version === 'string';
}

/** Where servers may be listed: some programs have them below `mcp`. */
function holderIn(value: JsonRecord): Pick<ServerDraft, 'inputs'> & { readonly holder: JsonRecord } {
	const holder = isRecord(value.mcp) && !isEntry(value.mcp) ? value.mcp : value;
	return { holder, inputs: readInputs(holder.inputs ?? value.inputs) };
}

/** The keys under which programs list servers by name. VS Code's own comes first: it reads others too, and people paste into any file. */
const sections = ['servers', 'mcp.servers', 'mcpServers', 'mcp_servers', 'context_servers', 'amp.mcpServers'];

/** The servers in the sections of an object; `undefined`: it has none. */
function listedServers(value: JsonRecord, source?: ImportSource): Drafts | undefined {
	const { holder, inputs } = holderIn(value);
	const present = sections.filter((key) => holder[key] !== undefined);
	if (present.length === 0) return undefined;
	const seen = new Set<string>();
	const read = present.flatMap((key) => {
		const section = holder[key];
		if (!isRecord(section))
			return [fault(l10n.t('{0} is not an object that maps names to servers.', quoted(key)))];
		// Only Claude Code reads `${NAME}`. Readmes for all programs mostly mean it too.
		const product = /^(mcp\.)?servers$/.test(key) ? 'VS Code' : 'Claude Code';
		return Object.entries(section).map(([name, entry]) => {
			if (seen.has(name))
				return fault(l10n.t('The server {0} is also in "servers", which takes precedence.', quoted(name)));
			const drafts = draftsOf({ name, entry, product, inputs, ...(source && { source }) });
			if (drafts.servers.length > 0) seen.add(name);
			return drafts;
		});
	});
	return joined(read);
}
