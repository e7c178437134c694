import * as l10n from '@vscode/l10n';
import { code, plain } from '../../common/markdown.ts';
import { nameList } from '../../common/nameList.ts';
import { type ContextReport, contextReport, type DefinitionCost } from '../../discovery/report.ts';
import { autoSentence } from '../autoWords.ts';
import {
	answerCount,
	dollars,
	percent,
	requestCount,
	searchCount,
	shownCost,
	toolCount,
	wholeNumber,
} from '../counts.ts';
import { loadedIn, loadedWords } from '../loadedCount.ts';
import type { SlashCommandContext } from './namedTools.ts';
import { missingToolset } from './toolset.ts';

/** `/context`: what is loaded in this chat, and what it costs. */
export function context(_args: string, { session }: SlashCommandContext): string {
	const report = contextReport(session);
	const { active, cap } = report;
	// The views list them all.
	const names = listed(active.map(({ server, name }) => `${server}:${name}`));
	const facts = [
		...costLines(report),
		...savings(report),
		...notes(report, missingToolset(session.surface)),
		...fates(report),
	];
	return [
		heading(active.length, cap, names),
		...(session.surface.policy.enabled ? [loadedWords(loadedIn(report))] : []),
		costs(report),
		...measured(report),
		...(facts.length > 0 ? [facts.map((fact) => `- ${fact}`).join('\n')] : []),
	].join('\n\n');
}

function heading(active: number, cap: number | null, names: string): string {
	const count = l10n.t('MCP active: {0}/{1}', active, cap ?? '∞');
	return names ? `${count} (${names})` : count;
}

/** The tokens sent with each request, and with every tool loaded. */
function costs({ costs }: ContextReport): string {
	const { always, active, synthetic, syntheticNames, lingering, sent, everything, manifest } = costs;
	return table(
		[l10n.t('estimated'), l10n.t('tools'), l10n.t('tokens')],
		[
			estimated(l10n.t('always loaded'), always),
			...(active.tools > 0 ? [estimated(l10n.t('loaded in this chat'), active)] : []),
			...(synthetic.tools > 0 ? [estimated(ownTools(listed(syntheticNames), manifest), synthetic)] : []),
			...(lingering.tools > 0
				? [estimated(l10n.t('unloaded, but sent until the prompt is rebuilt'), lingering)]
				: []),
			estimated(`**${l10n.t('sent with each request')}**`, sent),
			estimated(l10n.t('every tool loaded'), everything),
		],
	);
}

function ownTools(names: string, manifest: number): string {
	return manifest > 0 ? l10n.t('{0} (server list: {1})', names, wholeNumber(manifest)) : names;
}

function estimated(label: string, { tools, tokens }: DefinitionCost): string[] {
	return [label, wholeNumber(tools), wholeNumber(tokens)];
}

/** The tokens that providers counted so far, if any. */
function measured({ usage }: ContextReport): string[] {
	const { measuredAnswers, inputTokens, cachedInputTokens, cacheWriteTokens } = usage;
	const { outputTokens, thoughtTokens } = usage;
	if (measuredAnswers === 0) return [];
	const cached = l10n.t('input from its cache ({0})', percent(cachedInputTokens / inputTokens));
	const rows = [
		[inputOf(measuredAnswers), wholeNumber(inputTokens)],
		...(cachedInputTokens > 0 ? [[cached, wholeNumber(cachedInputTokens)]] : []),
		...(cacheWriteTokens > 0 ? [[l10n.t('input written to its cache'), wholeNumber(cacheWriteTokens)]] : []),
		[l10n.t('output'), wholeNumber(outputTokens)],
		...(thoughtTokens > 0 ? [[l10n.t('output for thinking'), wholeNumber(thoughtTokens)]] : []),
	];
	return [table([l10n.t('measured by the provider'), l10n.t('tokens')], rows)];
}

/** The cost of the chat, if any price is known. */
function costLines({ usage: { cost, measuredAnswers } }: ContextReport): string[] {
	if (!cost) return [];
	const { answers, reportedAnswers, everyToolUsd } = cost;
	const answersText =
		answers < measuredAnswers
			? l10n.t('{0} of {1}', answers, answerCount(measuredAnswers))
			: answerCount(answers);
	const source =
		reportedAnswers === answers
			? l10n.t('reported by the provider')
			: reportedAnswers === 0
				? l10n.t('calculated from the model’s price')
				: l10n.t('partly reported by the provider, partly calculated from the model’s price');
	const spent = l10n.t('Cost so far: {0} for {1}, {2}.', `**${shownCost(cost)}**`, answersText, source);
	if (everyToolUsd === undefined) return [spent];
	const otherwise = l10n.t('With every tool loaded: ≈{0} (estimated).', dollars(everyToolUsd));
	return [`${spent} ${otherwise}`];
}

function inputOf(answers: number): string {
	return answers === 1 ? l10n.t('input of 1 answer') : l10n.t('input of {0} answers', answers);
}

/** The chat is narrow: numbers are right-aligned, and columns few. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const sides = headings.map((_, i) => (i === 0 ? '---' : '---:'));
	return [headings, sides, ...rows].map(line).join('\n');
}

/** What deferring saved in this chat, if anything. */
function savings({ usage }: ContextReport): string[] {
	const { requests, definitionTokens, everyToolTokens } = usage;
	const saved = everyToolTokens - definitionTokens;
	if (saved <= 0) return [];
	return [
		l10n.t(
			'Saved so far: ≈{0} tokens of definitions in {1} ({2}, estimated).',
			wholeNumber(saved),
			requestCount(requests),
			percent(saved / everyToolTokens),
		),
	];
}

function listed(names: readonly string[]): string {
	return nameList(names.map((name) => plain(name)));
}

function fates({ changed, gone }: ContextReport): string[] {
	return [
		...(changed.length > 0
			? [l10n.t('Reloaded because their servers changed them: {0}', listed(changed))]
			: []),
		...(gone.length > 0 ? [l10n.t('Missing until their servers offer them again: {0}', listed(gone))] : []),
	];
}

function notes({ toolset, statistics, auto }: ContextReport, missing: string | undefined): string[] {
	const toolsetLine = toolset === undefined ? [] : [l10n.t('Toolset: {0}', plain(toolset))];
	const chosen = missing === undefined ? toolsetLine : [missing];
	const decided = auto ? [autoSentence(auto)] : [];
	if (!statistics) {
		if (auto) return [...chosen, ...decided];
		return [
			...chosen,
			l10n.t(
				'Discovery is off: every tool is loaded. Set {0} to {1} to turn it on.',
				code('tool_discovery.enabled'),
				code('true'),
			),
		];
	}
	const { searches_without_hit: missed = 0 } = statistics;
	if (statistics.search_calls === 0) return [...chosen, ...decided];
	const [searches, tools] = [searchCount(statistics.search_calls), toolCount(statistics.tools_discovered)];
	return [
		...chosen,
		...decided,
		missed > 0
			? l10n.t('In this chat: {0} ({1} found nothing), {2} loaded.', searches, missed, tools)
			: l10n.t('In this chat: {0}, {1} loaded.', searches, tools),
	];
}
