import * as l10n from '@vscode/l10n';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { type DraftEntry, type DraftInput, type ServerDraft, textsIn } from '../add/serverDraft.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import { splitCredentials } from '../servers/address.ts';
import { secretsOfLaunch } from '../servers/launch.ts';
import type { ForeignDecision } from './foreignPermissions.ts';
import { type TranslationScope, translateVariables } from './foreignVariables.ts';
import type { ImportSource } from './importSources.ts';

/** An entry of our `servers` section, as it is written. */
export type ServerJson = Readonly<
	Record<
		string,
		| string
		| boolean
		| readonly string[]
		| Readonly<Record<string, string>>
		| Readonly<Record<string, string | number | readonly string[]>>
		| Readonly<Record<string, { readonly disabled: boolean }>>
	>
>;

/** A secret taken out of an entry, to be stored. Never show `value`. */
export interface ImportedSecret {
	/** The environment variable that the entry now reads. */
	readonly name: string;
	readonly value: string;
}

/** A server in our format. Only `secrets` contains secrets. */
export interface ImportedServer {
	readonly source: ImportSource;
	/** As the other program has it; it may be invalid here. */
	readonly name: string;
	readonly entry: ServerJson;
	readonly secrets: readonly ImportedSecret[];
	/** VS Code's inputs, by the environment variable that replaces them. */
	readonly inputs: ReadonlyMap<string, DraftInput>;
	/** What the user should know before choosing it, as sentences. */
	readonly notes: readonly string[];
	/** False for servers that are disabled in the other program. */
	readonly preselected: boolean;
	/** What the other program lets its tools do, for the user to decide on. */
	readonly decisions?: readonly ForeignDecision[];
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
	names.reserve(new Set(translated.flatMap(({ server: { entry } }) => variablesIn(textsIn(entry)))));
	return translated.map(({ server, given }) => importedServer(server, names, given));
}

function translatedServer(
	server: ServerDraft,
	scope: ImportScope,
	names: VariableNames,
): { readonly server: ServerDraft; readonly given: ReadonlyMap<string, string> } {
	const { source, inputs, entry } = server;
	const notes = new Set(server.notes);
	const asked = new Map<string, DraftInput>();
	/** Answers by the variables that replace the inputs. */
	const given = new Map<string, string>();
	const translation: TranslationScope = {
		...scope,
		product: source.product,
		inputVariable: (id) => {
			const answer = scope.answers?.get(id);
			if (answer !== undefined) {
				const variable = names.forSecret(server.name, id, answer);
				given.set(variable, answer);
				return variable;
			}
			const name = names.forInput(source.path, id);
			const input = inputs.get(id) ?? { password: false };
			asked.set(name, input);
			notes.add(inputNote(id, name, scope.env[name] !== undefined));
			return name;
		},
		note: (sentence) => notes.add(sentence),
	};
	const translate = (text: string) => translateVariables(text, translation);
	const translated = { ...server, entry: mapTexts(entry, translate), inputs: asked, notes: [...notes] };
	return { server: translated, given };
}

/** Its description, choices and default are shown when it is asked for, after the import. */
function inputNote(id: string, name: string, isSet: boolean): string {
	return isSet
		? l10n.t(
				'Its input {0} is read from the environment variable {1}, which is set.',
				quoted(id),
				quoted(name),
			)
		: l10n.t(
				'Its input {0} becomes the environment variable {1}, which you are asked for later.',
				quoted(id),
				quoted(name),
			);
}

/** Changes each text of a launch; `path`: keys from the entry, such as `['args', 1]`. */
export function mapTexts(launch: DraftEntry, change: (text: string, path: Path) => string): DraftEntry {
	const changeAll = (key: string, texts: ReadonlyMap<string, string>) =>
		new Map([...texts].map(([name, text]) => [name, change(text, [key, name])]));
	if (launch.kind === 'remote') {
		const { url, headers, oauth } = launch;
		const changed = (['client_id', 'client_secret'] as const).flatMap((key) => {
			const text = oauth?.[key];
			return text === undefined ? [] : [[key, change(text, ['oauth', key])] as const];
		});
		return {
			...launch,
			url: change(url, ['url']),
			headers: changeAll('headers', headers),
			...(oauth && { oauth: { ...oauth, ...Object.fromEntries(changed) } }),
		};
	}
	return {
		...launch,
		command: change(launch.command, ['command']),
		args: launch.args.map((text, index) => change(text, ['args', index])),
		env: changeAll('env', launch.env),
		...(launch.cwd === undefined ? {} : { cwd: change(launch.cwd, ['cwd']) }),
	};
}

