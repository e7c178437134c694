import * as l10n from '@vscode/l10n';
import { type DiscoveryPolicy, defaultPolicy } from '../discovery/policy.ts';
import type { ProblemReport } from './problemReport.ts';
import type { SalvagedConfig } from './serverEntry.ts';
import { readSynonyms } from './synonyms.ts';

/** Reads `tool_discovery` and its aliases; what is missing or faulty has its default. */
export function readDiscoverySettings(
	config: SalvagedConfig,
	report: ProblemReport,
): Omit<DiscoveryPolicy, 'servers'> {
	const settings = config.tool_discovery ?? {};
	warnOfOverruledAliases(config, report);
	warnOfUnusedSynonyms(settings, report);
	const caps = [
		settings.max_active_schemas,
		config.tools?.max_active_schemas,
		defaultPolicy.maxActiveSchemas,
	];
	return {
		enabled: settings.enabled ?? config.tools?.lazy_mcp ?? config.lazy_mcp ?? defaultPolicy.enabled,
		deferAll: defersAll(config),
		maxSearchResults: settings.max_search_results ?? defaultPolicy.maxSearchResults,
		// Not `??`: null says that there is no cap.
		maxActiveSchemas: caps.find((cap) => cap !== undefined) ?? null,
		maxRequestTools: defaultPolicy.maxRequestTools,
		ranking: settings.ranking ?? defaultPolicy.ranking,
		synonyms: readSynonyms(settings.synonyms ?? defaultPolicy.synonyms, report),
		loading: settings.loading ?? defaultPolicy.loading,
		onUndiscoveredCall: settings.on_undiscovered_call ?? defaultPolicy.onUndiscoveredCall,
		manifestPlacement: settings.manifest_placement ?? defaultPolicy.manifestPlacement,
		prefetch: settings.prefetch ?? defaultPolicy.prefetch,
		inspectionTools: settings.inspection_tools ?? defaultPolicy.inspectionTools,
		maxManifestTokens: settings.max_manifest_tokens ?? defaultPolicy.maxManifestTokens,
	};
}

/**
 * Whether every tool is deferred that is not pinned or set otherwise. `lazy_mcp` alone says so as well: the program that it comes from
 * has no other way to defer a server.
 */
export function defersAll({ tool_discovery: settings, tools, lazy_mcp }: SalvagedConfig): boolean {
	const isLazy = settings?.enabled === undefined && (tools?.lazy_mcp ?? lazy_mcp) === true;
	return settings?.defer_all ?? (isLazy || defaultPolicy.deferAll);
}

type Settings = NonNullable<SalvagedConfig['tool_discovery']>;

function warnOfUnusedSynonyms({ synonyms, ranking = 'default' }: Settings, report: ProblemReport): void {
	if (!synonyms?.length || ranking === 'default') return;
	const message = l10n.t(
		'has no effect beside "ranking": {0}; only "default" knows synonyms',
		JSON.stringify(ranking),
	);
	report.warning(['tool_discovery', 'synonyms'], message, {
		part: 'key',
		reason: { kind: 'useless-key' },
	});
}

function warnOfOverruledAliases(config: SalvagedConfig, report: ProblemReport): void {
	const settings = config.tool_discovery;
	const enabled = settings?.enabled ?? config.tools?.lazy_mcp;
	const overruled: readonly [path: string[], canonical: unknown, alias: unknown, winner: string][] = [
		[['tools', 'lazy_mcp'], settings?.enabled, config.tools?.lazy_mcp, 'tool_discovery.enabled'],
		[
			['lazy_mcp'],
			enabled,
			config.lazy_mcp,
			settings?.enabled === undefined ? 'tools.lazy_mcp' : 'tool_discovery.enabled',
		],
		[
			['tools', 'max_active_schemas'],
			settings?.max_active_schemas,
			config.tools?.max_active_schemas,
			'tool_discovery.max_active_schemas',
		],
	];
	for (const [path, canonical, alias, winner] of overruled) {
		if (canonical === undefined || alias === undefined || canonical === alias) continue;
		const message = l10n.t('has no effect beside {0}, which wins', winner);
		report.warning(path, message, { reason: { kind: 'useless-key' } });
	}
}
