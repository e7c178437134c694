import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { readDocument } from '../../file/document.ts';
import { LineIndex } from '../../file/jsonPath.ts';
import type { Product } from '../../import/importSources.ts';
import { draftsOf, fault, isEntry, joined, namedDrafts } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';
import { isServerJson, readServerJson } from './serverJson.ts';

/** JSON as in readmes: complete, without its outermost braces, surrounded by words, or with typographic quotes. */
export function readJson(text: string): Drafts | undefined {
	if (!text.includes('{')) return undefined;
	const straight = text.replace(/[“”„]/g, '"').replaceAll('\u00a0', ' ');
	const inner = straight.slice(straight.indexOf('{'), straight.lastIndexOf('}') + 1);
	const start = /"[^"\n]{1,100}"\s*:\s*\{/.exec(straight)?.index ?? straight.length;
	const tried = [text, straight, `{${straight.slice(start, straight.lastIndexOf('}') + 1)}}`, inner];
	for (const json of tried) {
		const { value } = readDocument(json);
		if (!isRecord(value)) continue;
		const read = serversIn(value);
		if (read) return read;
	}
	const { text: shown, value, faults } = readDocument(text.startsWith('{') ? text : inner);
	const [first] = faults;
	if (isRecord(value) || !first)
		return fault(l10n.t('This JSON names no server: none of its objects has a "command" or a "url".'));
	const line = new LineIndex(shown).positionAt(first.offset).line + 1;
	return fault(l10n.t('The JSON cannot be read. Line {0}: {1}', line, first.message));
}

/** The keys under which programs list servers by name. */
const sections = ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'mcp.servers', 'amp.mcpServers'];

/** The servers in any object; `undefined`: none. */
export function serversIn(value: JsonRecord): Drafts | undefined {
	if (isServerJson(value)) return readServerJson(value);
	if (isRecord(value.server) && isServerJson(value.server)) return readServerJson(value.server);
	const holder = isRecord(value.mcp) && !isEntry(value.mcp) ? value.mcp : value;
	const inputs = holder.inputs ?? value.inputs;
	for (const key of sections) {
		const section = holder[key];
		if (isRecord(section)) return entries(section, productOf(key), inputs);
	}
	if (isEntry(value)) return namedDrafts(value);
	const isMap = Object.values(holder).some((one) => isRecord(one) && isEntry(one));
	if (isMap) return entries(holder, 'Claude Code', inputs);
	// They may be nested in other settings.
	for (const one of Object.values(value)) {
		const read = isRecord(one) ? serversIn(one) : undefined;
		if (read) return read;
	}
	return undefined;
}

/** Only Claude Code reads `${NAME}`. Readmes for all programs mostly mean it too. */
function productOf(section: string): Product {
	return section === 'servers' || section === 'mcp.servers' ? 'VS Code' : 'Claude Code';
}

function entries(section: JsonRecord, product: Product, inputs: unknown): Drafts {
	const all = Object.entries(section).filter((one): one is [string, JsonRecord] => isRecord(one[1]));
	return joined(all.map(([name, entry]) => draftsOf({ name, entry, product, inputs })));
}
