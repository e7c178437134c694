import { halves } from '../loopback.ts';
import {
	azureRules,
	type ChatBody,
	type ChatRule,
	commonRules,
	deepSeekGuide,
	foreignField,
	geminiFields,
	geminiRules,
	gitHubRules,
	kimiGuide,
	llamaCppRules,
	lmStudioRules,
	openRouterRules,
	ownRules,
	reasoningRules,
	reference,
	vllmRules,
	type WireCall,
	type WireMessage,
} from './chatRules.ts';
import type { Protocol, Said } from './strictEndpoint.ts';

/** How one provider differs from the others that speak Chat Completions. */
interface Dialect {
	readonly path: string;
	readonly rules: readonly ChatRule[];
	/** The message of an answer, and the deltas that it is streamed in. */
	readonly written: (said: Said, n: number) => { message: WireMessage; deltas: readonly object[] };
	readonly refusal?: Protocol<ChatBody, WireMessage>['refusal'];
	/** What is streamed before an answer. */
	readonly preface?: object;
}

const openAiLike = (said: Said, n: number) =>
	plain(
		said,
		callsOf(said, (i) => `call_${n}_${i}`),
	);

const dialects = {
	openai: { path: '/v1', rules: ownRules, written: openAiLike },
	deepseek: {
		path: '/v1',
		rules: reasoningRules(
			`${deepSeekGuide}, "Tool Calls"`,
			(content) => typeof content !== 'string',
			() => 'The `reasoning_content` in the thinking mode must be passed back to the API.',
		),
		written: (said, n) =>
			withReasoning(
				said,
				callsOf(said, (i) => `call_0${i}_${'x'.repeat(20)}${n}`),
			),
	},
	kimi: {
		path: '/v1',
		rules: reasoningRules(
			`${kimiGuide}; an empty text counts as none: https://github.com/earendil-works/pi/pull/4178`,
			(content) => typeof content !== 'string' || content === '',
			(i) =>
				`thinking is enabled but reasoning_content is missing in assistant tool call message at index ${i}`,
		),
		// Counted anew in each answer, as several servers of this model do.
		written: (said) =>
			withReasoning(
				said,
				callsOf(said, (i, name) => `functions.${name}:${i}`),
			),
	},
	openrouter: {
		path: '/api/v1',
		rules: openRouterRules,
		written: (said, n) => {
			const calls = callsOf(said, (i, name) => `tool_${i}_${name}_${'x'.repeat(24)}${n}`);
			return withDetails(said, calls, n);
		},
	},
	gemini: {
		path: '/v1beta/openai',
		rules: [...geminiRules, geminiFields],
		written: (said, n) =>
			withSignatures(
				said,
				callsOf(said, (i) => `function-call-${n}${i}`),
				n,
			),
		refusal: (message) => [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }],
	},
	azure: {
		path: '/openai/v1',
		rules: [...ownRules, ...azureRules],
		written: openAiLike,
		// https://learn.microsoft.com/azure/foundry/openai/concepts/content-streaming
		preface: { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
	},
	github: { path: '/inference', rules: [...ownRules, ...gitHubRules], written: openAiLike },
	vllm: {
		path: '/v1',
		rules: vllmRules,
		written: openAiLike,
		refusal: (message) => ({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 }),
	},
	lmstudio: { path: '/v1', rules: lmStudioRules, written: openAiLike, refusal: (error) => ({ error }) },
	llamacpp: { path: '/v1', rules: llamaCppRules, written: openAiLike },
	/** llama.cpp, LM Studio and vLLM without a parser of thoughts: these stand in the text, between tags. */
	local: {
		path: '/v1',
		rules: [{ source: reference, broken: foreignField() }],
		written: (said, n) => {
			const thought = said.thought === undefined ? '' : `<think>\n${said.thought}\n</think>\n\n`;
			return plain(
				{ ...said, text: thought + (said.text ?? '') },
				callsOf(said, (i) => `${n}${i}`),
			);
		},
	},
} satisfies Record<string, Dialect>;

