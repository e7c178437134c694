import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordsIn } from '../../common/json.ts';
import { quoted } from '../file/jsonPath.ts';
import { type ImportSource, nameSyntaxOf, type Product } from '../import/importSources.ts';
import { bridgedServer } from './bridge.ts';
import { isEntry, normalizedEntry } from './entryShapes.ts';
import { readEntry } from './readEntry.ts';
import type { DraftInput, Drafts, ServerDraft } from './serverDraft.ts';
import { imageIndex, isAddress, nameOfEntry, startsContainer } from './serverNames.ts';

/** A server as found in a text: an entry in the format of the program that the text is for. */
interface Written extends Partial<Pick<ServerDraft, 'name' | 'source' | 'inputs' | 'notes'>> {
	readonly entry: unknown;
	/** Whose variables the entry uses. */
	readonly product?: Product;
}

export const noDrafts: Drafts = { servers: [], faults: [] };

/** Why a text names no server, as a sentence. */
export function fault(sentence: string): Drafts {
	return { servers: [], faults: [sentence] };
}

export function joinedDrafts(parts: readonly Drafts[]): Drafts {
	return {
		servers: parts.flatMap(({ servers }) => servers),
		faults: parts.flatMap(({ faults }) => faults),
	};
}

/** The first servers, and a fault if there are more. */
export function atMost(count: number, { servers, faults }: Drafts): Drafts {
	const over = servers.length > count ? [l10n.t('Only the first {0} servers are read.', count)] : [];
	return { servers: servers.slice(0, count), faults: [...faults, ...over] };
}

/** The draft of one server, made to start here; or why there is none. A missing name is derived from what it runs or reaches. */
export function draftsOf({ name = '', entry: writtenEntry, product, ...written }: Written): Drafts {
	const entry =
		typeof writtenEntry === 'string' && isAddress(writtenEntry) ? { url: writtenEntry } : writtenEntry;
	const { type } = isRecord(entry) ? entry : {};
	if (typeof type === 'string' && builtIn.has(type) && isRecord(entry) && !isEntry(entry))
		return fault(l10n.t('{0} is part of its program, so it cannot be used here.', quoted(name)));
	const launchable = startable(isRecord(entry) ? normalizedEntry(entry) : {});
	const draftName = name.trim() === '' ? nameOfEntry(launchable.entry) : name;
	const read = readEntry(isRecord(entry) ? launchable.entry : entry);
	if ('fault' in read)
		return fault(l10n.t('The server {0} cannot be read: {1}.', quoted(draftName), read.fault));
	const draft: ServerDraft = {
		source: pasted,
		inputs: new Map(),
		names: nameSyntaxOf(product),
		...written,
		...read,
		name: draftName,
		notes: [...(written.notes ?? []), ...launchable.notes, ...read.notes],
	};
	return { servers: [draft], faults: [] };
}

const pasted: ImportSource = { path: 'pasted' };
/** What Goose calls extensions, too. */
const builtIn = new Set(['builtin', 'platform', 'frontend']);

/** Drafts from one object with the entry, its name and inputs, as in links and `--add-mcp`. */
export function namedDrafts({ name, inputs, ...entry }: JsonRecord, source?: ImportSource): Drafts {
	const named = [name, entry.server_label].find((text) => typeof text === 'string');
	return draftsOf({
		entry,
		inputs: readInputs(inputs),
		...(source && { source }),
		...(named !== undefined && { name: named }),
	});
}

/**
 * Changes an entry so that it starts without a shell or a terminal. `cmd /c` before a command is not needed, and would not work elsewhere. Nor
 * is a bridge to a remote server. A container must keep its input open, and must not have a terminal, whose control characters would mix with
 * messages. Variables that `-e NAME` or `--env=NAME` takes from the shell are asked for.
 */
function startable(entry: JsonRecord): { readonly entry: JsonRecord; readonly notes: readonly string[] } {
	const { command, args } = entry;
	if (typeof command !== 'string' || !Array.isArray(args)) return { entry, notes: [] };
	const texts = args.filter((word) => typeof word === 'string');
	if (texts.length !== args.length) return { entry, notes: [] };
	const [option = '', first = '', ...others] = texts;
	// The whole command may be one word.
	const [program = '', ...rest] =
		others.length === 0 && isPlain(first) ? first.split(/\s+/) : [first, ...others];
	if (/^cmd(\.exe)?$/i.test(command) && /^\/c$/i.test(option) && /^[\w@./:\\-]+$/.test(program)) {
		const note = l10n.t('{0} before the command is removed: it is not needed here.', quoted('cmd /c'));
		const inner = startable({ ...entry, command: program, args: rest });
		return { entry: inner.entry, notes: [note, ...inner.notes] };
	}
	const bridged = bridgedServer(entry, texts);
	if (bridged) {
		const note = l10n.t('{0} is not needed: the server is reached directly.', quoted(bridged.bridge));
		const inner = startable(bridged.entry);
		return { entry: inner.entry, notes: [note, ...inner.notes] };
	}
	return startsContainer(command, texts) ? startableContainer(entry, texts) : { entry, notes: [] };
}

/** Words without quotes, variables and operators of a shell. */
function isPlain(line: string): boolean {
	return /^[\w@./:\\= -]+$/.test(line);
}

function startableContainer(
	entry: JsonRecord,
	args: readonly string[],
): { readonly entry: JsonRecord; readonly notes: readonly string[] } {
	const image = imageIndex(args);
	const notes: string[] = [];
	const withoutTerminal = args.flatMap((word, index) => {
		if (index >= image || !/^(-[itd]*[td][itd]*|--tty|--detach)$/.test(word)) return [word];
		notes.push(l10n.t('{0} is removed: the server runs over stdio, without a terminal.', quoted(word)));
		return word.includes('i') && !word.startsWith('--') ? ['-i'] : [];
	});
	const isOpen = withoutTerminal.some((word) => /^(-i|--interactive)$/.test(word));
	if (!isOpen)
		notes.push(
			l10n.t('{0} was added, because the server could not receive messages without it.', quoted('-i')),
		);
	const afterRun = withoutTerminal.indexOf('run') + 1;
	const words = isOpen ? withoutTerminal : withoutTerminal.toSpliced(afterRun, 0, '-i');
	const entryEnv = isRecord(entry.env) ? entry.env : {};
	const passedNames = args
		.slice(0, image)
		.flatMap((word, index) => {
			const value = /^(-e|--env)$/.test(args[index - 1] ?? '')
				? word
				: /^(?:--env=|-e=?)(.+)$/.exec(word)?.[1];
			return value !== undefined && /^[A-Za-z_]\w*$/.test(value) ? [value] : [];
		})
		.filter((name) => !Object.hasOwn(entryEnv, name));
	const env = { ...Object.fromEntries(passedNames.map((name) => [name, `\${env:${name}}`])), ...entryEnv };
	return { entry: { ...entry, args: words, ...(Object.keys(env).length > 0 && { env }) }, notes };
}

/** Most options of one input. */
const maxOptions = 200;

/** The inputs that VS Code asks for, as in its file. */
export function readInputs(inputs: unknown): ReadonlyMap<string, DraftInput> {
	const list = recordsIn(inputs);
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
