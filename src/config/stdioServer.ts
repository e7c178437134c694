import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { holdsSecret, spansInText, spansOfArguments, spansOfValue } from '../common/secrets/secretSpans.ts';
import { holdsControls } from './address.ts';
import { environmentNameFault, hijacksProcess } from './environmentNames.ts';
import type { StdioLaunch } from './launch.ts';
import { warnOfSecret } from './literalSecretWarning.ts';
import type { Path } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { ServerEntry } from './serverEntry.ts';
import { expandAt, expandList, expandValues, originOf, type VariableScope } from './variables.ts';

/** Reads how to start a server's process. What is wrong is reported, and the result is then not to be used. */
export function readStdioLaunch(
	entry: ServerEntry & { readonly command: string },
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): StdioLaunch {
	warnOfSecrets(entry, path, report);
	const env = entry.env ?? new Map<string, string>();
	const launch: StdioLaunch = {
		kind: 'stdio',
		command: expandAt([...path, 'command'], entry.command, scope, report),
		args: expandList([...path, 'args'], entry.args ?? [], scope, report),
		env: expandValues([...path, 'env'], env, scope, report),
		cwd: resolve(scope.workspaceFolder, expandAt([...path, 'cwd'], entry.cwd ?? '', scope, report)),
		...originOf(
			[entry.command, ...(entry.args ?? []), entry.cwd ?? '', ...env.values()],
			scope,
			(asWritten) => ({
				command: asWritten(entry.command),
				args: (entry.args ?? []).map(asWritten),
				env: Object.fromEntries([...env].map(([name, text]) => [name, asWritten(text)])),
				cwd: resolve(scope.workspaceFolder, asWritten(entry.cwd ?? '')),
			}),
		),
	};
	// What variables yield is checked, too: a process could not be started with it.
	checkCommand(launch.command, [...path, 'command'], report);
	for (const name of Object.keys(launch.env)) checkName(name, [...path, 'env', name], report);
	for (const [place, text] of textsOf(launch)) {
		if (text.includes('\0')) report.error([...path, ...place], l10n.t('can hold no NUL character'));
	}
	return launch;
}

function* textsOf({ args, env, cwd }: StdioLaunch): Generator<readonly [place: Path, text: string]> {
	for (const [index, text] of args.entries()) yield [['args', index], text];
	for (const [name, text] of Object.entries(env)) yield [['env', name], text];
	yield [['cwd'], cwd];
}

function checkCommand(command: string, path: Path, report: ProblemReport): void {
	if (command.trim() === '') {
		report.error(path, l10n.t('must not be empty; name the program to run'));
	} else if (holdsControls(command)) {
		const message = l10n.t('a command can hold no line breaks or other control characters');
		report.error(path, message, { reason: { kind: 'control-characters' } });
	} else if (holdsArguments(command)) {
		report.warning(
			path,
			l10n.t('this is run as one program name, never by a shell; move what follows it into "args"'),
			{ reason: { kind: 'command-line' } },
		);
	}
}

/** A word that a path with spaces in it hardly has: an option, an operator of a shell, something in quotes. */
const foreignToPaths = /^-{1,2}[A-Za-z]|^(&&|\|\|?|;|[0-9]?>{1,2}|<)|;$|^["']/;

/** `npx -y thing` does, `/opt/my tools/run` and `C:\Program Files\node.exe` do not: a path may well hold spaces. */
function holdsArguments(command: string): boolean {
	const [program = '', ...rest] = command.trim().split(/\s+/);
	if (rest.length === 0) return false;
	return rest.some((word) => foreignToPaths.test(word)) || !/[\\/$]/.test(program);
}

function checkName(name: string, path: Path, report: ProblemReport): void {
	const fault = environmentNameFault(name);
	if (fault) report.error(path, fault, 'key');
	if (!hijacksProcess(name)) return;
	const message = l10n.t('this variable decides what code the process runs; be sure that you want it');
	report.warning(path, message, { part: 'key', reason: { kind: 'hijacking-variable' } });
}

function warnOfSecrets({ command, args = [], env }: ServerEntry, path: Path, report: ProblemReport): void {
	if (holdsSecret(spansInText('', command ?? ''))) warnOfSecret([...path, 'command'], report);
	for (const [index, spans] of spansOfArguments('', args).entries()) {
		if (holdsSecret(spans)) warnOfSecret([...path, 'args', index], report);
	}
	for (const [name, text] of env ?? []) {
		if (name !== '' && holdsSecret(spansOfValue('', name, text)))
			warnOfSecret([...path, 'env', name], report);
	}
}
