import * as l10n from '@vscode/l10n';
import { type ConfiguredPolicy, defaultPolicy } from '../../discovery/catalog/policy.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import { issueText } from '../problemText.ts';
import type { SalvagedConfig } from '../salvage.ts';

/** Reads `tool_discovery` and its aliases, with defaults for what is missing or faulty. */
export function readDiscoverySettings(
	config: SalvagedConfig,
	report: ProblemReport,
): Omit<ConfiguredPolicy, 'servers'> {
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
		// Not `??`: null means no cap.
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
 * Whether every tool is deferred unless pinned or set otherwise. `lazy_mcp` alone means that too: the program it comes from has no other
 * way to defer a server.
 */
export function defersAll({ tool_discovery: settings, tools, lazy_mcp }: SalvagedConfig): boolean {
	const isLazy = settings?.enabled === undefined && (tools?.lazy_mcp ?? lazy_mcp) === true;
	return settings?.defer_all ?? (isLazy || defaultPolicy.deferAll);
}

type Settings = NonNullable<SalvagedConfig['tool_discovery']>;

function warnOfUnusedSynonyms({ synonyms, ranking = 'default' }: Settings, report: ProblemReport): void {
	if (!synonyms?.length || ranking === 'default') return;
	const message = l10n.t(
		'has no effect with "ranking": {0}; only "default" knows synonyms',
		JSON.stringify(ranking),
	);
	report.warning(['tool_discovery', 'synonyms'], message, 'key');
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
		const message = l10n.t('has no effect together with {0}, which takes precedence', winner);
		report.warning(path, message);
	}
}

/** Lines that count: enough for a workspace's own words. Not a dictionary, because every new index reads them again. */
const maxSynonymLines = 2000;
/** Longest line that counts, in UTF-16 units: reading one takes time with the square of its entries. */
const maxSynonymLineLength = 1000;

/** Reads `tool_discovery.synonyms`. Each line is a separate entry: a faulty one is reported and dropped, all others count. */
function readSynonyms(lines: readonly unknown[], report: ProblemReport): readonly string[] {
	const excess = lines.length - maxSynonymLines;
	if (excess > 0) {
		const message = l10n.t(
			'only the first {0} lines count; left out from here on: {1}',
			maxSynonymLines,
			excess,
		);
		report.error(['tool_discovery', 'synonyms', maxSynonymLines], message);
	}
	return lines.slice(0, maxSynonymLines).filter((line, index): line is string => {
		const fault = synonymLineFault(line);
		if (fault !== undefined) report.error(['tool_discovery', 'synonyms', index], fault);
		return fault === undefined;
	});
}

/**
 * Why the engine's `Thesaurus` would ignore a line, or why it looks like a mistake. Inflections (`issue, issues`) are accepted although
 * they add nothing: recognizing them takes the engine's stemmer.
 */
export function synonymLineFault(line: unknown): string | undefined {
	if (typeof line !== 'string') {
		return withRightForm(issueText({ code: 'invalid_type', expected: 'string', input: line }));
	}
	if (line.length > maxSynonymLineLength) {
		return l10n.t(
			'has {0} characters, at most {1} are read; split it into several lines',
			line.length,
			maxSynonymLineLength,
		);
	}
	const fault = formFault(line);
	return fault && withRightForm(fault);
}

function withRightForm(fault: string): string {
	return l10n.t(
		'{0}; write words with one meaning, such as "jira ticket, issue", or, for one direction, "prod, live => production"',
		fault,
	);
}

function formFault(line: string): string | undefined {
	const [left = [], right, ...more] = line.split('=>').map(entriesOf);
	if (more.length > 0) return l10n.t('has more than one "=>"');
	// The engine would read such an arrow as a space, and join the words around it into one phrase.
	if (/->|[→⇒]/.test(line)) return l10n.t('has an arrow other than "=>"');
	if (right && left.length === 0) return l10n.t('has nothing to the left of "=>"');
	if (right && right.length === 0) return l10n.t('has nothing to the right of "=>"');
	const entries = new Set([...left, ...(right ?? [])]);
	if (entries.size === 0) return l10n.t('contains no word');
	return entries.size === 1 ? l10n.t('contains only one word, so it adds nothing') : undefined;
}

/** The words and phrases of one side, without case, marks and punctuation, which the engine ignores. */
function entriesOf(side: string): string[] {
	return side
		.split(',')
		.map((entry) =>
			entry
				.normalize('NFKD')
				.replace(/\p{M}+/gu, '')
				.toLowerCase(),
		)
		.map((entry) => (entry.match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
		.filter((entry) => entry !== '');
}
