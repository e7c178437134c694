import { resolve } from 'node:path';
import { environmentNameFault, hijacksProcess } from './environmentNames.ts';
import type { StdioLaunch } from './launch.ts';
import { holdsLiteralSecret, literalSecretText } from './literalSecret.ts';
import type { Path } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { ServerEntry } from './serverEntry.ts';
import { expandAt, expandList, expandValues, type VariableScope } from './variables.ts';

/** Reads how to start a server's process. What is wrong is reported, and the result is then not to be used. */
export function readStdioLaunch(
	entry: ServerEntry & { readonly command: string },
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): StdioLaunch {
	checkCommand(entry.command, [...path, 'command'], report);
	for (const [name, text] of entry.env ?? []) checkVariable(name, text, [...path, 'env', name], report);
	entry.args?.forEach((text, index) => {
		checkArgument(text, [...path, 'args', index], report);
	});
	const cwd = expandAt([...path, 'cwd'], entry.cwd ?? '', scope, report);
	if (cwd.includes('\0')) report.error([...path, 'cwd'], 'can hold no NUL character');
	return {
		kind: 'stdio',
		command: expandAt([...path, 'command'], entry.command, scope, report),
		args: expandList([...path, 'args'], entry.args ?? [], scope, report),
		env: expandValues([...path, 'env'], entry.env ?? new Map(), scope, report),
		cwd: resolve(scope.workspaceFolder, cwd),
	};
}

function checkCommand(command: string, path: Path, report: ProblemReport): void {
	if (command.trim() === '') {
		report.error(path, 'must not be empty; name the program to run');
	} else if (/\p{Cc}/u.test(command)) {
		report.error(path, 'a command can hold no line breaks or other control characters');
	} else if (holdsArguments(command)) {
		report.warning(
			path,
			'this is run as one program name, never by a shell; move what follows it into "args"',
			{ reason: { kind: 'command-line' } },
		);
	}
}

/** `npx -y thing` does, `/opt/my tools/run` and `C:\Program Files\node.exe` do not: a path may well hold spaces. */
function holdsArguments(command: string): boolean {
	const [program = '', ...rest] = command.trim().split(/\s+/);
	return rest.length > 0 && !/[\\/]/.test(program) && !program.includes('${');
}

function checkArgument(text: string, path: Path, report: ProblemReport): void {
	if (text.includes('\0')) report.error(path, 'can hold no NUL character');
	if (holdsLiteralSecret(text)) report.warning(path, literalSecretText, { reason: { kind: 'literal-key' } });
}

function checkVariable(name: string, text: string, path: Path, report: ProblemReport): void {
	const fault = environmentNameFault(name);
	if (fault) report.error(path, fault, 'key');
	if (hijacksProcess(name)) {
		report.warning(path, 'this variable decides what code the process runs; be sure that you want it', 'key');
	}
	checkArgument(text, path, report);
}
