import * as l10n from '@vscode/l10n';
import { alterationsOfTool } from '../../discovery/alteredText.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { parameterList } from '../../discovery/searchTools/parameterList.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { alterationWords, serverAlterationWords } from './alterationWords.ts';
import { launchWords } from './serverWords.ts';
import { useWords } from './toolUse.ts';
import type { ServerNode, ToolNode } from './treeNodes.ts';

/** Longest description and failure that a tooltip shows, in characters; both are somebody else's text. */
const descriptionLength = 1000;
const failureLength = 2000;
/** Tools left out that are named; the log names all. */
const shownDropped = 5;

/** What there is to know of a tool, as Markdown. */
export function toolTooltip(
	{ tool, why, unsent, advice, use }: ToolNode,
	word: string,
	tokens: number,
): string {
	const [description = ''] = (tool.description ?? tool.title ?? '').trim().split(/\n\s*\n/, 1);
	return [
		`**${plain(tool.id)}**`,
		plain(description || l10n.t('No description.'), descriptionLength),
		...alterationWords(alterationsOfTool(tool)).map((words) => plain(words)),
		l10n.t('Parameters: {0}', plain(parameterList(tool.inputSchema))),
		l10n.t('{0}: {1}.', capitalized(word), plain(why)),
		...(unsent ? [l10n.t('Not sent to {0}: {1}', plain(unsent.model, 100), plain(unsent.reason, 300))] : []),
		...(use ? [plain(useWords(use))] : []),
		...(advice ? [plain(advice)] : []),
		l10n.t('≈{0} tokens (estimated) · models call it {1}', tokens, code(tool.wireName)),
	].join('\n\n');
}

/** What there is to know of a server, as Markdown. */
export function serverTooltip(
	{ status, launch, advice, tools, all = tools }: ServerNode,
	word: string,
	counts: string,
): string {
	const { transport, target } = launch ? launchWords(launch) : { transport: '', target: '' };
	return [
		`**${plain(status.name)}** — ${plain(word)}`,
		...failureOf(status),
		...(status.description ? [plain(status.description, 300)] : []),
		...serverAlterationWords(
			status,
			all.map(({ tool }) => tool),
		).map((words) => plain(words)),
		...(launch ? [`${transport}: ${code(target, 300)}`] : []),
		...(status.listedAt === undefined ? [] : [l10n.t('{0}, listed {1}', counts, timeOf(status.listedAt))]),
		...(advice ? [plain(advice)] : []),
		...(status.cached
			? [l10n.t('The tools are as of its last run; it starts when one of them is called.')]
			: []),
		...(status.cutShort ? [l10n.t('Not all tools are known: {0}', plain(status.cutShort, 300))] : []),
		...(status.listError
			? [l10n.t('The last listing failed: {0}', plain(status.listError.message, failureLength))]
			: []),
		...status.dropped
			.slice(0, shownDropped)
			.map(({ name, reason }) => l10n.t('Left out: {0} ({1})', code(name, 100), plain(reason, 200))),
		...(status.dropped.length > shownDropped
			? [l10n.t('… and {0} more left out; the log names them.', status.dropped.length - shownDropped)]
			: []),
	].join('\n\n');
}

function failureOf({ state }: ServerStatus): string[] {
	if (state.kind !== 'failed') return [];
	const next =
		state.nextAttemptAt === undefined
			? []
			: [l10n.t('The next attempt is at {0}.', clockTime(state.nextAttemptAt))];
	return [plain(state.error.message, failureLength), ...next];
}

function timeOf(ms: number): string {
	const date = new Date(ms);
	return `${date.toLocaleDateString()} ${clockTime(ms)}`;
}

function clockTime(ms: number): string {
	return new Date(ms).toLocaleTimeString();
}

function capitalized(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
