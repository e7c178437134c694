import * as l10n from '@vscode/l10n';
import { type Config, discoveryKeys, editorServerName, emptyConfig, type LoadedConfig } from './config.ts';
import { ConfigText } from './file/configText.ts';
import { type ConfigProblem, ProblemReport } from './file/problemReport.ts';
import { readClients, warnOfKeysInClients } from './models/clients.ts';
import { clientsWithoutModels, readModels } from './models/models.ts';
import type { SalvagedConfig } from './salvage.ts';
import { salvage } from './salvage.ts';
import { configSchema } from './schema.ts';
import { type VariableScope, withSecrets } from './secrets/variables.ts';
import { readServers } from './servers/servers.ts';
import { readDiscoverySettings } from './settings/discoverySettings.ts';
import { readEnvironment } from './settings/environmentSettings.ts';
import { readPrompts } from './settings/prompts.ts';
import { readToolsets } from './settings/toolsets.ts';

/** Longest file that is read, in characters: about 900 servers, which take a tenth of a second on the extension's thread. */
const maxFileLength = 150_000;

/**
 * Reads the text of a `casual_mcp_config.json`. Never throws: each fault is a problem at its position; a faulty entry is off, all others
 * are used. Only a file that is unreadable as a whole has no `config`. Lines and columns ignore a byte order mark.
 */
export function loadConfig(text: string, context: VariableScope): LoadedConfig {
	if (text.length > maxFileLength) return { config: undefined, problems: [tooLong(text)] };
	const { text: content, root, value, faults } = ConfigText.of(text.replace(/^\uFEFF/, ''));
	const report = new ProblemReport(content, root, faults);
	const saved = root && salvage(configSchema, value, [], report);
	warnOfKeysInClients(value, report);
	const config = saved && readConfig(saved, context, report);
	return { config, problems: report.problems };
}

function tooLong({ length }: string): ConfigProblem {
	const start = { line: 0, character: 0 };
	const message = l10n.t(
		'The file has {0} characters; at most {1} are read. Split it: each folder of the workspace can have a file, and the user one more.',
		length,
		maxFileLength,
	);
	return { severity: 'error', message, path: [], start, end: start };
}

function readConfig(saved: SalvagedConfig, scope: VariableScope, report: ProblemReport): Config {
	const { policies, launches } = readServers(saved, withSecrets(scope), report);
	const editorTools = saved.tool_discovery?.editor_tools ?? emptyConfig.editorTools;
	const editor = editorTools ? editorServerName(policies) : undefined;
	const serverNames = [
		...policies.keys(),
		...(editor === undefined ? [] : [editor]),
		...(scope.elsewhere?.servers ?? []),
	];
	const toolsets = readToolsets(saved, { file: scope.file, serverNames }, report);
	const clients = readClients(saved, scope, report);
	return {
		policy: { ...readDiscoverySettings(saved, report), servers: policies },
		editorTools,
		setsDiscovery: discoveryKeys.some((key) => saved[key] !== undefined),
		toolsets,
		prompts: readPrompts(saved.prompts ?? emptyConfig.prompts, report),
		launches,
		clients,
		clientsWithoutModels: clientsWithoutModels(saved, clients),
		models: readModels(saved, clients, scope, report),
		...readEnvironment(scope.env, report),
	};
}
