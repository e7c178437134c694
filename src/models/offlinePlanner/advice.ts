import type { ToolDefinition } from '../../discovery/tool.ts';
import { codeSpan, listed } from './markdown.ts';
import { parametersOf } from './parameter.ts';
import { exampleArguments } from './question.ts';
import { readableName } from './toolReference.ts';
import { contentWords, wordsOf } from './words.ts';

const smallTalk: ReadonlySet<string> = new Set(
	'hi hello hey hallo moin greetings good morning afternoon evening day thanks thank you help yo test who are are you what can do ok okay great nice cool bye goodbye'.split(
		' ',
	),
);
const cancelWords = /^\s*(?:cancel|never\s?mind|stop|forget it|no|nothing|abort|quit)[.!\s]*$/i;

/** Empty, a greeting or a call for help: nothing to search for. */
export function isSmallTalk(prompt: string): boolean {
	const words = wordsOf(prompt);
	if (words.length > 6 || /["'`=/\\]/.test(prompt)) return false;
	return (
		words.every((word) => smallTalk.has(word)) || (contentWords(prompt).length === 0 && !/\d/.test(prompt))
	);
}

/** The user takes back what a question was about. */
export function isCancel(prompt: string): boolean {
	return cancelWords.test(prompt);
}

export const cancelText = 'All right, nothing was called.';

/** What the planner is, what it does and does not, and two requests to try. */
export function helpText(tools: readonly ToolDefinition[], hasSearch: boolean): string {
	const examples = tools.slice(0, 2).map(exampleFor);
	const generic = ['list the files in docs', 'create a file called hello.txt with the text Hello'];
	const [first, second] = [...examples, ...generic];
	return [
		'I am the Offline Planner: fixed rules, no AI. I take your words as a search for a tool of your MCP servers, fill in the values that you give (quotes, paths, numbers, `name=value`), call the tool and show what it returns. Steps joined by "and then" are done one after the other.',
		'',
		'I cannot chat, reason, or answer from knowledge of my own. For that, pick an AI model in the model picker.',
		'',
		`Try for example:\n\n- ${first}\n- ${second}`,
		'',
		hasSearch ? 'See `/tools` for all tools, `/find` to look for one.' : 'See `/tools` for all tools.',
	].join('\n');
}

/** Without any tool there is nothing that rules could do. */
export const noToolsText = [
	'There are no MCP tools available, so I can do nothing: I am fixed rules that call tools, not an AI.',
	'',
	'Run **Discovery: Create Configuration** or **Discovery: Open Configuration** from the command palette and name an MCP server under `servers`; if there are some, the **Servers** view shows why they are not running.',
].join('\n');

/** Nothing was found; `failure` is what the search itself said, if it failed, `nearest` what it named, as `server:tool`. */
export function notFoundText(
	queries: readonly string[],
	failure: string | undefined,
	nearest: readonly string[] = [],
): string {
	const searched = listed(queries.map(codeSpan), 'and then for');
	const closest = nearest.length > 0 ? ` The closest: ${listed(nearest.map(codeSpan))}.` : '';
	return [
		`I found no tool for this. I searched for ${searched}.${closest}`,
		...(failure ? ['', `The search reported: ${codeSpan(failure)}`] : []),
		'',
		'Try other words (a verb and a thing, such as "create file"), see `/tools` for all tools, or look with `/find`. A tool can also be named: `server:tool name="value"`.',
	].join('\n');
}

/** Tools were found, but neither their words nor any value of the prompt speaks for one: calling would be a guess. */
export function noMatchText(prompt: string, tools: readonly { readonly readable: string }[]): string {
	const words = listed(contentWords(prompt).slice(0, 5).map(codeSpan), 'or');
	return [
		`I found tools, but none of them says anything of ${words}, so I called none. The closest: ${listed(tools.map(({ readable }) => codeSpan(readable)))}.`,
		'',
		'Try other words, see `/tools`, or name the tool that you mean: `server:tool name="value"`.',
	].join('\n');
}

/** Tools were found, but none does what the verb of the request asks for; the nearest are named. */
export function noVerbText(
	verb: string | undefined,
	isStrict: boolean,
	tools: readonly { readonly readable: string }[],
): string {
	const why = isStrict
		? `I found no tool that says it can ${codeSpan(verb ?? '')} this`
		: `The tools that I found do something else than ${verb === undefined ? 'you ask for' : codeSpan(verb)}`;
	return [
		`${why}, so I called none. The closest: ${listed(tools.map(({ readable }) => codeSpan(readable)))}.`,
		'',
		'Try other words, see `/tools`, or name the tool that you mean: `server:tool name="value"`.',
	].join('\n');
}

/** Leads a question for values where the user's words do not speak for the tool, though the search found it. */
export function didYouMean(prompt: string, readable: string): string {
	const words = listed(contentWords(prompt).slice(0, 5).map(codeSpan), 'or');
	return `I am not sure: the tools found say nothing of ${words}, so I called none. Did you mean ${codeSpan(readable)}?`;
}

function exampleFor(tool: ToolDefinition): string {
	const required = parametersOf(tool).filter((parameter) => parameter.required);
	const values = required.length > 0 ? ` ${exampleArguments(required)}` : '';
	return codeSpan(`${readableName(tool.name)}${values}`);
}
