import * as l10n from '@vscode/l10n';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { type DraftInput, mapTexts, type ServerDraft, type ServerJson } from '../add/serverDraft.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import { splitCredentials } from '../servers/address.ts';
import { secretsAt } from '../servers/launch.ts';
import { isReference, referencesIn, type TranslationScope, translateVariables } from './foreignVariables.ts';

/** A secret taken out of an entry, to be stored. Never show `value`. */
export interface ImportedSecret {
	/** The environment variable that the entry now reads. */
	readonly name: string;
	readonly value: string;
}

/** A server in our format: only `secrets` contains secrets. Its inputs are those to ask for, by the environment variables that replace them. */
export interface ImportedServer extends ServerDraft {
	readonly secrets: readonly ImportedSecret[];
}

export interface ImportScope {
	/** The environment that servers will start from, with `.env` and stored secrets. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: NodeJS.Platform;
	/** Secret answers by input id. These inputs are not asked for again. */
	readonly answers?: ReadonlyMap<string, string>;
}

/** How a configuration reads a variable. */
const usage = `\${env:NAME}`;

/** Shortest secret that is also searched for in other texts of its server. Shorter ones may occur by chance. */
const minSoughtLength = 8;

/**
 * Converts servers of other programs to our format. Pass all servers of an import at once, always in the same order, so that no two secrets
 * get the same name, and a later import gives the same names.
 */
export function convertServers(
	servers: readonly ServerDraft[],
	scope: ImportScope,
): readonly ImportedServer[] {
	const names = new VariableNames(scope.env);
	const translated = servers.map((server) => translatedServer(server, scope, names));
	names.reserve(new Set(translated.flatMap(({ server: { entry } }) => variablesIn(entry))));
	return translated.map(({ server, secretAnswers }) => importedServer(server, names, secretAnswers));
}

function translatedServer(
	server: ServerDraft,
	scope: ImportScope,
	names: VariableNames,
): { readonly server: ServerDraft; readonly secretAnswers: ReadonlyMap<string, string> } {
	const { source, names: syntax, inputs, entry } = server;
	const notes = new Set(server.notes);
	const openInputs = new Map<string, DraftInput>();
	/** Answers by the variables that replace the inputs. */
	const secretAnswers = new Map<string, string>();
	const translation: TranslationScope = {
		...scope,
		names: syntax,
		ownVariables: ownVariables(entry),
		inputVariable: (id) => {
			const answer = scope.answers?.get(id);
			if (answer !== undefined) {
				const variable = names.forSecret(server.name, id, answer);
				secretAnswers.set(variable, answer);
				return variable;
			}
			const name = names.forInput(source.path, id);
			if (scope.env[name] === undefined) openInputs.set(name, inputs.get(id) ?? { password: false });
			else
				notes.add(
					l10n.t(
						'Its input {0} is read from the environment variable {1}, which is set.',
						quoted(id),
						quoted(name),
					),
				);
			return name;
		},
		note: (sentence) => notes.add(sentence),
	};
	const startsShell = entry.args?.some((word) => /^(-\w*c|\/c)$/i.test(word)) ?? false;
	const translated = mapTexts(entry, (text, [key]) => {
		// The shell expands these itself.
		const isForShell = startsShell && key === 'args';
		const names = isForShell && syntax === 'shell' ? 'none' : syntax;
		// A variable named like another of the entry is that of the program's own environment.
		const ownNames = key === 'env' ? new Set<string>() : translation.ownVariables;
		return translateVariables(text, { ...translation, names, ownVariables: ownNames, isForShell });
	});
	return { server: { ...server, entry: translated, inputs: openInputs, notes: [...notes] }, secretAnswers };
}

/** The variables to which an entry gives a value of its own. One that only passes on the variable of the same name has its value anyway. */
function ownVariables({ env = {} }: ServerJson): ReadonlySet<string> {
	const ownEntries = Object.entries(env).filter(
		([name, value]) => value.replace(/^[{$%]+(env:)?|[}%]+$/g, '') !== name,
	);
	return new Set(ownEntries.map(([name]) => name));
}

