import { code, plain } from '../../discovery/markdown.ts';
import { parameterList } from '../../discovery/searchTools/parameterList.ts';
import type { ServerStatus } from '../../mcp/serverPool.ts';
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
		plain(description || 'No description.', descriptionLength),
		`Parameters: ${plain(parameterList(tool.inputSchema))}`,
		`${capitalized(word)}: ${plain(why)}.`,
		...(unsent ? [`Not sent to ${plain(unsent.model, 100)}: ${plain(unsent.reason, 300)}`] : []),
		...(use ? [plain(useWords(use))] : []),
		...(advice ? [plain(advice)] : []),
		`≈${tokens} tokens (estimated) · models call it ${code(tool.wireName)}`,
	].join('\n\n');
}

/** What there is to know of a server, as Markdown. */
export function serverTooltip({ status, launch, advice }: ServerNode, word: string, counts: string): string {
	const { transport, target } = launch ? launchWords(launch) : { transport: '', target: '' };
	return [
		`**${plain(status.name)}** — ${plain(word)}`,
		...failureOf(status),
		...(status.description ? [plain(status.description, 300)] : []),
		...(launch ? [`${transport}: ${code(target, 300)}`] : []),
		...(status.listedAt === undefined ? [] : [`${counts}, listed ${timeOf(status.listedAt)}`]),
		...(advice ? [plain(advice)] : []),
		...(status.cached ? ['The tools are as of its last run; it starts when one of them is called.'] : []),
		...(status.cutShort ? [`Not all tools are known: ${plain(status.cutShort, 300)}`] : []),
		...(status.listError
			? [`The last listing failed: ${plain(status.listError.message, failureLength)}`]
			: []),
		...status.dropped
			.slice(0, shownDropped)
			.map(({ name, reason }) => `Left out: ${code(name, 100)} (${plain(reason, 200)})`),
		...(status.dropped.length > shownDropped
			? [`… and ${status.dropped.length - shownDropped} more left out; the log names them.`]
			: []),
	].join('\n\n');
}

function failureOf({ state }: ServerStatus): string[] {
	if (state.kind !== 'failed') return [];
	const next =
		state.nextAttemptAt === undefined ? [] : [`The next attempt is at ${clockTime(state.nextAttemptAt)}.`];
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
