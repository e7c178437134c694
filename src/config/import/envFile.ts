import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import * as l10n from '@vscode/l10n';
import { quoted } from '../place.ts';
import { expandVariables, type VariableScope } from '../variables.ts';
import { hijackingNotes, maxTexts } from './foreignLaunch.ts';
import type { ForeignServer } from './foreignServers.ts';
import { translateVariables } from './foreignVariables.ts';

/** Names of variables that a note lists. */
const shownNames = 20;

/** Where the file is that a server names as its `envFile`; `undefined`: it names none, or its path holds a variable that nothing sets. */
export function envFilePath({ source, launch }: ForeignServer, scope: VariableScope): string | undefined {
	if (launch.kind !== 'stdio' || launch.envFile === undefined) return undefined;
	const written = translateVariables(launch.envFile, {
		product: source.product,
		platform: process.platform,
		env: scope.env,
		inputVariable: (id) => id,
		note: () => {},
	});
	const { text, unset, unknown } = expandVariables(written.replace(/^~(?=[\\/])/, `\${userHome}`), scope);
	if (unset.length > 0 || unknown.length > 0) return undefined;
	return isAbsolute(text) ? text : join(scope.workspaceFolder, text);
}

/**
 * A server with the variables of the file that it names as its `envFile`, as if they stood in its `env`, which comes first. `text`: what
 * is in the file; `undefined`: it could not be read.
 */
export function withEnvFile(server: ForeignServer, text: string | undefined): ForeignServer {
	const { launch } = server;
	if (launch.kind !== 'stdio' || launch.envFile === undefined) return server;
	const { envFile, ...rest } = launch;
	const noted = (notes: readonly string[], env = rest.env): ForeignServer => ({
		...server,
		launch: { ...rest, env },
		notes: [...server.notes, ...notes],
	});
	const file = quoted(envFile);
	if (text === undefined)
		return noted([l10n.t('Its "envFile" {0} could not be read: write its variables into "env".', file)]);
	const added = Object.entries(parseEnv(text)).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !rest.env.has(entry[0]),
	);
	if (added.length === 0) return noted([l10n.t('Its "envFile" {0} sets nothing else.', file)]);
	if (added.length + rest.env.size + rest.args.length > maxTexts)
		return noted([l10n.t('Its "envFile" {0} is left out: it has more than {1} variables.', file, maxTexts)]);
	const names = added.map(([name]) => name);
	const shown = names.slice(0, shownNames).join(', ');
	const more = names.length - shownNames;
	const list = more > 0 ? l10n.t('{0} and {1} more', shown, more) : shown;
	return noted(
		[l10n.t('From its "envFile" {0} it gets {1}.', file, list), ...hijackingNotes(names)],
		new Map([...added, ...rest.env]),
	);
}
