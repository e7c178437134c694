import * as l10n from '@vscode/l10n';
import { parsedJson } from '../../common/json.ts';
import { code, codeBlock, quotedLines } from '../../common/markdown.ts';
import { nameList } from '../../common/nameList.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { ownResultText, type ToolResult } from '../../discovery/catalog/tool.ts';
import { isStopWord } from '../../discovery/search/words/analyzer.ts';
import type { Choice } from './choose.ts';

/** Characters of a result that are shown. */
const maxResultChars = 4000;
/** Words of a request that an answer quotes. */
const maxWords = 8;
/** Characters of a foreign text within a sentence. */
const maxSpanChars = 200;

/** The name of a tool for people, from its wire name. */
export type ToolLabel = (wireName: string) => string;

/** A foreign text within a sentence. */
function codeSpan(text: string): string {
	return code(text, maxSpanChars);
}

/** What the planner is for; begins its first answer in a chat. */
export function purpose(): string {
	return l10n.t(
		'I am the Offline Planner. I follow fixed rules and use no AI, so you can try the extension without a model. I look for a tool that matches your words.',
	);
}

export function noTools(): string {
	return [
		l10n.t('No MCP tools are available.'),
		l10n.t(
			'The **Servers** view shows why servers are not running. If it is empty, run **Discovery: Add Servers…** from the command palette.',
		),
	].join('\n\n');
}

/** Translations must add that requests are understood in English only. */
export function help(): string {
	return [
		l10n.t(
			'Say in one sentence what to do, with all values: in quotes or as {0}. Paths, numbers, URLs and what follows “called” need no quotes.',
			'`name=value`',
		),
		`${l10n.t('For example:')}\n\n- \`list the files in docs/\`\n- \`create a file called hello.txt with the text Hello\``,
		l10n.t('To chat or reason, pick an AI model in the model picker. {0} lists the servers.', '`/tools`'),
	].join('\n\n');
}

/** Says why no tool was called, what the closest ones need, and what the first of them has no place for. `query`: the search query. */
export function question(choices: readonly Choice[], query: string, names: ToolLabel): string {
	const [best] = choices;
	if (!best)
		return l10n.t(
			'No tool matches {0}, so I did not call any. Try other words, such as {1}, or see {2}.',
			codeSpan(query),
			'`create a file`',
			'`/tools`',
		);
	const tools = choices.map(({ tool, missing }) => {
		const name = codeSpan(names(tool.name));
		return `- ${missing.length > 0 ? l10n.t('{0} needs {1}', name, nameList(missing.map(codeSpan))) : name}`;
	});
	const telling = best.unplaced.filter((word) => !isStopWord(word));
	const unplaced = telling.length > 0 ? telling : best.unplaced;
	return [
		unplaced.length > 0
			? l10n.t('I am not sure what you mean, so I did not call any tool. The closest tools:')
			: l10n.t('I do not know everything that a call needs, so I did not call any tool. The closest tools:'),
		tools.join('\n'),
		...(unplaced.length > 0
			? [l10n.t('I could not use {0}.', nameList(unplaced.map(codeSpan), maxWords))]
			: []),
		l10n.t('Each button opens a form with the values that I know. You can also say the whole request again.'),
	].join('\n\n');
}

/** Reports one call. A server's text is quoted or in a fence, so that none of it becomes a link or an image. */
export function report({ name }: ToolCall, result: ToolResult, names: ToolLabel): string {
	const tool = codeSpan(names(name));
	const text = ownResultText(result).trim();
	if (result.declined) return l10n.t('You did not allow {0} to run, so nothing was done.', tool);
	if (result.isError) {
		const reason = text || l10n.t('No reason was given.');
		return [l10n.t('{0} failed:', tool), resultExcerpt(reason)].join('\n\n');
	}
	return text === ''
		? l10n.t('{0} is done; it returned no text.', tool)
		: [l10n.t('{0} returned:', tool), resultExcerpt(withLineBreaks(text))].join('\n\n');
}

/** JSON with the line breaks of its texts: a diff, which the sample's own suggestion asks for, would be one line that the panel cuts. */
function withLineBreaks(text: string): string {
	return parsedJson(text) === undefined ? text : text.replace(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n');
}

/** The beginning of a text, and how much was left out. A single line is quoted: a fence does not wrap, so a narrow panel would cut it. */
function resultExcerpt(text: string): string {
	const part = text.slice(0, maxResultChars).trimEnd();
	const block = part.includes('\n') ? codeBlock(part, 'text') : quotedLines(part);
	const omitted = text.length - maxResultChars;
	return omitted <= 0
		? block
		: `${block}\n\n${l10n.t('{0} more characters are not shown.', omitted.toLocaleString('en'))}`;
}
