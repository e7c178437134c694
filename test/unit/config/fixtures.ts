import { applyEdits } from 'jsonc-parser';
import type { LoadedConfig } from '../../../src/config/config.ts';
import type { ConfigProblem } from '../../../src/config/file/problemReport.ts';
import type { ConfigEdits } from '../../../src/config/file/textEdit.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { VariableScope } from '../../../src/config/secrets/variables.ts';

/** A workspace and an environment for reading configurations. */
export const scope: VariableScope = {
	file: 'file:///work%20space/project/casual_mcp_config.json',
	workspaceFolder: '/work space/project',
	env: { HOME: '/home/ada', TOKEN: 'hush-hush', BROKEN: 'two\nlines', EMPTY: '' },
};

export function load(text: string, env: VariableScope['env'] = {}): LoadedConfig {
	return loadConfig(text, { ...scope, env: { ...scope.env, ...env } });
}

/** `error 2:14 message`, with line and column counted from 1. */
export function shown({ severity, start, message }: ConfigProblem): string {
	return `${severity} ${start.line + 1}:${start.character + 1} ${message}`;
}

export function problemsOf(text: string): string[] {
	return load(text).problems.map(shown);
}

/** The text after edits that must be possible. */
export function edited(text: string, edits: ConfigEdits): string {
	if (!edits) throw new Error('the edit is not possible');
	return applyEdits(text, [...edits]);
}

/** A file with one fault. */
export type Fault = readonly [fault: string, text: string];

/** A server `w` with these keys, each on its own line: the first on line 3. */
export function server(...keys: string[]): string {
	return `{ "servers": {\n"w": {\n${keys.join(',\n')}\n} } }`;
}

/** A server `w` that is a process, with this key on line 4. */
export const stdio = (key: string) => server('"command": "x"', key);
/** A server `w` at an address, with this key on line 4. */
export const remote = (key: string) => server('"url": "https://x.test/mcp"', key);
