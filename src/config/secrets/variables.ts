import { basename, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { nearestName, typoTolerance } from '../../common/nearestName.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import type { ClientDefinition } from '../models/clientDefinition.ts';
import { withSuggestion } from '../problemText.ts';
import type { ReadVariable } from '../servers/launch.ts';
import { variablesIn } from './environmentNames.ts';

/** Which file a configuration is, and what variables in it stand for. */
export interface VariableScope {
	/** The file's address. */
	readonly file: string;
	/** Absolute path of the workspace folder; absent: the file is the user's own, and no folder is open. */
	readonly workspaceFolder?: string;
	/** The process's environment with `.env`; see `environmentWithDotenv`. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Variables of `env` that come from the `.env` of a workspace. */
	readonly ofWorkspace?: readonly string[];
	/** Stored secrets: for servers only, and only for variables that `env` does not set. */
	readonly secrets?: Readonly<Record<string, string>>;
	/**
	 * Set for the user's own file. Its servers start in the user's home folder, so that they are the same in every window and are approved
	 * once for all workspaces.
	 */
	readonly ofUser?: { readonly home: string };
	readonly elsewhere?: Elsewhere;
}

/** What a file may refer to in other files. */
export interface Elsewhere {
	/** Names of servers. */
	readonly servers: readonly string[];
	/** The user's own. */
	readonly clients: readonly ClientDefinition[];
}

/** The scope for `servers`: stored secrets behind the environment. */
export function withSecrets(scope: VariableScope): VariableScope {
	const set = Object.entries(scope.env).filter(([, value]) => value !== undefined);
	return { ...scope, env: { ...scope.secrets, ...Object.fromEntries(set) } };
}

/** Resolves a relative path. */
export function pathIn({ workspaceFolder, ofUser }: VariableScope, path: string): string {
	return resolve(ofUser?.home ?? workspaceFolder ?? '/', path);
}

/** An expanded text. Variables in `unset` and `unknown` are still in it. */
export interface ExpandedText {
	readonly text: string;
	readonly unset: readonly string[];
	/** Unknown variables, without `${` and `}`. */
	readonly unknown: readonly string[];
	/** Variables for the workspace folder while none is open, in the same form. */
	readonly folderless: readonly string[];
}

const knownVariables = ['env:NAME', 'workspaceFolder', 'workspaceFolderBasename', 'userHome'];

/** Replaces `${env:X}`, `${workspaceFolder}`, `${workspaceFolderBasename}` and `${userHome}` in one pass: values are not expanded again. */
export function expandVariables(text: string, scope: VariableScope): ExpandedText {
	const unset: string[] = [];
	const unknown: string[] = [];
	const folderless: string[] = [];
	const { workspaceFolder } = scope;
	const expanded = text.replace(/\$\{([^{}]*)\}/g, (written, variable: string) => {
		const environmentName = environmentNameOf(variable, scope);
		if (environmentName !== undefined) {
			const value = Object.hasOwn(scope.env, environmentName) ? scope.env[environmentName] : undefined;
			if (value === undefined) unset.push(environmentName);
			return value ?? written;
		}
		if (isFolderVariable(variable)) {
			if (workspaceFolder === undefined) folderless.push(variable);
			else return variable === 'workspaceFolder' ? workspaceFolder : basename(workspaceFolder);
		} else unknown.push(variable);
		return written;
	});
	return { text: expanded, unset, unknown, folderless };
}

function isFolderVariable(variable: string): boolean {
	return variable === 'workspaceFolder' || variable === 'workspaceFolderBasename';
}

export function readsFolder(text: string): boolean {
	return [...text.matchAll(/\$\{([^{}]*)\}/g)].some(([, variable = '']) => isFolderVariable(variable));
}

/** {@link expandVariables}, reporting faults at `path` by name, never by value. */
export function expandAt(path: Path, text: string, scope: VariableScope, report: ProblemReport): string {
	const { text: expanded, unset, unknown, folderless } = expandVariables(text, scope);
	for (const name of new Set(unset)) {
		// Only servers can read stored values.
		const message =
			path[0] === 'clients'
				? l10n.t('the environment variable {0} is not set; set it, or write it into .env', quoted(name))
				: l10n.t('the environment variable {0} is not set; enter its value with “Set Value…”', quoted(name));
		report.error(path, message, { reason: { kind: 'unset-variable', name } });
	}
	for (const variable of new Set(folderless)) {
		const message = l10n.t('{0} needs an open folder', quoted(`\${${variable}}`));
		report.error(path, message);
	}
	for (const variable of new Set(unknown)) {
		const suggestion = meantVariable(variable);
		const unknownText = l10n.t('unknown variable {0}, passed on unchanged', quoted(`\${${variable}}`));
		report.warning(path, withSuggestion(unknownText, suggestion && quoted(`\${${suggestion}}`)));
	}
	return expanded;
}

/** {@link expandAt} for every text of a list. */
export function expandList(
	path: Path,
	texts: readonly string[],
	scope: VariableScope,
	report: ProblemReport,
): string[] {
	return texts.map((text, index) => expandAt([...path, index], text, scope, report));
}

/** {@link expandAt} for every value of a map. */
export function expandValues(
	path: Path,
	texts: ReadonlyMap<string, string>,
	scope: VariableScope,
	report: ProblemReport,
): Record<string, string> {
	// `fromEntries` defines properties, so that even `__proto__` is an ordinary key.
	return Object.fromEntries(
		[...texts].map(([name, text]) => [name, expandAt([...path, name], text, scope, report)]),
	);
}

/**
 * The original texts of a launch whose entry reads environment variables, with all other variables replaced, and the variables it reads.
 * `keepsFolder`: the workspace folder stays a variable too, so that the launch is recognized in another workspace.
 */
export function launchOrigin<Written>(
	texts: readonly string[],
	scope: VariableScope,
	written: (keepVariables: (text: string) => string) => Written,
	keepsFolder = false,
): { readonly written: Written; readonly reads: Readonly<Record<string, ReadVariable>> } | undefined {
	const names = variablesIn(texts).filter((name) => Object.hasOwn(scope.env, name));
	if (names.length === 0 && !(keepsFolder && texts.some(readsFolder))) return undefined;
	const { env, secrets = {}, ofWorkspace = [] } = scope;
	const reads = names.map((name): [string, ReadVariable] => {
		const value = env[name] ?? '';
		const isStored = Object.hasOwn(secrets, name) && secrets[name] === value;
		return [name, { value, isStored, ...(ofWorkspace.includes(name) && { isOfWorkspace: true }) }];
	});
	const keepVariables = (text: string) =>
		text.replace(/\$\{([^{}]*)\}/g, (reference, variable: string) =>
			variable.startsWith('env:') || (keepsFolder && isFolderVariable(variable))
				? reference
				: expandVariables(reference, scope).text,
		);
	return { written: written(keepVariables), reads: Object.fromEntries(reads) };
}

function environmentNameOf(variable: string, scope: VariableScope): string | undefined {
	// With a colon, it has a default, which other programs know.
	if (/^env:[^:]*$/.test(variable)) return variable.slice('env:'.length);
	if (variable !== 'userHome') return undefined;
	return scope.env.HOME === undefined && scope.env.USERPROFILE !== undefined ? 'USERPROFILE' : 'HOME';
}

/** What an unknown variable means: one of another program, or a typo. */
function meantVariable(variable: string): string | undefined {
	const input = /^input:(.+)$/s.exec(variable)?.[1];
	const withDefault = /^(?:env:)?([A-Za-z_]\w*):?-/;
	const [, name = input && environmentName(input)] =
		withDefault.exec(variable) ?? /^([A-Z_][A-Z0-9_]*)$/.exec(variable) ?? [];
	return name === undefined ? nearestName(variable, knownVariables, typoTolerance) : `env:${name}`;
}
