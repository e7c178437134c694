import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { readDocument } from '../../file/document.ts';
import { LineIndex, quoted } from '../../file/jsonPath.ts';
import type { ImportSource } from '../../import/importSources.ts';
import { readEntry } from '../readEntry.ts';
import type { DraftInput, Drafts, ServerDraft } from '../serverDraft.ts';

/** Most servers read from one file: each one that is written costs a parse of the configuration. */
const maxServers = 200;

/** VS Code's own section first. It reads the other too, and people paste either into any file. */
const foreignSections = ['servers', 'mcpServers'];

/** Reads one file: JSON with comments and trailing commas. Never throws. */
export function readForeignServers(source: ImportSource, text: string): Drafts {
	if (text.trim() === '') return { servers: [], faults: [] };
	const { text: shown, value, faults } = readDocument(text);
	if (isRecord(value)) return readSections(source, value);
	return { servers: [], faults: faults.slice(0, 1).map((fault) => syntaxText(shown, fault)) };
}

function syntaxText(text: string, { message, offset }: { message: string; offset: number }): string {
	return l10n.t('Line {0}: {1}', new LineIndex(text).positionAt(offset).line + 1, message);
}

function readSections(source: ImportSource, file: JsonRecord): Drafts {
	const servers = new Map<string, ServerDraft>();
	const faults: string[] = [];
	const inputs = readInputs(file.inputs);
	for (const section of foreignSections) {
		const entries = file[section];
		if (entries === undefined) continue;
		if (!isRecord(entries)) {
			faults.push(l10n.t('{0} is not an object that maps names to servers.', quoted(section)));
			continue;
		}
		for (const [name, entry] of Object.entries(entries)) {
			if (servers.size >= maxServers) {
				faults.push(l10n.t('Only the first {0} servers are read.', maxServers));
				break;
			}
			const read = readEntry(entry);
			if ('fault' in read)
				faults.push(l10n.t('The server {0} cannot be read: {1}.', quoted(name), read.fault));
			else if (servers.has(name))
				faults.push(l10n.t('The server {0} is also in "servers", which wins.', quoted(name)));
			else servers.set(name, { source, name, ...read, inputs });
		}
	}
	return { servers: [...servers.values()], faults };
}

/** Most options of one input. */
const maxOptions = 200;

export function readInputs(inputs: unknown): ReadonlyMap<string, DraftInput> {
	const list = Array.isArray(inputs) ? inputs.filter(isRecord) : [];
	return new Map(
		list.flatMap(({ id, description, options, default: byDefault, password }) => {
			if (typeof id !== 'string') return [];
			const choices = Array.isArray(options) ? options.slice(0, maxOptions).flatMap(readOption) : [];
			const input: DraftInput = {
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
