import { code, codeBlock } from '../../discovery/markdown.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { resultText } from '../../discovery/toolResult.ts';
import type { UnavailableServer } from './choose.ts';
import { parseJson } from './literals.ts';
import { type Parameter, parametersOf, spelling, type ValueShape } from './parameters.ts';
import type { Done, Step } from './task.ts';
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

export const cancelText = 'All right, nothing was called.';
export const nothingLeftText = 'There is nothing left to go on with. Say what you want done.';

/** Without any tool there is nothing that rules could do. */
export const noToolsText = [
	'There are no MCP tools available, so I can do nothing: I am fixed rules that call tools, not an AI.',
	'',
	'Run **Discovery: Create Configuration** or **Discovery: Open Configuration** from the command palette and name an MCP server under `servers`; if there are some, the **Servers** view shows why they are not running.',
].join('\n');

/** What the planner is, what it does and does not, and requests to try. */
export function helpText(tools: readonly ToolDefinition[], hasSearch: boolean): string {
	const examples = tools.slice(0, 2).map((tool) => {
		const required = parametersOf(tool).filter((parameter) => parameter.required);
		return span([readableName(tool.name), exampleArguments(required)].filter(Boolean).join(' '));
	});
	const [first, second] = [
		...examples,
		'list the files in docs',
		'create a file called hello.txt with the text Hello',
	];
	return [
		'I am the Offline Planner: fixed rules, no AI. I take your words as a search for a tool of your MCP servers, fill in the values that you give (quotes, paths, numbers, `name=value`), call the tool and show what it returns. Steps joined by "and then" are done one after the other; "it" is what the step before was about.',
		'',
		'I cannot chat, reason, or answer from knowledge of my own. For that, pick an AI model in the model picker.',
		'',
		`Try for example:\n\n- ${first}\n- ${second}`,
		'',
		hasSearch ? 'See `/tools` for all tools, `/find` to look for one.' : 'See `/tools` for all tools.',
	].join('\n');
}

/** Nothing was called for a step. `nearest`: wire names of tools that come closest. */
export function refusalText(query: string, nearest: readonly ToolDefinition[]): string {
	const closest = nearest.map(({ name }) => span(readableName(name)));
	return [
		`I found no tool that plainly does this, so I called none. I searched for ${span(query)}.${closest.length > 0 ? ` The closest: ${listed(closest)}.` : ''}`,
		'',
		'Try other words (a verb and a thing, such as "create a file"), see `/tools` for all tools, or look with `/find`. A tool can also be named: `server:tool name="value"`.',
	].join('\n');
}

/** A tool that the user has named is not there. */
export function unknownToolText(name: string): string {
	return `There is no tool ${span(name)}, so I called none. See \`/tools\` for all tools, or look with \`/find\`.`;
}

/** Why the server that would do it does not, and what mends that. */
export function causeText({ name, state, reason }: UnavailableServer): string {
	const server = span(name);
	switch (state) {
		case 'unapproved':
			return `This is for the server ${server}, which has not been started, because you have not approved it yet. **Review Servers…** in the Servers view shows what it runs; after that, ask again. I called nothing else.`;
		case 'stopped':
			return `This is for the server ${server}, which is stopped. Start it in the Servers view (**Start Server**) and ask again. I called nothing else.`;
		case 'starting':
			return `This is for the server ${server}, which is still starting. Ask again in a moment. I called nothing else.`;
		case 'failed':
			return `This is for the server ${server}, which could not be started${reason === undefined ? '' : `: ${span(reason)}`}. Its log says more (**Show Log** in the Servers view); mend the cause, choose **Restart Server**, and ask again. I called nothing else.`;
	}
}

/** Asks for the values that a call lacks, with what the schema says of each, and an example to copy. */
export function questionText(tool: ToolDefinition, missing: readonly Parameter[]): string {
	const what = missing.length === 1 ? 'one more value' : `${missing.length} more values`;
	return [
		`To call ${span(readableName(tool.name))} I need ${what}:`,
		'',
		...missing.map((parameter) => {
			const description = parameter.description ? ` — ${span(parameter.description)}` : '';
			return `- ${span(parameter.name)} (${typeOf(parameter)})${description}`;
		}),
		'',
		`For example: ${span(exampleArguments(missing))}`,
		'',
		'Answer with the values, or with a new request; quote a text that reads like one.',
	].join('\n');
}

function exampleArguments(parameters: readonly Parameter[]): string {
	return parameters.map((parameter) => `${parameter.name}=${sample(parameter)}`).join(' ');
}