/** Chat Completions as one provider has it. */
export function chatCompletions(name: keyof typeof dialects): Protocol<ChatBody, WireMessage> {
	const { path, rules, written, ...dialect }: Dialect = dialects[name];
	return {
		provider: 'openai',
		path,
		contentType: 'text/event-stream',
		rules: [...commonRules, ...rules],
		refusal: dialect.refusal ?? ((message) => ({ error: { message, type: 'invalid_request_error' } })),
		answer: (said, n) => {
			const { message, deltas } = written(said, n);
			const finish_reason = said.calls?.length ? 'tool_calls' : 'stop';
			const choices = [
				...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })),
				{ index: 0, delta: {}, finish_reason },
			];
			const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
			const chunks = [...choices.map((choice) => ({ choices: [choice] })), { choices: [], usage }];
			const id = `chatcmpl-${n}`;
			return {
				issued: message,
				pieces: [
					...[...(dialect.preface ? [dialect.preface] : []), ...chunks].map(
						(chunk) => `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', ...chunk })}\n\n`,
					),
					'data: [DONE]\n\n',
				],
			};
		},
	};
}

function callsOf({ calls = [] }: Said, idOf: (index: number, name: string) => string): WireCall[] {
	return calls.map(({ name, input, id }, i) => ({
		id: id ?? idOf(i, name),
		type: 'function',
		function: { name, arguments: JSON.stringify(input) },
	}));
}

function message({ text = '' }: Said, calls: readonly WireCall[], more: object = {}): WireMessage {
	return { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }), ...more };
}

/** Text and calls in pieces. */
function streamed({ text = '' }: Said, calls: readonly WireCall[]): object[] {
	return [
		...halves(text).map((content) => ({ content })),
		...calls.flatMap((call, index) => {
			const [first = '', ...rest] = halves(call.function.arguments);
			return [
				{ tool_calls: [{ ...call, index, function: { ...call.function, arguments: first } }] },
				...rest.map((json) => ({ tool_calls: [{ index, function: { arguments: json } }] })),
			];
		}),
	];
}

function plain(said: Said, calls: readonly WireCall[]) {
	return { message: message(said, calls), deltas: streamed(said, calls) };
}

function withReasoning(said: Said, calls: readonly WireCall[]) {
	const { thought = '' } = said;
	return {
		message: message(said, calls, { reasoning_content: thought }),
		deltas: [
			...halves(thought).map((reasoning_content) => ({ content: null, reasoning_content })),
			...streamed(said, calls),
		],
	};
}

function withDetails(said: Said, calls: readonly WireCall[], n: number) {
	const { thought } = said;
	if (thought === undefined) return plain(said, calls);
	const format = 'anthropic-claude-v1';
	const text = { type: 'reasoning.text', text: thought, format, index: 0, signature: `signed-${n}` };
	const sealed = calls.map(({ id }, i) => {
		return { type: 'reasoning.encrypted', data: `sealed-${n}-${i}`, id, format, index: i + 1 };
	});
	const pieces = halves(thought).map((piece) => ({
		reasoning: piece,
		reasoning_details: [{ type: 'reasoning.text', text: piece, format, index: 0 }],
	}));
	const last = { type: 'reasoning.text', signature: `signed-${n}`, format, index: 0 };
	return {
		message: message(said, calls, { reasoning_details: [text, ...sealed] }),
		deltas: [
			...pieces,
			{ reasoning_details: [last] },
			...sealed.map((detail) => ({ reasoning_details: [detail] })),
			...streamed(said, calls),
		],
	};
}

/** Thoughts stand in the text and are marked as such; the first call of an answer is signed, as is a text. */
function withSignatures(said: Said, calls: readonly WireCall[], n: number) {
	const { thought, text = '' } = said;
	const extra_content = { google: { thought_signature: `signature-${n}` } };
	const signed = calls.map((call, i) => (i === 0 ? { ...call, extra_content } : call));
	const thoughts =
		thought === undefined
			? []
			: halves(thought).map((piece, i) => ({
					content: i === 0 ? `<thought>${piece}` : piece,
					extra_content: { google: { thought: true } },
				}));
	const end = thought === undefined ? '' : '</thought>';
	const spoken = text === '' ? [] : [{ content: `${end}${text}`, extra_content }];
	return {
		message: message(said, signed),
		deltas: [...thoughts, ...spoken, ...signed.map((call, index) => ({ tool_calls: [{ ...call, index }] }))],
	};
}