function importedServer(
	server: ServerDraft,
	names: VariableNames,
	secretAnswers: ReadonlyMap<string, string>,
): ImportedServer {
	const { source, name } = server;
	const secrets = new Map(secretAnswers);
	const notes = [...server.notes];
	const withoutUser = withoutUserinfo(server.entry, notes);
	const spansAt = secretsAt(name, withoutUser);
	const launch = mapTexts(withoutUser, (text, path) => {
		const spans = isReference(text) ? [] : spansAt(path);
		if (spans.some(({ kind }) => kind === 'placeholder')) notes.push(placeholderNote(path));
		return withVariables(text, spans, (wish, value) => {
			const variable = names.forSecret(name, wish, value);
			secrets.set(variable, value);
			return variable;
		});
	});
	const variables = new Map([...secrets].map(([variable, value]) => [value, variable]));
	const sought = patternOfSecrets([...secrets.values()]);
	if (launch.disabled)
		notes.unshift(
			source.product === undefined
				? l10n.t('It is disabled until you enable it.')
				: l10n.t('It is disabled in {0} until you enable it.', source.product),
		);
	return {
		...server,
		entry: mapTexts(launch, (text) => withoutRepeated(text, variables, sought)),
		secrets: [...secrets].map(([variable, value]) => ({ name: variable, value })),
		notes: [...new Set(notes)],
	};
}

function placeholderNote([key, inner]: Path): string {
	switch (key) {
		case 'url':
			return l10n.t('Its URL contains a placeholder. Replace it with the value, preferably as {0}.', usage);
		case 'command':
			return l10n.t(
				'Its command contains a placeholder. Replace it with the value, preferably as {0}.',
				usage,
			);
		case 'args':
			return l10n.t(
				'Its arguments contain a placeholder. Replace it with the value, preferably as {0}.',
				usage,
			);
		default:
			return l10n.t(
				'{0} contains a placeholder. Replace it with the value, preferably as {1}.',
				quoted(String(inner)),
				usage,
			);
	}
}

function withVariables(
	text: string,
	spans: readonly SecretSpan[],
	variableFor: (wish: string, value: string) => string,
): string {
	let result = text;
	const references = referencesIn(text);
	for (const { kind, start, end, wish } of spans.toSorted((a, b) => b.start - a.start)) {
		const isElsewhere = references.some((reference) => reference.start < end && start < reference.end);
		if (kind === 'secret' && !isElsewhere && !isReference(text.slice(start, end))) {
			result = `${result.slice(0, start)}\${env:${variableFor(wish, text.slice(start, end))}}${result.slice(end)}`;
		}
	}
	return result;
}

/** A key in "env" is often in "args" too. Variables are skipped, as their names may contain a secret. */
function withoutRepeated(text: string, variables: ReadonlyMap<string, string>, sought: RegExp): string {
	return text.replace(sought, (match) => {
		const variable = variables.get(match);
		return variable === undefined ? match : `\${env:${variable}}`;
	});
}

/** Matches variables and any of these values, the longest first. */
function patternOfSecrets(values: readonly string[]): RegExp {
	const patterns = values
		.filter((value) => value.length >= minSoughtLength)
		.toSorted((a, b) => b.length - a.length)
		.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	return new RegExp(['\\$\\{[^{}]*\\}', ...patterns].join('|'), 'g');
}

/** `fetch` does not send a user name and password in an address, and no entry may contain them. A header does the same. */
function withoutUserinfo(entry: ServerJson, notes: string[]): ServerJson {
	const { address: url, basic } = splitCredentials(entry.url ?? '') ?? {};
	if (url === undefined) return entry;
	const { headers = {} } = entry;
	const isAuthorized = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
	if (isAuthorized || basic === undefined) {
		notes.push(l10n.t('The user name and password in its URL are removed; send them in "headers".'));
		return { ...entry, url };
	}
	notes.push(l10n.t('The user name and password in its URL are sent in the header "Authorization" instead.'));
	return { ...entry, url, headers: { ...headers, Authorization: `Basic ${basic}` } };
}
