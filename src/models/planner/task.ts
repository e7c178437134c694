import { isRecord } from '../../common/json.ts';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { answerText, type ToolResult } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { answeredCalls, missingResult } from '../callIds.ts';
import { kindOf, type Literal, type LiteralKind, readLiterals, stepEnds } from './literals.ts';
import { type Parameter, parseJson } from './parameters.ts';
import { deedOf, deedOfTool, hasRole, isGrammar, splitName } from './words.ts';

/** A call that was made, with what came of it. */
export interface Done {
	readonly wireName: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: ToolResult;
}

/** One thing to do: it becomes a search, and a call. */
export interface Step {
	readonly text: string;
	/** Its values, and those of answers to questions about it. */
	readonly literals: readonly Literal[];
	/** The tool that a question was about. */
	readonly tool?: ToolDefinition;
}

/** What the user wants, and how far that has come. */
export interface Task {
	/** What was said last, but for a message that only says to go on; empty where there is nothing to go on with. */
	readonly prompt: string;
	/** Whether the newest message only says to go on. */
	readonly continues: boolean;
	/** The conversation before the prompt. */
	readonly before: readonly ChatMessage[];
	readonly steps: readonly Step[];
	/** Calls of servers' tools, one for each step that was tried. */
	readonly done: readonly Done[];
	/** How many of them were made since the newest message. */
	readonly doneNow: number;
	/** How often the step under way has searched. */
	readonly searches: number;
	/** The last call of an earlier request that did not fail. */
	readonly earlier?: Done;
}

const goOn = /^\s*(?:please\s+)?(?:continue|go on|carry on|keep going|proceed|resume)(?:\s+please)?[.!\s]*$/i;

/**
 * What the conversation asks for; `undefined` where nobody has said anything. Where the user says to go on, the step that failed is tried
 * again.
 */
export function newestTask(
	messages: readonly ChatMessage[],
	continueLabel: string,
	now: Date,
): Task | undefined {
	const isGoOn = (text: string) =>
		goOn.test(text) || text.trim().toLowerCase() === continueLabel.toLowerCase();
	const newest = messages.findLastIndex(({ role }) => role === 'user');
	if (newest < 0) return undefined;
	const asked = messages.findLastIndex((message) => message.role === 'user' && !isGoOn(message.text));
	const message = messages[asked];
	const prompt = message?.role === 'user' ? message.text : '';
	const before = messages.slice(0, Math.max(asked, 0));
	const calls = callsIn(messages.slice(newest));
	const doneNow = calls.filter(isServers);
	const doneBefore = asked < 0 ? [] : callsIn(messages.slice(asked, newest)).filter(isServers);
	const kept = doneBefore.at(-1)?.result.isError ? doneBefore.slice(0, -1) : doneBefore;
	const earlier = callsIn(before).findLast((call) => isServers(call) && !call.result.isError);
	return {
		prompt,
		continues: asked !== newest,
		before,
		steps: splitSteps(prompt, now),
		done: [...kept, ...doneNow],
		doneNow: doneNow.length,
		searches: calls.length - 1 - calls.findLastIndex(isServers),
		...(earlier && { earlier }),
	};
}

/** Calls with their answers; one that nobody answered has failed. */
function callsIn(messages: readonly ChatMessage[]): readonly Done[] {
	const answered = messages.flatMap((_, at) => answeredCalls(messages, at));
	return answered.map(({ call, result: answer = missingResult(call) }) => {
		return { wireName: call.name, input: call.input, result: answer.result };
	});
}

function isServers({ wireName }: Done): boolean {
	return wireName !== searchToolsName;
}

/** Splits "do this and then that", and a list of such things, into steps. Values are not looked into. */
export function splitSteps(prompt: string, now: Date): readonly Step[] {
	return listedRequests(prompt)
		.flatMap((request) => {
			const ends = [...stepEnds(withoutValues(request))];
			return [0, ...ends.map(({ next }) => next)].map((start, i) => request.slice(start, ends[i]?.end));
		})
		.map((text) => text.replace(/^\s*first[,\s]+/i, '').trim())
		.filter((text) => tokenize(text).length > 0)
		.map(saidInWords)
		.map((text) => ({ text, literals: readLiterals(text, now) }));
}

