import { codeBlock } from '../../discovery/markdown.ts';
import { resultText, type ToolResult } from '../../discovery/toolResult.ts';
import { maxDescriptionChars, maxResultChars, maxResultLines } from './limits.ts';
import { codeSpan } from './markdown.ts';

/** A call that was made, with what came of it. */
export interface Outcome {
	readonly wireName: string;
	/** `server:tool`. */
	readonly readable: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: ToolResult;
}

export type Verdict = 'succeeded' | 'failed' | 'declined' | 'notLoaded' | 'unknownTool';

/** A sentence of the loop that declines stands at the beginning; a server's text that merely mentions it does not count. */
const declinedByUser =
	/^(?:error:\s*)?(?:(?:the|this) )?(?:user (?:has )?(?:declined|rejected|denied|cancell?ed|refused)|(?:tool )?call (?:was )?(?:declined|rejected|cancell?ed) by the user)\b/i;

/** What a result amounts to. */
export function verdictOf(result: ToolResult): Verdict {
	const text = resultText(result).trim();
	if (declinedByUser.test(text)) return 'declined';
	if (!result.isError) return 'succeeded';
	if (/^(?:error:\s*)?tool '[^']*' is not yet loaded/i.test(text)) return 'notLoaded';
	return /^(?:error:\s*)?(?:unknown tool|no such tool|tool [^\n]{0,80} (?:not found|does not exist))\b/i.test(
		text,
	)
		? 'unknownTool'
		: 'failed';
}

/** What came back from one call, in a few lines of Markdown; everything a server wrote stands as code. */
export function report(outcome: Outcome): string {
	const tool = codeSpan(outcome.readable);
	const text = resultText(outcome.result);
	switch (verdictOf(outcome.result)) {
		case 'succeeded':
			return `${tool} ${answerOf(text.trim())}`;
		case 'declined':
			return `You declined the call of ${tool}, so nothing was done.`;
		case 'notLoaded':
			return `${tool} could not be called, because it is no longer loaded:\n\n${shown(text)}\n\nSend the request again, or load it with \`/load\`.`;
		case 'unknownTool':
			return `${tool} could not be called, because no server offers it any more:\n\n${shown(text)}\n\nSee \`/tools\` for what there is.`;
		case 'failed':
			return `${tool} failed${quoted(text.trim() || 'No reason was given.')}${calledWith(outcome, text)}`;
	}
}

/** The server, not a value, is what failed. */
const serverFault =
	/\b(?:crashed|exited|stopped|not running|is gone|disconnected|connection (?:closed|refused|lost)|(?:not|un)\s?(?:reachable|available)|cannot be reached|could not be (?:reached|started)|ECONNREFUSED|timed out)\b/i;

/** The values that were sent, where they may be the reason. */
function calledWith({ input }: Outcome, text: string): string {
	if (Object.keys(input).length === 0) return '';
	const advice = serverFault.test(text)
		? ''
		: '\n\nIf a value is wrong, send the request again with the right one, for example as `name="value"`.';
	return `\n\nIt was called with:\n\n${shown(JSON.stringify(input))}${advice}`;
}

function answerOf(text: string): string {
	return text === '' ? 'is done; it returned no text.' : `answered${quoted(text)}`;
}

/** A line stands in the sentence, where it wraps in a narrow chat; anything longer keeps its lines in a fence. */
function quoted(text: string): string {
	const isLine = text.length <= maxDescriptionChars && !/[\n`]/.test(text) && prettyJson(text) === undefined;
	return isLine ? `: ${codeSpan(text)}` : `:\n\n${shown(text)}`;
}

/** The head of a text in a fence, and how much was left out; JSON indented where that changes nothing in it. */
function shown(text: string): string {
	const json = prettyJson(text);
	const whole = (json ?? text).trimEnd();
	const lines = whole.split('\n');
	const head = lines.slice(0, maxResultLines).join('\n').slice(0, maxResultChars);
	const block = codeBlock(head, json === undefined || head.length < whole.length ? 'text' : 'json');
	if (head.length === whole.length) return block;
	const left = whole.length - head.length;
	return `${block}\n\nThis is the beginning; ${left.toLocaleString('en')} more characters are not shown.`;
}

function prettyJson(text: string): string | undefined {
	const trimmed = text.trim();
	if (!/^[[{]/.test(trimmed)) return undefined;
	try {
		const value: unknown = JSON.parse(trimmed);
		// Only if writing it again gives the same letters: numbers beyond a double and doubled keys would change.
		return JSON.stringify(value) === trimmed ? JSON.stringify(value, undefined, 2) : trimmed;
	} catch {
		return undefined;
	}
}
