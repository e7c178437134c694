import { parseEnv } from 'node:util';
import * as l10n from '@vscode/l10n';
import { nameList } from '../../common/nameList.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { hijackingNotes, maxTexts } from '../add/readEntry.ts';
import type { ServerDraft } from '../add/serverDraft.ts';
import { quoted } from '../file/jsonPath.ts';
import { expandVariables, pathIn, type VariableScope } from '../secrets/variables.ts';
import type { NameSyntax } from './importSources.ts';

/** What is needed to translate another program's variables. */
export interface TranslationScope {
	readonly names: NameSyntax;
	/** A shell gets the text, and expands it. */
	readonly isForShell?: boolean;
	/** Variables that the entry defines itself: the program that it starts expands them. */
	readonly ownVariables: ReadonlySet<string>;
	readonly platform: NodeJS.Platform;
	/** The environment that servers will start from, with `.env` and stored secrets. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The environment variable that replaces VS Code's `${input:id}`. */
	readonly inputVariable: (id: string) => string;
	/** Receives sentences for the user, which name variables, never values. */
	readonly note: (sentence: string) => void;
}

/** Variables with the same meaning here. */
const sharedVariables = new Set(['userHome', 'workspaceFolder', 'workspaceFolderBasename']);
/** Other names for the open folder; Claude Code sets its own for a project's servers. */
const folderNames = new Set(['workspaceRoot', 'CLAUDE_PROJECT_DIR']);

/**
 * How any program refers to a value elsewhere: `${{ secrets.NAME }}` of Continue, `${…}`, `{env:NAME}` and `{file:path}` of OpenCode, `$(…)`,
 * `$NAME`, `%NAME%`, `process.env.NAME` in code, `os.environ/NAME` of LiteLLM.
 */
const reference =
	/\$\{\{([^{}]*)\}\}|\$\{([^{}]*)\}|(?<!\$)\{(env|file):([^{}]*)\}|\$\([^()]*\)|(?<![\w$\\%])(?:\$([A-Z_][A-Z0-9_]+)\b|%([A-Za-z_]\w+)%)|^(?:process\.env\.|os\.environ\/)([A-Za-z_]\w*)!?$/g;

/** A variable whose default has variables of its own: `${NAME:-${OTHER}/path}`. */
const nestedDefault = /\$\{([A-Za-z_]\w*:?-[^{}]*(?:\$\{[^{}]*\}[^{}]*)+)\}/g;

/** Where a text refers to values elsewhere. */
export function referencesIn(text: string): readonly { readonly start: number; readonly end: number }[] {
	return [...text.matchAll(reference)].map(({ 0: { length }, index }) => ({
		start: index,
		end: index + length,
	}));
}

/** Whether a text gets its secret from elsewhere, and is none itself. */
export function isReference(text: string): boolean {
	return /^(process\.env\.|os\.environ\/)\w+!?$|^\$\{[^{}]+\}$|\{(env|file):[^{}]+\}|^\$\([^()]+\)$|^\$[A-Z_][A-Z0-9_]*$|^%\w+%$/.test(
		text,
	);
}

/**
 * Translates the other program's variables. What its program does not expand is meant for the program that is run, such as a shell, and
 * stays.
 *
 * `${NAME:-default}` has no equivalent: if the variable is not set now, the default is written out, so that the server runs as before.
 * `${env:NAME}` alone would prevent it from starting.
 */
