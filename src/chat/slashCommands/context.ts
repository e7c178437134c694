import { callToolName } from '../../discovery/callTool.ts';
import { toolDefinition } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { plain } from '../../discovery/markdown.ts';
import type { Loading } from '../../discovery/policy.ts';
import { estimateDefinitionTokens } from '../../discovery/tokens.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { meanMs, type ToolCalls } from '../../discovery/usage.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/context`: what is loaded in this chat, and what it costs. */
export function context(_args: string, { session }: SlashCommandContext): string {
	const { surface, activated } = session;
	const cap = surface.policy.maxActiveSchemas ?? '∞';
	const names = activated.length > 0 ? ` (${activated.map((tool) => plain(tool.id)).join(', ')})` : '';
	return [
		`MCP active: ${activated.length}/${cap}${names}`,
		costs(session),
		'These tokens are estimated.',
		...measured(session),
		...fates(session),
		...notes(session),
	].join('\n\n');
}

/** What goes to the model with each call, and what would if every tool were loaded. */
function costs({ surface, activated, definitions }: DiscoverySession): string {
	const sent = new Set(definitions.map(({ name }) => name));
	const own = definitions.filter(({ name }) => !surface.get(name));
	const always = surface.loaded.map(toolDefinition);
	const searched = activated.map(toolDefinition);
	// Evicted, and still sent: taking them out would cost more than it saves, until the prompt begins anew.
	const current = new Set([...own, ...always, ...searched].map(({ name }) => name));
	const lingering = definitions.filter(({ name }) => !current.has(name));
	// Where a result brings a definition, it is sent with the messages of each call.
	const inResults = searched.filter(({ name }) => !sent.has(name));
	const rows: readonly (readonly [string, readonly ToolDefinition[]])[] = [
		['always loaded', always],
		['loaded in this chat', searched],
		...(own.length > 0 ? [[own.map(({ name }) => name).join(', '), own] as const] : []),
		...(lingering.length > 0
			? [['unloaded, but sent until the prompt begins anew', lingering] as const]
			: []),
		['**sent with each call**', [...definitions, ...inResults]],
		['every tool loaded', surface.tools.map(toolDefinition)],
	];
	const body = rows.map(([what, tools]) => `| ${what} | ${tools.length} | ${tokensOf(tools)} |`);
	return ['| | tools | ≈ tokens |', '|---|---:|---:|', ...body].join('\n');
}

/** What providers have counted, and what was called; nothing before the first answer. */
function measured({ usage }: DiscoverySession): string[] {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens, calls } = usage;
	const cached =
		cachedInputTokens > 0
			? `, ${cachedInputTokens.toLocaleString('en')} of them from its cache (${percent(cachedInputTokens / inputTokens)})`
			: '';
	const tokens =
		measuredAnswers > 0
			? [
					`Measured by the provider, over ${counted(measuredAnswers, 'answer')}: ` +
						`${inputTokens.toLocaleString('en')} tokens in${cached}, ${outputTokens.toLocaleString('en')} tokens out.`,
				]
			: [];
	return [...tokens, ...(calls.length > 0 ? [callsBy(calls)] : [])];
}

function callsBy(calls: readonly ToolCalls[]): string {
	const byServer = Map.groupBy(calls, ({ server }) => server);
	const rows = [...byServer].map(([server, its]) => {
		return `| ${plain(server)} | ${sumsOf(its)} | ${its.map(callsOf).join(', ')} |`;
	});
	return ['| server | calls | failed | mean ms | by tool |', '|---|---:|---:|---:|---|', ...rows].join('\n');
}

function sumsOf(entries: readonly ToolCalls[]): string {
	const calls = entries.reduce((sum, one) => sum + one.calls, 0);
	const failures = entries.reduce((sum, one) => sum + one.failures, 0);
	return `${calls} | ${failures} | ${shownMs(entries)}`;
}

/** `send_message 3 (1 failed, 120 ms)`. */
function callsOf(entry: ToolCalls): string {
	const failed = entry.failures > 0 ? `${entry.failures} failed, ` : '';
	return `${plain(entry.tool)} ${entry.calls} (${failed}${shownMs([entry])} ms)`;
}

function shownMs(entries: readonly ToolCalls[]): string {
	const ms = meanMs(entries);
	return ms === undefined ? '?' : Math.round(ms).toLocaleString('en');
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

/** What servers have done to loaded tools. */
function fates({ changedTools, goneTools }: DiscoverySession): string[] {
	const changed = changedTools.map(({ id }) => plain(id)).join(', ');
	const gone = goneTools.map(({ wireName, closest }) => {
		const names = closest.map(({ id }) => plain(id)).join(', ');
		return names ? `- ${plain(wireName)}; closest names: ${names}` : `- ${plain(wireName)}`;
	});
	return [
		...(changed ? [`Changed since they were loaded, and loaded anew: ${changed}`] : []),
		...(gone.length > 0
			? [
					[
						'Loaded before, and not available now; loaded again once their server offers them:',
						'',
						...gone,
					].join('\n'),
				]
			: []),
	];
}

const loadingWords: Record<Loading, string> = {
	append: 'at the end of the tools that are sent',
	native: 'in the result of the search, as the provider defers tools itself',
	call: `in the result of the search, and are called through ${callToolName}`,
};

function notes({ surface, statistics, loading }: DiscoverySession): string[] {
	const toolset = surface.toolset ? [`Toolset: ${plain(surface.toolset.name)}`] : [];
	if (!statistics) {
		return [
			...toolset,
			'Discovery is off: every tool is loaded. Set `tool_discovery.enabled` to `true` to turn it on.',
		];
	}
	const { searches_without_hit: missed = 0 } = statistics;
	const searches = counted(statistics.search_calls, 'search', 'searches');
	return [
		...toolset,
		`In this chat: ${searches}${missed > 0 ? ` (${missed} without a hit)` : ''}, ${counted(statistics.tools_discovered, 'tool')} discovered.`,
		`Loaded tools reach the model ${loadingWords[loading]}.`,
	];
}

function tokensOf(tools: readonly ToolDefinition[]): string {
	return tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0).toLocaleString('en');
}