/** The mark of an item in a list, at the beginning of its line. */
const itemMark = /^[ \t]*(\d{1,2}(?=[.)])|[-*•])[.)]?[ \t]+(?=\S)/gm;
/** What may stand above a list without saying anything itself. */
const aboveList =
	/^\s*(?:(?:please|do|run|perform|the|these|all|following|steps?|things|tasks|this|in|order|for|me|now)\b[,\s]*)*:?\s*$/i;

/**
 * The items of a list, if each of them asks for something, and nothing above it does. A list of anything else (`- milk`), one with other
 * numbers than 1, 2, 3, and one in quotes is a part of the request that it stands in.
 */
function listedRequests(prompt: string): readonly string[] {
	const lines = [...prompt.matchAll(itemMark)];
	if (lines.length < 2) return [prompt];
	const quotes = withoutValues(prompt, (kind) => kind === 'quoted');
	const all = lines.filter(({ index }) => index === 0 || quotes[index - 1] === '\n');
	const [, first] = all[0] ?? [];
	// Marks of another kind belong to a list within an item.
	const marks = all.filter(([, mark = '']) => mark === first || (first === '1' && /\d/.test(mark)));
	const isInOrder = first !== '1' || marks.every(([, mark], i) => mark === String(i + 1));
	const items = marks.map(({ 0: mark, index }, i) => prompt.slice(index + mark.length, marks[i + 1]?.index));
	const isAlone = aboveList.test(prompt.slice(0, marks[0]?.index)) && items.length > 1;
	return isAlone && isInOrder && items.every(isRequest) ? items : [prompt];
}

function isRequest(text: string): boolean {
	const [verb = '', object] = tokenize(
		saidInWords(text.trim()).replace(/^(?:please|first|then|finally)[,\s]+/i, ''),
	);
	return object !== undefined && deedOf(verb) !== undefined;
}

/** Commands of a shell that say the same as some words, for the names behind them. What has other options is left as it stands. */
const commands: readonly (readonly [command: RegExp, words: string])[] = [
	[/^(?:cat|less|more)$/, 'read the file $1'],
	[/^head -n ?(\d+)$/, 'read the first $n lines of the file $1'],
	[/^tail -n ?(\d+)$/, 'read the last $n lines of the file $1'],
	[/^ls(?: -[al1]+)?$/, 'list the files in the folder $1'],
	[/^ls(?: -[al1]+)?$/, 'list the files here'],
	[/^tree$/, 'show the directory tree of $1'],
	[/^mkdir(?: -p)?$/, 'create the folder $1'],
	[/^rm(?: -f)?$/, 'delete the file $1'],
	[/^mv$/, 'move the file $1 to $2'],
	[/^cp$/, 'copy the file $1 to $2'],
];

/** A command as one types it in a shell (`mv a.txt b.txt`) in words; any other text as it is. */
export function saidInWords(text: string): string {
	const typed = /^([a-z]+(?: -[a-z0-9]+(?: \d+)?)?)((?: +[\w@~/][\w.@~/+-]*)*)$/.exec(text);
	const [, command = '', rest = ''] = typed ?? [];
	const names = rest.split(/ +/).slice(1);
	if (names.some(isGrammar)) return text;
	for (const [form, words] of commands) {
		const found = form.exec(command);
		if (!found || names.length !== (words.match(/\$\d/g) ?? []).length) continue;
		const said = words.replace('$n', found[1] ?? '');
		return said.replace(/\$(\d)/g, (_, at) => JSON.stringify(names[at - 1]));
	}
	return text;
}

/** Whether a request tells steps in another order than that in which they are to be done. */
export function isOutOfOrder(prompt: string): boolean {
	return /^\s*(?:before|after)\s.+,\s|\s(?:before|after)\s+you\s/is.test(withoutValues(prompt));
}

