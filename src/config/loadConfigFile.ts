import * as l10n from '@vscode/l10n';
import type { LoadedConfig } from './config.ts';
import type { VariableScope } from './secrets/variables.ts';

/** Longest file that is read, in characters: about 900 servers, which take a tenth of a second on the extension's thread. */
const longestFile = 150_000;

/** See `loadConfig`. Never rejects because of the file's content. The schema library is loaded with the first file, so that activation does without it. */
export async function loadConfigFile(text: string, scope: VariableScope): Promise<LoadedConfig> {
	if (text.length <= longestFile) return (await import('./load.ts')).loadConfig(text, scope);
	const start = { line: 0, character: 0 };
	const message = l10n.t(
		'The file has {0} characters; at most {1} are read. Split it: each folder of the workspace can have a file, and the user one more.',
		text.length,
		longestFile,
	);
	return { config: undefined, problems: [{ severity: 'error', message, path: [], start, end: start }] };
}
