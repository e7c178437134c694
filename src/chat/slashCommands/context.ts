import { callToolName } from '../../discovery/callTool.ts';
import { type CallSums, callsByServer, type ToolSums } from '../../discovery/journal/callSums.ts';
import type { ToolCalls } from '../../discovery/journal/usage.ts';
import { plain } from '../../discovery/markdown.ts';
import type { Loading } from '../../discovery/policy.ts';
import { type ContextReport, type Cost, contextReport } from '../../discovery/report/contextReport.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/context`: what is loaded in this chat, and what it costs. */
export function context(_args: string, { session }: SlashCommandContext): string {
	const report = contextReport(session);
	const { active, cap, usage } = report;
	const names = listed(active.map(({ server, name }) => `${server}:${name}`));
	return [
		`MCP active: ${active.length}/${cap ?? '∞'}${names && ` (${names})`}`,
		costs(report),
		...savings(report),
		...(usage.calls.length > 0 ? [callsBy(usage.calls)] : []),
		...fates(report),
		...notes(report),
	].join('\n\n');
}

/** What goes to the model with each request, what would if every tool were loaded, and what providers have counted. */
function costs({ costs, usage }: ContextReport): string {
	const { always, active, synthetic, syntheticNames, lingering, sent, everything, manifest } = costs;
	const rows = [
		estimated('always loaded', always),
		estimated('loaded in this chat', active),
		...(synthetic.tools > 0 ? [estimated(listed(syntheticNames), synthetic)] : []),
		...(manifest > 0 ? [row('of that the manifest', '', manifest, 'estimated')] : []),
		...(lingering.tools > 0 ? [estimated('unloaded, but sent until the prompt begins anew', lingering)] : []),
		estimated('**sent with each call**', sent),
		estimated('every tool loaded', everything),
		...measured(usage),
	];
	return ['| | tools | tokens | |', '|---|---:|---:|---|', ...rows].join('\n');
}

/** What providers have counted so far; nothing before the first answer that tells. */
function measured(usage: ContextReport['usage']): string[] {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens } = usage;
	if (measuredAnswers === 0) return [];
	const share = percent(cachedInputTokens / inputTokens);
	return [
		row(`input of ${counted(measuredAnswers, 'answer')}`, '', inputTokens, 'measured'),
		...(cachedInputTokens > 0
			? [row(`of that from the provider's cache (${share})`, '', cachedInputTokens, 'measured')]
			: []),
		row('output', '', outputTokens, 'measured'),
	];
}

function estimated(what: string, { tools, tokens }: Cost): string {
	return row(what, tools, tokens, 'estimated');
}

function row(what: string, tools: number | '', tokens: number, how: 'estimated' | 'measured'): string {
	return `| ${what} | ${tools} | ${tokens.toLocaleString('en')} | ${how} |`;
}

/** What deferring has saved in this chat; nothing where it has not. */
function savings({ usage }: ContextReport): string[] {
	const { requests, definitionTokens, everyToolTokens } = usage;
	const saved = everyToolTokens - definitionTokens;
	if (saved <= 0) return [];
	return [
		`Saved so far: ≈${saved.toLocaleString('en')} tokens of definitions in ${counted(requests, 'request')} (${percent(saved / everyToolTokens)}, estimated).`,
	];
}

function callsBy(calls: readonly ToolCalls[]): string {
	const rows = callsByServer(calls).map(({ server, tools, ...sums }) => {
		const { calls, failures } = sums;
		return `| ${plain(server)} | ${calls} | ${failures} | ${shownMs(sums)} | ${tools.map(callsOf).join(', ')} |`;
	});
	return ['| server | calls | failed | mean ms | by tool |', '|---|---:|---:|---:|---|', ...rows].join('\n');
}

/** `send_message 3 (1 failed, 120 ms)`. */
function callsOf(sums: ToolSums): string {
	const failed = sums.failures > 0 ? `${sums.failures} failed, ` : '';
	return `${plain(sums.tool)} ${sums.calls} (${failed}${shownMs(sums)} ms)`;
}

function shownMs({ meanMs }: CallSums): string {
	return meanMs === undefined ? '?' : Math.round(meanMs).toLocaleString('en');
}

function listed(names: readonly string[]): string {
	return names.map((name) => plain(name)).join(', ');
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

/** What servers have done to loaded tools. */
function fates({ changed, gone }: ContextReport): string[] {
	const lines = gone.map(({ wireName, closest }) => {
		const names = listed(closest);
		return names ? `- ${plain(wireName)}; closest names: ${names}` : `- ${plain(wireName)}`;
	});
	const heading = 'Loaded before, and not available now; loaded again once their server offers them:';
	return [
		...(changed.length > 0 ? [`Changed since they were loaded, and loaded anew: ${listed(changed)}`] : []),
		...(lines.length > 0 ? [[heading, '', ...lines].join('\n')] : []),
	];
}

const loadingWords: Record<Loading, string> = {
	append: 'at the end of the tools that are sent',
	native: 'in the result of the search, as the provider defers tools itself',
	call: `in the result of the search, and are called through ${callToolName}`,
};

function notes({ toolset, statistics, loading }: ContextReport): string[] {
	const chosen = toolset === undefined ? [] : [`Toolset: ${plain(toolset)}`];
	if (!statistics) {
		return [
			...chosen,
			'Discovery is off: every tool is loaded. Set `tool_discovery.enabled` to `true` to turn it on.',
		];
	}
	const { searches_without_hit: missed = 0 } = statistics;
	const searches = counted(statistics.search_calls, 'search', 'searches');
	return [
		...chosen,
		`In this chat: ${searches}${missed > 0 ? ` (${missed} without a hit)` : ''}, ${counted(statistics.tools_discovered, 'tool')} discovered.`,
		`Loaded tools reach the model ${loadingWords[loading]}.`,
	];
}