/** Whether a request says what not to do, or sets a condition, which would have to be understood. */
export function isConditional(prompt: string): boolean {
	const told = withoutValues(prompt);
	return /\b(?:do not|don['’]?t|never|unless|only if)\b|(?:^|[,.;]\s+|\bthen\s+)(?:if|should i)\b/i.test(
		told,
	);
}

/** A text of the same length in which values stand as `x`. */
function withoutValues(text: string, isHidden = isValue): string {
	let hidden = '';
	let from = 0;
	for (const { kind, start, end } of readLiterals(text, new Date(0))) {
		if (!isHidden(kind)) continue;
		hidden += text.slice(from, start) + 'x'.repeat(end - start);
		from = end;
	}
	return hidden + text.slice(from);
}

/** Whether a literal is a value, and not a word of the sentence itself: a plain word, or one that refers to something said before. */
function isValue(kind: LiteralKind): boolean {
	return kind !== 'word' && kind !== 'subject' && kind !== 'result';
}

/** The path of a file in a folder. */
export function joinedPath(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** The places that a call was about: where something came to, else where it was. */
function placesOf({ input }: Done): readonly string[] {
	const places = Object.entries(input).filter(([name]) => hasRole(name, 'place'));
	const texts = places.map(([, value]) => [value].flat().filter((one) => typeof one === 'string'));
	return texts.findLast((some) => some.length > 0) ?? [];
}

/** The folder that a call has created, if it did. */
export function createdFolder(done: Done): string | undefined {
	const { name } = splitName(done.wireName);
	const makes = deedOfTool({ name, description: '' }) === 'make';
	return makes && /director|folder/i.test(name) ? placesOf(done).at(-1) : undefined;
}

/** Whether a tool is about folders rather than one file. */
export function isOfFolders(toolName: string): boolean {
	return /director|folder|tree|files$/i.test(toolName);
}

/**
 * What "it", "them" and "the result" mean for a parameter: what the call before was about, or what came of it. The workspace is where a
 * call works rather than what it is about: "commit it" does not stage the whole folder.
 */
export function resolveReference(
	{ kind, text }: Literal,
	{ name, types }: Parameter,
	before: Done | undefined,
	workspaceFolder: string,
): readonly string[] {
	if (!before) return [];
	const answer = answerText(before.result);
	if (kind === 'result') return [answer];
	const input = Object.entries(before.input);
	if (hasRole(name, 'place')) {
		const places = placesOf(before);
		const isList = types.includes('array');
		const [folder] = isList && isOfFolders(before.wireName) ? places : [];
		const files = folder === undefined ? [] : pathsIn(answer, folder);
		if (files.length > 0) return files;
		const about = places.filter((place) => place !== workspaceFolder);
		// Several things are for what takes several.
		return isList || !/^them$/i.test(text) ? about : [];
	}
	const given = input.filter(
		([key, value]) => typeof value === 'string' && !/^(?:path|mode|action|operation)$/i.test(key),
	);
	if (hasRole(name, 'text')) return [String(given.find(([key]) => hasRole(key, 'text'))?.[1] ?? answer)];
	const json = parseJson(answer);
	const { id, [name]: same } = isRecord(json) ? json : {};
	const known = [before.input[name], same, id, hasRole(name, 'id') ? undefined : given[0]?.[1]];
	const value = known.find((one) => typeof one === 'string' || typeof one === 'number');
	return value === undefined ? [] : [String(value)];
}

/** The files that a result names, one a line at most; in the folder that was looked at. */
function pathsIn(text: string, folder: string): readonly string[] {
	return text.split('\n').flatMap((line) => {
		const name = line.split(/\s+/).findLast((word) => kindOf(word) === 'path');
		if (name === undefined || !/\.\w+$/.test(name)) return [];
		return [/[\\/]/.test(name) ? name : joinedPath(folder, name)];
	});
}
