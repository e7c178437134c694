import { code, codeBlock } from '../../common/markdown.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { answerText } from '../../discovery/catalog/tool.ts';
import type { UnavailableServer } from './choose.ts';
import { type Parameter, parametersOf, parseJson } from './parameters.ts';
import type { Done, Task } from './task.ts';
import { readableName } from './words.ts';

/** Characters and lines of a result that are shown; the rest is counted. */
const maxResultChars = 4000;
const maxResultLines = 80;
/** Characters of a server's description, or of a value, within a sentence. */
const maxSpanChars = 200;

/** A short text of unknown origin within a sentence. */
function span(text: string): string {
	return code(text, maxSpanChars);
}

function listed(items: readonly string[], last = 'and'): string {
	return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

export const cancelled = 'All right, nothing was called.';
export const nothingLeft = 'There is nothing left to go on with. Say what you want done.';
export const outOfOrder =
	'I do steps in the order in which you say them, so I called none. Say what is to be done first, “and then” what comes after it.';

export const conditional =
	'I only do what is plainly asked, so I called none: I understand neither what is not to be done nor conditions. Say only what is to be done.';

/** Without any tool there is nothing that rules could do. */
export const noTools = [
	'There are no MCP tools available, so I can do nothing: I am fixed rules that call tools, not an AI.',
	'Run **Discovery: Create Configuration** or **Discovery: Open Configuration** from the command palette and name an MCP server under `servers`; if there are some, the **Servers** view shows why they are not running.',
].join('\n\n');

/** What the planner is, what it does and does not, and requests to try. */
export function help(tools: readonly ToolDefinition[], hasSearch: boolean): string {
	const examples = tools.slice(0, 2).map((tool) => {
		const required = parametersOf(tool).filter((parameter) => parameter.required);
		return span(`${readableName(tool.name)} ${exampleOf(required)}`.trim());
	});
	const usual = ['list the files in docs', 'create a file called hello.txt with the text Hello'];
	const [first, second] = [...examples, ...usual];
	return [
		'I am the Offline Planner: fixed rules, no AI. I take your words as a search for a tool of your MCP servers, fill in the values that you give (quotes, paths, numbers, `name=value`), call the tool and show what it returns. Steps joined by "and then" are done one after the other; "it" is what the step before was about.',
		'I cannot chat, reason, or answer from knowledge of my own. For that, pick an AI model in the model picker.',
		`Try for example:\n\n- ${first}\n- ${second}`,
		`See \`/tools\` for all tools${hasSearch ? ', `/find` to look for one' : ''}.`,
	].join('\n\n');
}

/** Nothing was called for a step. `nearest`: tools that come closest. */
export function refusal(query: string, nearest: readonly ToolDefinition[]): string {
	const closest = nearest.map(({ name }) => span(readableName(name)));
	const more = closest.length > 0 ? ` The closest: ${listed(closest)}.` : '';
	return [
		`No tool clearly matches, so I ran nothing. I searched for ${span(query)}.${more}`,
		'Try other words (a verb and a thing, such as "create a file"), see `/tools` for all tools, or look with `/find`. A tool can also be named: `server:tool name="value"`.',
	].join('\n\n');
}

/** A tool that the user has named is not there. */
export function unknownTool(name: string): string {
	return `There is no tool ${span(name)}, so I called none. See \`/tools\` for all tools, or look with \`/find\`.`;
}

/** The user has named a parameter that the tool has not. */
export function unknownParameter(tool: ToolDefinition, name: string): string {
	const names = parametersOf(tool).map((parameter) => span(parameter.name));
	const has = names.length > 0 ? `It has ${listed(names)}.` : 'It has none.';
	return `${span(readableName(tool.name))} has no parameter ${span(name)}, so I did not call it. ${has}`;
}

/** Why the server that would do it does not, and what mends that. */
export function cause({ name, state, reason }: UnavailableServer): string {
	const why = {
		unapproved:
			'has not been started, because you have not approved it yet. **Review Servers…** in the Servers view shows what it runs; after that, ask again',
		'signed-out': 'wants you to sign in. Choose **Sign In…** at its row in the Servers view, and ask again',
		stopped: 'is stopped. Start it in the Servers view (**Start Server**) and ask again',
		starting: 'is still starting. Ask again in a moment',
		faulty:
			'is off, because its entry in the configuration has faults. Its row in the Servers view leads to them; mend them, and ask again',
		forbidden: 'may not start. Its row in the Servers view says who decided that',
		failed: `could not be started${reason === undefined ? '' : `: ${span(reason)}`}. Its log says more (**Show Log** in the Servers view); mend the cause, choose **Restart Server**, and ask again`,
	};
	return `This is for the server ${span(name)}, which ${why[state]}. I called nothing else.`;
}

/** Asks for the values that a call lacks, with what the schema says of each, and an example to copy. */
export function question(tool: ToolDefinition, missing: readonly Parameter[]): string {
	const what = missing.length === 1 ? 'one more value' : `${missing.length} more values`;
	const values = missing.map(({ name, types, choices, description }) => {
		const type = choices ? `one of ${listed(choices.map(spelled).map(span), 'or')}` : listed(types, 'or');
		return `- ${span(name)} (${type})${description === '' ? '' : ` — ${span(description)}`}`;
	});
	return [
		`To call ${span(readableName(tool.name))} I need ${what}:`,
		values.join('\n'),
		`For example: ${span(exampleOf(missing))}`,
		'Answer with the values, or with a new request; quote a text that reads like one.',
	].join('\n\n');
}

/** Values to copy and change. */
function exampleOf(parameters: readonly Parameter[]): string {
	const samples: Readonly<Record<string, string>> = {
		integer: '1',
		number: '1',
		boolean: 'true',
		object: '{…}',
	};
	return parameters
		.map(
			({ name, types: [type = ''], choices }) =>
				`${name}=${choices ? JSON.stringify(choices[0]) : (samples[type] ?? '"…"')}`,
		)
		.join(' ');
}

function spelled(choice: unknown): string {
	return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

/** What came of each step of this turn, what was not done, and, where there is something to say of the next step, that. */
export function summary({ steps, done, doneNow }: Task, next?: string): string {
	const head = (at: number) => (steps.length > 1 ? `Step ${at + 1} (${span(steps[at]?.text ?? '')}): ` : '');
	const reports = done.map((call, at) => head(at) + reportText(call)).slice(done.length - doneNow);
	const waiting = steps.slice(done.length + (next === undefined ? 0 : 1)).map(({ text }) => span(text));
	const words = done.at(-1)?.result.isError ? 'Remaining steps' : 'Remaining steps (reply “continue”)';
	return [
		...reports,
		...(next === undefined ? [] : [`${head(done.length).trim()}\n\n${next}`.trim()]),
		...(waiting.length > 0 ? [`${words}: ${listed(waiting)}.`] : []),
	].join('\n\n');
}

/** What came back from one call; everything a server wrote stands as code. */
function reportText({ wireName, input, result }: Done): string {
	const tool = span(readableName(wireName));
	const text = answerText(result).trim();
	if (result.declined) return `You declined the call of ${tool}, so nothing was done.`;
	if (result.isError)
		return `${tool} failed${quoted(text || 'No reason was given.')}\n\nIt was called with:\n\n${shown(JSON.stringify(input))}`;
	return text === '' ? `${tool} is done; it returned no text.` : `${tool} answered${quoted(text)}`;
}

/** A line stands in the sentence, where it wraps in a narrow chat; anything longer keeps its lines in a fence. */
function quoted(text: string): string {
	return text.length <= maxSpanChars && !/\n|`|^[[{]/.test(text) ? `: ${span(text)}` : `:\n\n${shown(text)}`;
}

/** The head of a text in a fence, and how much was left out; JSON indented where that changes nothing in it. */
function shown(text: string): string {
	const value = parseJson(text);
	// Only if writing it again gives the same letters: numbers beyond a double and doubled keys would change.
	const whole = JSON.stringify(value) === text ? JSON.stringify(value, undefined, 2) : text;
	const head = whole.split('\n').slice(0, maxResultLines).join('\n').slice(0, maxResultChars);
	const left = whole.length - head.length;
	const block = codeBlock(head, value === undefined || left > 0 ? 'text' : 'json');
	return left === 0
		? block
		: `${block}\n\nThis is the beginning; ${left.toLocaleString('en')} more characters are not shown.`;
}