function importedServer(
	server: ServerDraft,
	names: VariableNames,
	given: ReadonlyMap<string, string>,
): ImportedServer {
	const { source, name, disabled } = server;
	const secrets = new Map(given);
	const notes = [...server.notes];
	const withoutUser = withoutUserinfo(server.entry, notes);
	const spansByPath = new Map(
		[...secretsOfLaunch(name, withoutUser)].map(({ path, spans }) => [JSON.stringify(path), spans]),
	);
	const launch = mapTexts(withoutUser, (text, path) => {
		const spans = spansByPath.get(JSON.stringify(path)) ?? [];
		if (spans.some(({ kind }) => kind === 'placeholder')) notes.push(placeholderNote(path));
		return withVariables(text, spans, (wish, value) => {
			const variable = names.forSecret(name, wish, value);
			secrets.set(variable, value);
			return variable;
		});
	});
	const variables = new Map([...secrets].map(([variable, value]) => [value, variable]));
	const sought = patternOfSecrets([...secrets.values()]);
	const entry = {
		...entryOf(mapTexts(launch, (text) => withoutRepeated(text, variables, sought))),
		...disabledPart(server),
	};
	const decided = server.decisions?.map(({ tool }) => quoted(tool)) ?? [];
	if (decided.length > 0) notes.push(decisionsNote(source.product, decided));
	if (disabled) notes.unshift(l10n.t('It is disabled in {0} until you enable it.', source.product));
	return {
		source,
		name,
		entry,
		secrets: [...secrets].map(([variable, value]) => ({ name: variable, value })),
		inputs: server.inputs,
		notes: [...new Set(notes)],
		preselected: !disabled,
		...(server.decisions && { decisions: server.decisions }),
	};
}

/** What the other program does not use, under our names. */
function disabledPart({ disabled, toolNames }: ServerDraft): ServerJson {
	const tools = toolNames.disabled.map((tool) => [tool, { disabled: true }] as const);
	return {
		...(disabled && { disabled }),
		...(toolNames.enabled && { enabled_tools: toolNames.enabled }),
		...(tools.length > 0 && { tools: Object.fromEntries(tools) }),
	};
}

/** Tools that a note names. */
const shownDecisions = 5;

function decisionsNote(product: string, names: readonly string[]): string {
	const shown = names.slice(0, shownDecisions).join(', ');
	const list =
		names.length > shownDecisions ? l10n.t('{0} and {1} more', shown, names.length - shownDecisions) : shown;
	return l10n.t(
		'{0} has permission rules for tools of this server: {1}. They apply here only after you decide on them.',
		product,
		list,
	);
}

function placeholderNote([key, inner]: Path): string {
	switch (key) {
		case 'url':
			return l10n.t(
				'Its address contains a placeholder. Replace it with the value, preferably as {0}.',
				usage,
			);
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
	let rest = text;
	for (const { kind, start, end, wish } of spans.toSorted((a, b) => b.start - a.start)) {
		if (kind === 'secret') {
			rest = `${rest.slice(0, start)}\${env:${variableFor(wish, text.slice(start, end))}}${rest.slice(end)}`;
		}
	}
	return rest;
}

/** A key in "env" is often in "args" too. Variables are skipped, as their names may contain a secret. */
function withoutRepeated(text: string, variables: ReadonlyMap<string, string>, sought: RegExp): string {
	return text.replace(sought, (found) => {
		const variable = variables.get(found);
		return variable === undefined ? found : `\${env:${variable}}`;
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
function withoutUserinfo(launch: DraftEntry, notes: string[]): DraftEntry {
	if (launch.kind !== 'remote') return launch;
	const { address: url, basic } = splitCredentials(launch.url) ?? {};
	if (url === undefined) return launch;
	const isAuthorized = [...launch.headers.keys()].some((name) => name.toLowerCase() === 'authorization');
	if (isAuthorized || basic === undefined) {
		notes.push(l10n.t('The user name and password in its address are left out; send them in "headers".'));
		return { ...launch, url };
	}
	notes.push(
		l10n.t('The user name and password in its address are sent in the header "Authorization" instead.'),
	);
	return { ...launch, url, headers: new Map([...launch.headers, ['Authorization', `Basic ${basic}`]]) };
}

function entryOf(launch: DraftEntry): ServerJson {
	if (launch.kind === 'remote') {
		const { url, headers, transport, oauth } = launch;
		return {
			url,
			...(transport === 'sse' ? { transport } : {}),
			...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
			...(oauth && { oauth: { ...oauth } }),
			defer_loading: true,
		};
	}
	const { command, args, env, cwd } = launch;
	return {
		command,
		...(args.length > 0 ? { args } : {}),
		...(env.size > 0 ? { env: Object.fromEntries(env) } : {}),
		...(cwd === undefined ? {} : { cwd }),
		defer_loading: true,
	};
}