export function translateVariables(text: string, scope: TranslationScope): string {
	const noteUnknown = (written: string) =>
		scope.note(l10n.t('The variable {0} is unknown here, so it was left unchanged.', quoted(written)));
	// `${A:-${B}/c}`: the outer one first.
	const unnested =
		scope.names === 'none'
			? text
			: text.replace(nestedDefault, (written, variable: string) => shellVariable(variable, scope) ?? written);
	const translated = unnested.replace(reference, (written, ...groups: readonly (string | undefined)[]) => {
		const [workflow, inBraces, kind, target = '', dollar, percent, ofCode] = groups;
		if (workflow !== undefined) {
			const counterpart = workflowVariable(workflow.trim(), scope);
			if (counterpart === undefined) noteUnknown(written);
			return counterpart ?? written;
		}
		if (kind === 'env') return `\${env:${target}}`;
		if (ofCode !== undefined) return `\${env:${ofCode}}`;
		if (inBraces !== undefined) {
			const counterpart = counterpartOf(inBraces, scope);
			if (counterpart === undefined && !scope.ownVariables.has(inBraces)) noteUnknown(written);
			return counterpart ?? written;
		}
		const name = dollar ?? percent;
		if (name !== undefined && scope.names === 'shell')
			return scope.ownVariables.has(name) ? written : `\${env:${name}}`;
		const isCommand = written.startsWith('$(') && !scope.isForShell;
		if (kind === 'file' || isCommand || written === unnested) noteUnknown(written);
		return written;
	});
	if (scope.names !== 'none' && /\$\{\w+:-/.test(translated)) {
		scope.note(l10n.t('A variable inside the default of another is not supported; it was left unchanged.'));
	}
	return translated;
}

/** `secrets.NAME`, `env.NAME`, `vars.NAME`, `inputs.NAME`. */
function workflowVariable(variable: string, { inputVariable }: TranslationScope): string | undefined {
	const [, kind, path = ''] = /^(secrets|env|vars|inputs)\.([\w./-]+)$/.exec(variable) ?? [];
	if (kind === undefined) return undefined;
	const name = path.split('/').at(-1) ?? '';
	return `\${env:${kind === 'inputs' ? inputVariable(name) : environmentName(name)}}`;
}

function counterpartOf(variable: string, scope: TranslationScope): string | undefined {
	if (sharedVariables.has(variable)) return `\${${variable}}`;
	if (variable.startsWith('input:')) return `\${env:${scope.inputVariable(variable.slice('input:'.length))}}`;
	if (variable === '/' || variable === 'pathSeparator') return scope.platform === 'win32' ? '\\' : '/';
	if (folderNames.has(variable)) return `\${workspaceFolder}`;
	if (/^env:[^:]*$/.test(variable)) return `\${${variable}}`;
	const isRead = scope.names !== 'none' || variable.startsWith('env:');
	return isRead ? shellVariable(variable.replace(/^env:/, ''), scope) : undefined;
}

function shellVariable(
	variable: string,
	{ env, ownVariables: own, note }: TranslationScope,
): string | undefined {
	const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::?-(.*))?$/s.exec(variable) ?? [];
	if (name === '' || own.has(name)) return undefined;
	if (folderNames.has(name)) return `\${workspaceFolder}`;
	if (fallback === undefined) return `\${env:${name}}`;
	if (Object.hasOwn(env, name) && env[name] !== undefined) {
		note(
			l10n.t(
				'Its default for the environment variable {0} is ignored, because the variable is set.',
				quoted(name),
			),
		);
		return `\${env:${name}}`;
	}
	note(l10n.t('The environment variable {0} is not set, so its default value is used.', quoted(name)));
	return fallback;
}

/** Variables that a note lists. */
const shownNames = 20;

/** Path of the file that a server names as `envFile`; `undefined`: none, or it contains an unset variable. */
export function envFilePath({ names, envFile }: ServerDraft, scope: VariableScope): string | undefined {
	if (envFile === undefined) return undefined;
	const written = translateVariables(envFile, {
		names,
		ownVariables: new Set(),
		platform: process.platform,
		env: scope.env,
		inputVariable: (id) => id,
		note: () => {},
	});
	const { text, unset, unknown } = expandVariables(written.replace(/^~(?=[\\/])/, `\${userHome}`), scope);
	return unset.length > 0 || unknown.length > 0 ? undefined : pathIn(scope, text);
}

/**
 * A server with the variables of its `envFile` added to its `env`, which wins. `text`: the file's content; `undefined`: it could not be
 * read.
 */
export function withEnvFile(server: ServerDraft, text: string | undefined): ServerDraft {
	const { envFile, entry } = server;
	if (envFile === undefined) return server;
	const { env = {}, args = [] } = entry;
	const noted = (notes: readonly string[]): ServerDraft => ({
		...server,
		notes: [...server.notes, ...notes],
	});
	const file = quoted(envFile);
	if (text === undefined)
		return noted([
			l10n.t(
				'Its "envFile" {0} was not read: it is missing, or outside the workspace. Write its variables into "env".',
				file,
			),
		]);
	const added = Object.entries(parseEnv(text)).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !Object.hasOwn(env, entry[0]),
	);
	if (added.length === 0) return noted([l10n.t('Its "envFile" {0} sets nothing else.', file)]);
	if (added.length + Object.keys(env).length + args.length > maxTexts)
		return noted([l10n.t('The "envFile" {0} is ignored: it has more than {1} variables.', file, maxTexts)]);
	const names = added.map(([name]) => name);
	const list = nameList(names, shownNames);
	const notes = noted([l10n.t('It gets {1} from its "envFile" {0}.', file, list), ...hijackingNotes(names)]);
	return { ...notes, entry: { ...entry, env: { ...Object.fromEntries(added), ...env } } };
}
