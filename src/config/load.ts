import { type Config, emptyConfig, type LoadedConfig } from './config.ts';
import { readDiscoverySettings } from './discoverySettings.ts';
import { nodeValue, parseDocument, withoutByteOrderMark } from './document.ts';
import { checkModels } from './modelChecks.ts';
import { ProblemReport } from './problemReport.ts';
import { salvage } from './salvage.ts';
import { configSchema } from './schema.ts';
import type { SalvagedConfig } from './serverEntry.ts';
import { readServers } from './servers.ts';
import { readToolsets } from './toolSets.ts';
import type { VariableScope } from './variables.ts';

/**
 * Reads the text of a `casual_mcp_config.json`. Never throws: each fault is a problem at its place, a faulty entry is
 * off, and all others are in force. Only a file that cannot be read as a whole yields no `config`. Lines and columns
 * do not count a byte order mark.
 */
export function loadConfig(text: string, context: VariableScope): LoadedConfig {
	const shown = withoutByteOrderMark(text);
	const { root, faults } = parseDocument(shown);
	const report = new ProblemReport(shown, root, faults);
	const saved = root && salvage(configSchema, nodeValue(root), [], report);
	const config = saved && readConfig(saved, context, report);
	return { config, problems: report.problems };
}

function readConfig(saved: SalvagedConfig, scope: VariableScope, report: ProblemReport): Config {
	const { policies, launches } = readServers(saved, scope, report);
	const toolsets = readToolsets(saved, [...policies.keys()], report);
	checkModels(saved, scope, report);
	return {
		policy: { ...readDiscoverySettings(saved, report), servers: policies },
		toolsets,
		launches,
		toolCacheTtlSeconds: readToolCacheTtl(scope, report),
	};
}

function readToolCacheTtl(scope: VariableScope, report: ProblemReport): number {
	const written = scope.env.MCP_TOOL_CACHE_TTL?.trim();
	if (!written) return emptyConfig.toolCacheTtlSeconds;
	const seconds = Number(written);
	if (Number.isFinite(seconds)) return seconds;
	report.warning(
		[],
		`The environment variable MCP_TOOL_CACHE_TTL is not a number of seconds; ${emptyConfig.toolCacheTtlSeconds} is used.`,
	);
	return emptyConfig.toolCacheTtlSeconds;
}
