import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../discovery/record.ts';
import { nodeValue, parseDocument, withoutByteOrderMark } from '../document.ts';
import { LineIndex, quoted } from '../place.ts';
import { type ForeignLaunch, readForeignLaunch } from './foreignLaunch.ts';
import type { ImportSource } from './importSources.ts';

/** A server as another program's file has it; its texts still hold that program's variables, and secrets. */
export interface ForeignServer {
	readonly source: ImportSource;
	readonly name: string;
	readonly launch: ForeignLaunch;
	/** The other program does not start it. */
	readonly disabled: boolean;
	/** What of the entry is not taken over: sentences that name keys, never values. */
	readonly notes: readonly string[];
	/** What VS Code asks for by `${input:id}`, by id. */
	readonly inputs: ReadonlyMap<string, ForeignInput>;
}

/** A value that VS Code asks for. */
export interface ForeignInput {
	readonly description?: string;
	/** What may be chosen; absent: any text. */
	readonly options?: readonly { readonly value: string; readonly label?: string }[];
	readonly default?: string;
	/** It is not to be seen while it is typed. */
	readonly password: boolean;
}

/** What one file came to. */
export interface ForeignFile {
	readonly servers: readonly ForeignServer[];
	/** What could not be read, a sentence each, without values of the file. */
	readonly faults: readonly string[];
}

/** Most servers that are read of one file; each that is written costs a parse of the configuration. */
const maxServers = 200;

/** VS Code's own first; it reads the other, too, and people paste either into every file. */
const sections = ['servers', 'mcpServers'];

/** Reads the text of one file: JSON with comments and trailing commas. Never throws. */
export function readForeignServers(source: ImportSource, text: string): ForeignFile {
	const shown = withoutByteOrderMark(text);
	if (shown.trim() === '') return { servers: [], faults: [] };
	const { root, faults } = parseDocument(shown);
	if (!root) return { servers: [], faults: faults.slice(0, 1).map((fault) => syntaxText(shown, fault)) };
	const file = nodeValue(root);
	return isRecord(file) ? readSections(source, file) : { servers: [], faults: [] };
}

function syntaxText(text: string, { message, offset }: { message: string; offset: number }): string {
	return l10n.t('Line {0}: {1}', new LineIndex(text).positionAt(offset).line + 1, message);
}

function readSections(source: ImportSource, file: JsonRecord): ForeignFile {
	const servers = new Map<string, ForeignServer>();
	const faults: string[] = [];
	const inputs = readInputs(file.inputs);
	for (const section of sections) {
		const entries = file[section];
		if (entries === undefined) continue;
		if (!isRecord(entries)) {
			faults.push(l10n.t('{0} is not an object with a server for each name.', quoted(section)));
			continue;
		}
		for (const [name, entry] of Object.entries(entries)) {
			if (servers.size >= maxServers) {
				faults.push(l10n.t('Only the first {0} servers are read.', maxServers));
				break;
			}
			const read = readForeignLaunch(entry);
			if ('fault' in read)
				faults.push(l10n.t('The server {0} cannot be read: {1}.', quoted(name), read.fault));
			else if (servers.has(name))
				faults.push(l10n.t('The server {0} stands in "servers", too, which wins.', quoted(name)));
			else servers.set(name, { source, name, ...read, inputs });
		}
	}
	return { servers: [...servers.values()], faults };
}

/** Most choices of one input that are read. */
const maxOptions = 200;

function readInputs(inputs: unknown): ReadonlyMap<string, ForeignInput> {
	const list = Array.isArray(inputs) ? inputs.filter(isRecord) : [];
	return new Map(
		list.flatMap(({ id, description, options, default: byDefault, password }) => {
			if (typeof id !== 'string') return [];
			const choices = Array.isArray(options) ? options.slice(0, maxOptions).flatMap(readOption) : [];
			const input: ForeignInput = {
				...(typeof description === 'string' ? { description } : {}),
				...(choices.length > 0 ? { options: choices } : {}),
				...(typeof byDefault === 'string' && byDefault !== '' ? { default: byDefault } : {}),
				password: password === true,
			};
			return [[id, input] as const];
		}),
	);
}

function readOption(option: unknown): readonly { readonly value: string; readonly label?: string }[] {
	if (typeof option === 'string') return [{ value: option }];
	if (!isRecord(option) || typeof option.value !== 'string') return [];
	const { value, label } = option;
	return [{ value, ...(typeof label === 'string' && label !== value ? { label } : {}) }];
}
