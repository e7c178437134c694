import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A call of a recorded conversation with what came back. */
export interface RecordedCall {
	/** A search for tools, or a call of one. */
	readonly kind: 'search' | 'call';
	readonly server: string;
	readonly tool: string;
	readonly args: unknown;
	/** Text of the result, as the server gave it. */
	readonly result: string;
	readonly isError: boolean;
}

/** One answer of the model that calls tools. */
export interface Round {
	readonly text: string;
	readonly calls: readonly RecordedCall[];
}

/** A task that a model has worked on with tools: the prompts, its calls, its answer. */
export interface Recording {
	readonly id: string;
	readonly system: string;
	readonly question: string;
	readonly rounds: readonly Round[];
	readonly answer: string;
}

interface Message {
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	readonly content?: string | null;
	readonly tool_call_id?: string;
	readonly tool_calls?: readonly {
		readonly id: string;
		readonly function: { readonly name: string; readonly arguments: string };
	}[];
}

/**
 * Reads the conversations of every file in a folder, in the form of `baseline/output` of icip-cas/LiveMCPBench: the model finds tools
 * with `route` and calls them with `execute-tool`.
 */
export function readRecordings(folder: string): Recording[] {
	const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
	return files.sort().flatMap((name) => {
		const tasks: readonly { readonly task_id: string; readonly messages: readonly Message[] }[] = JSON.parse(
			readFileSync(path.join(folder, name), 'utf8'),
		);
		return tasks.map(({ task_id, messages }) => recordingOf(task_id, messages));
	});
}

/** A conversation from its messages. */
export function recordingOf(id: string, messages: readonly Message[]): Recording {
	const results = new Map(
		messages.flatMap(({ tool_call_id, content }) =>
			tool_call_id === undefined ? [] : [[tool_call_id, resultOf(content ?? '')] as const],
		),
	);
	const textOf = (role: Message['role']) => messages.find((message) => message.role === role)?.content ?? '';
	const rounds = messages.flatMap(({ content, tool_calls }): Round[] => {
		if (!tool_calls?.length) return [];
		const calls = tool_calls.map((call) => ({
			...targetOf(call.function.name, call.function.arguments),
			...(results.get(call.id) ?? { result: '', isError: true }),
		}));
		return [{ text: content ?? '', calls }];
	});
	const last = messages.at(-1);
	const answer = last?.role === 'assistant' && !last.tool_calls?.length ? (last.content ?? '') : '';
	return { id, system: textOf('system'), question: textOf('user'), rounds, answer };
}

function targetOf(name: string, args: string): Pick<RecordedCall, 'kind' | 'server' | 'tool' | 'args'> {
	const parsed = parsedJson(args);
	if (name === 'route') return { kind: 'search', server: '', tool: name, args: parsed ?? args };
	const { server_name = '', tool_name = name, params } = (parsed ?? {}) as Record<string, unknown>;
	return { kind: 'call', server: String(server_name), tool: String(tool_name), args: params ?? {} };
}

/**
 * What a server said, out of the recording: the text is inside a Python object, and that of a called tool inside a JSON text within it.
 * A recording ends after 10,000 characters.
 */
function resultOf(content: string): Pick<RecordedCall, 'result' | 'isError'> {
	const [, quoted] = /^meta=None content=\[TextContent\(type='text', text=(.*)$/s.exec(content) ?? [];
	if (quoted === undefined) return { result: content, isError: true };
	const outer = unescaped(quoted.slice(1).replace(/['"], annotations=None\).*$/s, ''), pythonEscapes);
	const value = parsedJson(outer);
	if (isToolResult(value)) {
		const result = value.content.map(({ text = '' }) => text).join('\n');
		return { result, isError: value.isError === true };
	}
	const [, begun] = /^\{\s*"_meta".*?"text": "(.*)$/s.exec(outer) ?? [];
	const result = begun === undefined ? outer : unescaped(begun, jsonEscapes);
	return { result, isError: /^Error executing tool|^Tool call timed out/.test(outer) };
}

function isToolResult(
	value: unknown,
): value is { readonly content: readonly { readonly text?: string }[]; readonly isError?: boolean } {
	return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}

const pythonEscapes = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gs;
const jsonEscapes = /\\(?:()u([0-9a-f]{4})|()(.))/gs;
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(text: string, escapes: RegExp): string {
	return text.replace(escapes, (_, ...groups: (string | undefined)[]) => {
		const [two, four, eight, letter] = groups;
		const code = two || four || (eight?.length === 8 ? eight : undefined);
		if (code) return String.fromCodePoint(Number.parseInt(code, 16));
		return letters[letter ?? ''] ?? letter ?? '';
	});
}

/** The value of a text that is JSON. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
