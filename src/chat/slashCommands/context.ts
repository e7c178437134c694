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
		...measured(report),
		...savings(report),
		...(usage.calls.length > 0 ? [callsBy(usage.calls)] : []),
		...fates(report),
		...notes(report),
	].join('\n\n');
}

/** What goes to the model with each request, and what would if every tool were loaded. */
function costs({ costs }: ContextReport): string {
	const { always, active, synthetic, syntheticNames, lingering, sent, everything, manifest } = costs;
	return table(
		['estimated', 'tools', 'tokens'],
		[
			estimated('always loaded', always),
			estimated('loaded in this chat', active),
			...(synthetic.tools > 0 ? [estimated(listed(syntheticNames), synthetic)] : []),
			...(manifest > 0 ? [['of that the manifest', '', figure(manifest)]] : []),
			...(lingering.tools > 0
				? [estimated('unloaded, but sent until the prompt begins anew', lingering)]
				: []),
			estimated('**sent with each call**', sent),
			estimated('every tool loaded', everything),
		],
	);
}

function estimated(what: string, { tools, tokens }: Cost): string[] {
	return [what, `${tools}`, figure(tokens)];
}

/** What providers have counted so far; nothing before the first answer that tells. */
function measured({ usage }: ContextReport): string[] {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens } = usage;
	if (measuredAnswers === 0) return [];
	const cached = `of that from its cache (${percent(cachedInputTokens / inputTokens)})`;
	const rows = [
		[`input of ${counted(measuredAnswers, 'answer')}`, figure(inputTokens)],
		...(cachedInputTokens > 0 ? [[cached, figure(cachedInputTokens)]] : []),
		['output', figure(outputTokens)],
	];
	return [table(['measured by the provider', 'tokens'], rows)];
}

/** The chat is narrow: figures stand on the right, and columns are few. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const sides = headings.map((_, i) => (i === 0 ? '---' : '---:'));
	return [headings, sides, ...rows].map(line).join('\n');
}

function figure(tokens: number): string {
	return tokens.toLocaleString('en');
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

/** A line a server: `- slack: 3 calls, 1 failed, 1,000 ms each: send_message 2 (1,000 ms), …`. */
function callsBy(calls: readonly ToolCalls[]): string {
	return callsByServer(calls)
		.map(({ server, tools, ...sums }) => {
			const failed = sums.failures > 0 ? `, ${sums.failures} failed` : '';
			const all = `${counted(sums.calls, 'call')}${failed}, ${shownMs(sums)} each`;
			return `- **${plain(server)}**: ${all}: ${tools.map(callsOf).join(', ')}`;
		})
		.join('\n');
}

/** `send_message 3 (1 failed, 120 ms)`. */
function callsOf(sums: ToolSums): string {
	const failed = sums.failures > 0 ? `${sums.failures} failed, ` : '';
	return `${plain(sums.tool)} ${sums.calls} (${failed}${shownMs(sums)})`;
}

function shownMs({ meanMs }: CallSums): string {
	return meanMs === undefined ? 'untimed' : `${Math.round(meanMs).toLocaleString('en')} ms`;
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
