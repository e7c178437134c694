import { code, codeBlock } from '../../common/markdown.ts';
import { answerText } from '../../discovery/catalog/tool.ts';
import type { Choice } from './choose.ts';
import type { Done, Task } from './steps.ts';

/** Characters of a result that are shown. */
const maxResultChars = 4000;
/** Characters of a foreign text within a sentence. */
const maxSpanChars = 200;

/** A foreign text within a sentence. */
function span(text: string): string {
	return code(text, maxSpanChars);
}

/** `a, b and c`. */
const list = new Intl.ListFormat('en-GB');

/** What the planner is for; begins its first answer in a chat. */
export const purpose =
	'I am the Offline Planner. I follow fixed rules and use no AI, so you can try the extension without a model. I look for a tool that matches your words, and call it only if I understand your whole request.';

export const nothingLeft = 'There is nothing left to do. Say what you want done.';

export const noTools = [
	'No MCP tools are available.',
	'The **Servers** view shows why servers are not running. If it is empty, run **Discovery: Add Server…** from the command palette.',
].join('\n\n');

export const help = [
	'Say what to do, with all values: in quotes or as `name=value`. Paths, numbers and URLs need no quotes. Join steps with “then”. “It” means what the previous step was about.',
	'For example:\n\n- `list the files in docs`\n- `create a file called hello.txt with the text Hello`',
	'To chat or reason, pick an AI model in the model picker. `/tools` lists all tools.',
].join('\n\n');

/** Says why no tool was called for a step, and what the closest ones need. `query`: the search query. */
export function question(choices: readonly Choice[], query: string): string {
	const [best] = choices;
	if (!best)
		return `No tool matches ${span(query)}, so I did not call any. Try other words, such as \`create a file\`, or see \`/tools\`.`;
	const { unplaced, filling } = best;
	const reason =
		unplaced.length > 0
			? `I did not understand ${list.format(unplaced.map(span))}, so I did not call any tool.`
			: filling.missing.length > 0
				? `I need ${filling.missing.length === 1 ? 'one more value' : `${filling.missing.length} more values`}, so I did not call any tool.`
				: 'I am not sure which tool you mean, so I did not call any.';
	const tools = choices.map((choice) => `- ${toolLine(choice)}`).join('\n');
	return `${reason}\n\nThe closest tools:\n\n${tools}\n\nA button below opens a form with the values that I know. You can also say the whole request again.`;
}

function toolLine({ tool, filling: { missing } }: Choice): string {
	const needs = missing.length > 0 ? ` needs ${list.format(missing.map(span))}` : '';
	return span(readableName(tool.name)) + needs;
}

/** Reports the steps of this turn, `next` about the current step, and the remaining steps. */
export function summary({ steps, at, now }: Task, next?: string): string {
	const head = (step: number) => (steps.length > 1 ? `Step ${step + 1} (${span(steps[step] ?? '')}): ` : '');
	const reports = now.map(({ step, done }) => head(step) + reportText(done));
	const isReported = now.some(({ step }) => step === at);
	const question = next === undefined || isReported ? next : `${head(at).trim()}\n\n${next}`.trim();
	const waiting = steps.slice(at + 1).map(span);
	const remaining = `Remaining steps (reply “skip” to go on with them): ${list.format(waiting)}.`;
	return [...reports, question ?? '', waiting.length > 0 ? remaining : '']
		.filter((text) => text !== '')
		.join('\n\n');
}

/** What to do about a failed call. */
export const afterFailure =
	'The button below opens a form with these values, where you can change them and try again.';

/** Reports one call; a server's text is always shown as code. */
function reportText({ wireName, input, result }: Done): string {
	const tool = span(readableName(wireName));
	const text = answerText(result).trim();
	if (result.declined) return `You declined to run ${tool}, so nothing was done.`;
	if (result.isError)
		return `${tool} failed:\n\n${shown(text || 'No reason was given.')}\n\nIt was called with:\n\n${shown(JSON.stringify(input))}`;
	return text === '' ? `${tool} is done; it returned no text.` : `${tool} returned:\n\n${shown(text)}`;
}

/** The beginning of a text in a fence, and how much was left out. */
function shown(text: string): string {
	const block = codeBlock(text.slice(0, maxResultChars), 'text');
	const left = text.length - maxResultChars;
	return left <= 0 ? block : `${block}\n\n${left.toLocaleString('en')} more characters are not shown.`;
}

/** The name of a tool for people, from its wire name: `server:tool`. */
function readableName(wireName: string): string {
	return wireName.replace(/(?<=.)__/, ':');
}