function typeOf(shape: ValueShape): string {
	if (shape.choices) {
		const choices = shape.choices.map((choice) => span(spelling(choice)));
		return `one of ${listed(choices, 'or')}`;
	}
	const types = shape.types.map((type) => {
		if (type === 'array') return shape.items ? `list of ${typeOf(shape.items)}` : 'list';
		if (type !== 'object' || !shape.properties?.length) return type === 'object' ? 'JSON object' : type;
		const names = shape.properties.map(
			({ name, required }) => `${span(name)}${required ? '' : ', optional'}`,
		);
		return `JSON object with ${names.join('; ')}`;
	});
	return listed(types, 'or');
}

/** A value to copy and change. */
function sample({ choices, types: [type], items, properties = [] }: ValueShape): string {
	if (choices) return JSON.stringify(choices[0] ?? '…');
	if (type === 'array') return `[${items ? sample(items) : '"…"'}]`;
	if (type === 'object') {
		const required = properties.filter((property) => property.required);
		return `{${required.map((property) => `${JSON.stringify(property.name)}: ${sample(property)}`).join(', ')}}`;
	}
	const plain = { integer: '1', number: '1', boolean: 'true', null: 'null', string: '"…"' };
	return plain[type ?? 'string'];
}

/** Most steps that one message has done; more go on at the user's word. */
export const maxSteps = 10;

/** What came of each step, what was not done, and, where there is something to say, `next` at the end. */
export function summaryText(
	steps: readonly Step[],
	done: readonly { readonly call: Done; readonly unused: readonly string[] }[],
	from: number,
	next?: string,
): string {
	const head = (at: number) => (steps.length > 1 ? `Step ${at + 1} (${span(steps[at]?.text ?? '')}): ` : '');
	const reports = done.slice(from).map(({ call, unused }, i) => {
		const left =
			unused.length > 0
				? `\n\nNot used, since the tool has no parameter for it: ${listed(unused.map(span))}.`
				: '';
		return head(from + i) + reportText(call) + left;
	});
	const isStopped = done.at(-1)?.call.result.isError === true;
	const waiting = steps.slice(done.length + (next === undefined ? 0 : 1));
	const words = isStopped ? 'Not done yet' : 'Not done yet; say “continue” to go on';
	return [
		...reports,
		...(next === undefined ? [] : [`${head(done.length).trim()}\n\n${next}`.trim()]),
		...(waiting.length > 0 ? [`${words}: ${listed(waiting.map(({ text }) => span(text)))}.`] : []),
	].join('\n\n');
}

/** What came back from one call; everything a server wrote stands as code. */
function reportText({ wireName, input, result }: Done): string {
	const tool = span(readableName(wireName));
	const text = resultText(result).trim();
	if (result.declined) return `You declined the call of ${tool}, so nothing was done.`;
	if (!result.isError)
		return text === '' ? `${tool} is done; it returned no text.` : `${tool} answered${quoted(text)}`;
	const sent =
		Object.keys(input).length > 0 ? `\n\nIt was called with:\n\n${shown(JSON.stringify(input))}` : '';
	return `${tool} failed${quoted(text || 'No reason was given.')}${sent}`;
}

/** A line stands in the sentence, where it wraps in a narrow chat; anything longer keeps its lines in a fence. */
function quoted(text: string): string {
	const isLine = text.length <= maxSpanChars && !/[\n`]/.test(text) && prettyJson(text) === undefined;
	return isLine ? `: ${span(text)}` : `:\n\n${shown(text)}`;
}

/** The head of a text in a fence, and how much was left out; JSON indented where that changes nothing in it. */
function shown(text: string): string {
	const json = prettyJson(text);
	const whole = (json ?? text).trimEnd();
	const head = whole.split('\n').slice(0, maxResultLines).join('\n').slice(0, maxResultChars);
	const block = codeBlock(head, json === undefined || head.length < whole.length ? 'text' : 'json');
	if (head.length === whole.length) return block;
	const left = (whole.length - head.length).toLocaleString('en');
	return `${block}\n\nThis is the beginning; ${left} more characters are not shown.`;
}

function prettyJson(text: string): string | undefined {
	const trimmed = text.trim();
	const value = parseJson(trimmed);
	if (value === undefined) return undefined;
	// Only if writing it again gives the same letters: numbers beyond a double and doubled keys would change.
	return JSON.stringify(value) === trimmed ? JSON.stringify(value, undefined, 2) : trimmed;
}
