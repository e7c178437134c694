import type Anthropic from '@anthropic-ai/sdk';
import { type HttpAnswer, Loopback, sse, whole } from '../loopback.ts';

/** An event of a stream. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A server that refuses what the Messages API refuses, and otherwise gives these answers. */
export function messagesServer(...answers: readonly HttpAnswer[]): Promise<Loopback> {
	const [first = says('ok'), ...others] = answers;
	return Loopback.start(obeyed(first), ...others.map(obeyed));
}

function obeyed(answer: HttpAnswer): HttpAnswer {
	return (response, request) => {
		const broken = brokenRules(JSON.parse(request.body));
		const refusal = failsWith(400, 'invalid_request_error', broken.join('; '));
		return (broken.length > 0 ? refusal : answer)(response, request);
	};
}

/** Streams events as the API does, each under its name; then the answer ends. */
export function streams(...events: readonly WireEvent[]): HttpAnswer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(sse(...events));
	};
}

/** Streams events, and leaves the answer open. */
export function begins(...events: readonly WireEvent[]): HttpAnswer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write(sse(...events));
	};
}

/** A whole answer of one text. */
export function says(text: string): HttpAnswer {
	return streams(started(), ...textBlock(0, text), ...ended('end_turn'));
}

/** A failure as the API words it. */
export function failsWith(status: number, type: string, message: string): HttpAnswer {
	return whole(status, { type: 'error', error: { type, message }, request_id: 'req_1' });
}

/** The first event of an answer. */
export function started(usage: object = { input_tokens: 10, output_tokens: 1 }): WireEvent {
	const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage };
	return { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } };
}

/** A block of text, in two pieces. */
export function textBlock(index: number, text: string): WireEvent[] {
	const middle = Math.ceil(text.length / 2);
	return block(
		index,
		{ type: 'text', text: '' },
		{ type: 'text_delta', text: text.slice(0, middle) },
		{ type: 'text_delta', text: text.slice(middle) },
	);
}

/** A call, its arguments in the pieces given. */
export function callBlock(index: number, id: string, name: string, ...json: readonly string[]): WireEvent[] {
	const deltas = json.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
	return block(index, { type: 'tool_use', id, name, input: {} }, ...deltas);
}

/** A block of any kind. */
export function block(index: number, content_block: object, ...deltas: readonly object[]): WireEvent[] {
	return [
		{ type: 'content_block_start', index, content_block },
		...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
}

/** The last events of an answer. */
export function ended(
	stop_reason: string,
	usage: object = { output_tokens: 5 },
	stop_details: object | null = null,
): WireEvent[] {
	const delta = { stop_reason, stop_sequence: null, stop_details };
	return [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
}

type Body = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;

const legalId = /^[a-zA-Z0-9_-]+$/;
const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Rules of the Messages API that the body of a request breaks, as far as this project could break them. Sources: the API's reference, its
 * guides "Handle tool calls", "Tool search tool", "Mid-conversation system messages" and "Prompt caching", and answers with status 400 that public issues report.
 */
export function brokenRules(body: Body): string[] {
	const broken: string[] = [];
	const rule = (holds: boolean, name: string) => void (holds || broken.push(name));
	const tools = (body.tools ?? []) as Anthropic.Tool[];
	const deferred = tools.filter((tool) => tool.defer_loading).map(({ name }) => name);
	const messages = body.messages.map(({ role, content }) => ({
		role: role as 'user' | 'assistant' | 'system',
		content: content as Block[],
	}));
	const blocks = messages.flatMap(({ content }) => content);

	rule(messages[0]?.role === 'user', 'the first message is a user’s');
	const turns = messages.filter(({ role }) => role !== 'system');
	rule(
		turns.every(({ role }, index) => index === 0 || role !== turns[index - 1]?.role),
		'roles alternate',
	);
	rule(
		messages.every(({ role }, index) => {
			const [before, after] = [messages[index - 1]?.role, messages[index + 1]?.role];
			return role !== 'system' || (before === 'user' && after !== 'user' && after !== 'system');
		}),
		'a system message follows the user’s turn, before an answer or at the end',
	);
	rule(
		messages.every(({ content }) => content.length > 0),
		'no message is empty',
	);
	rule(!textsIn(body).some((text) => text.trim() === ''), 'no text is empty');
	const last = messages.at(-1);
	const end = last?.content.at(-1);
	rule(
		last?.role !== 'assistant' || end?.type !== 'text' || end.text === end.text.trimEnd(),
		'no white space at the end',
	);

	const uses = blocks.filter((block) => block.type === 'tool_use');
	rule(
		uses.every(({ id, name }) => legalId.test(id) && legalName.test(name)),
		'ids and names are legal',
	);
	rule(new Set(uses.map(({ id }) => id)).size === uses.length, 'ids are unique');
	messages.forEach(({ content }, index) => {
		const asked = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
		const next = messages[index + 1]?.content ?? [];
		const answered = next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
		rule(sameInOrder(asked, answered), 'each call is answered once, in the next message');
		rule(
			next.slice(0, answered.length).every(({ type }) => type === 'tool_result'),
			'results come first',
		);
	});
	for (const result of blocks.filter((block) => block.type === 'tool_result')) {
		const content = result.content as Exclude<typeof result.content, string | undefined>;
		const references = content.filter((part) => part.type === 'tool_reference');
		rule(content.length > 0, 'no result is empty');
		rule(!result.is_error || content.every(({ type }) => type === 'text'), 'a failure is only text');
		rule(references.length === 0 || references.length === content.length, 'references stand alone');
		rule(
			references.every(({ tool_name }) => deferred.includes(tool_name)),
			'each reference has a deferred tool',
		);
	}

	rule(tools.length === 0 || tools.some((tool) => !tool.defer_loading), 'not all tools are deferred');
	rule(new Set(tools.map(({ name }) => name)).size === tools.length, 'names of tools are unique');
	rule(
		!tools.some((tool) => tool.defer_loading && tool.cache_control),
		'a deferred tool has no cache_control',
	);
	rule(JSON.stringify(body).split('"cache_control":').length <= 5, 'at most four breakpoints');
	// Well-formed texts have no escape of a half pair: JSON writes whole ones as they are.
	rule(!/(?<!\\)\\ud[89a-f]/.test(JSON.stringify(body)), 'no half of a surrogate pair');
	rule(body.max_tokens > 0, 'max_tokens is set');
	return broken;
}

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const own = 'type' in value && value.type === 'text' && 'text' in value ? [String(value.text)] : [];
	return [...own, ...Object.values(value).flatMap(textsIn)];
}

function sameInOrder(some: readonly string[], others: readonly string[]): boolean {
	return JSON.stringify(some) === JSON.stringify(others);
}
