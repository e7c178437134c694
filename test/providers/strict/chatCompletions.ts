import { halves, isSameJson, type Protocol, type Rule, type Said } from './strictEndpoint.ts';

/** A call as Chat Completions has it. */
export interface WireCall {
	readonly id: string;
	readonly type: 'function';
	readonly function: { readonly name: string; readonly arguments: string };
	readonly extra_content?: unknown;
}

/** A message as Chat Completions has it, with what providers add to it. */
export interface WireMessage {
	readonly role: string;
	readonly content?: unknown;
	readonly tool_calls?: readonly WireCall[];
	readonly tool_call_id?: string;
	readonly reasoning_content?: unknown;
	readonly reasoning_details?: unknown;
}

export interface ChatBody {
	readonly model: string;
	readonly messages: readonly WireMessage[];
	readonly tools?: readonly unknown[];
	readonly tool_choice?: unknown;
	readonly [field: string]: unknown;
}

type ChatRule = Rule<ChatBody, WireMessage>;

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

const reference = 'https://platform.openai.com/docs/api-reference/chat/create';
const deepSeekGuide = 'https://api-docs.deepseek.com/guides/thinking_mode';
const kimiGuide = 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model';
const geminiGuide = 'https://ai.google.dev/gemini-api/docs/thought-signatures';
const openRouterGuide = 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens';

/** Stands for the signature of a call that no model of Google's has made, by Google's guide. */
const noSignature = 'skip_thought_signature_validator';

/** What all of them refuse. */
const commonRules: readonly ChatRule[] = [
	{
		source: `${reference}, "messages"`,
		broken: ({ messages }) => {
			for (const [i, { role, tool_calls: calls = [] }] of messages.entries()) {
				if (role !== 'assistant' || calls.length === 0) continue;
				const answered = new Set(resultsBehind(messages, i));
				const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
				if (open.length === 0) continue;
				return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`;
			}
			return undefined;
		},
	},
	{
		source: `${reference}, "messages"`,
		broken: ({ messages }) => {
			for (const [i, { role, tool_call_id: id }] of messages.entries()) {
				if (role !== 'tool') continue;
				const asked = messages.slice(0, i).findLast((message) => message.role === 'assistant');
				if (!asked?.tool_calls?.some((call) => call.id === id))
					return `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages[${i}])`;
			}
			return undefined;
		},
	},
	{
		source: 'https://github.com/agno-agi/agno/issues/5116',
		broken: ({ messages }) => {
			const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
			const doubled = ids.find((id, i) => ids.indexOf(id) < i);
			return doubled === undefined ? undefined : `Duplicate value for 'tool_call_id' of '${doubled}'.`;
		},
	},
];

/** What OpenAI refuses and others let pass. */
const ownRules: readonly ChatRule[] = [
	{
		source: 'https://github.com/agno-agi/agno/issues/5382',
		broken: ({ messages }) => {
			for (const [i, { tool_calls: calls = [] }] of messages.entries()) {
				const at = calls.findIndex(({ id }) => id.length > 40);
				if (at >= 0)
					return `Invalid 'messages[${i}].tool_calls[${at}].id': string too long. Expected a string with maximum length 40, but got a string with length ${calls[at]?.id.length} instead.`;
			}
			return undefined;
		},
	},
	{
		source: `${reference}, "messages": no other fields are named there`,
		broken: ({ messages }) => foreignField(messages, []),
	},
];

/** What a message may have besides what OpenAI's has: a provider's own, and never another one's. */
function foreignField(messages: readonly WireMessage[], allowed: readonly string[]): string | undefined {
	const known = ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'refusal', ...allowed];
	for (const [i, message] of messages.entries()) {
		const field = Object.keys(message).find((key) => !known.includes(key));
		if (field !== undefined) return `Unknown parameter: 'messages[${i}].${field}'.`;
		const isForeign = message.tool_calls?.some((call) => 'extra_content' in call);
		if (isForeign && !allowed.includes('extra_content'))
			return `Unknown parameter: 'messages[${i}].tool_calls[0].extra_content'.`;
	}
	return undefined;
}

/** `reasoning_content` has to come back with every call, and as it was where it is known. */
function reasoningRules(
	source: string,
	isMissing: (content: unknown) => boolean,
	said: (index: number) => string,
): readonly ChatRule[] {
	return [
		{
			source,
			broken: ({ messages }, issued) => {
				for (const [i, message] of messages.entries()) {
					if (message.role !== 'assistant' || !message.tool_calls?.length) continue;
					const before = issuedFor(message, issued).map(({ reasoning_content: thought }) => thought);
					const isChanged = before.some(Boolean) && !before.includes(message.reasoning_content);
					if (isMissing(message.reasoning_content) || isChanged) return said(i);
				}
				return undefined;
			},
		},
		{ source, broken: ({ messages }) => foreignField(messages, ['reasoning_content']) },
	];
}

const geminiRules: readonly ChatRule[] = [
	{
		source: `${geminiGuide}, "Function calling": validated strictly in the current turn, the first call of each step`,
		broken: ({ messages }) => {
			const turn = messages.findLastIndex(({ role }) => role === 'user');
			for (const [i, { tool_calls: calls = [] }] of messages.entries()) {
				const [first] = calls;
				if (i < turn || !first || signatureOf(first) !== undefined) continue;
				return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.function.name}\`, position ${i + 1}.`;
			}
			return undefined;
		},
	},
	{
		source: `${geminiGuide}: "exactly as they were received"`,
		broken: ({ messages }, issued) => {
			const known = new Map(
				issued.flatMap(({ tool_calls: calls = [] }) =>
					calls.map((call) => [signatureOf(call), call.function] as const),
				),
			);
			const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
			const corrupted = calls.some((call) => {
				const signature = signatureOf(call);
				if (signature === undefined || signature === noSignature) return false;
				return known.get(signature)?.name !== call.function.name;
			});
			return corrupted ? 'Corrupted thought signature.' : undefined;
		},
	},
	{
		source: 'https://ai.google.dev/gemini-api/docs/openai',
		broken: ({ messages }) => foreignField(messages, ['extra_content']),
	},
];

const openRouterRules: readonly ChatRule[] = [
	{
		source: `${openRouterGuide}, "Preserving Reasoning": the sequence must match what the model put out`,
		broken: ({ messages }, issued) => {
			for (const [i, message] of messages.entries()) {
				if (message.role !== 'assistant') continue;
				const before = issuedFor(message, issued).flatMap(({ reasoning_details: thoughts }) =>
					thoughts === undefined ? [] : [thoughts],
				);
				const isNeeded = message.tool_calls?.length && before.length > 0;
				const details = message.reasoning_details;
				if (details === undefined && !isNeeded) continue;
				if (!before.some((thoughts) => isSameJson(details, thoughts)))
					return `messages.${i}: reasoning_details must be passed back unmodified.`;
			}
			return undefined;
		},
	},
	{
		source: `${openRouterGuide}, "reasoning.encrypted": \`id\` names the call`,
		broken: ({ messages }) => {
			for (const [i, { tool_calls: calls = [], reasoning_details: details }] of messages.entries()) {
				const ids = new Set(calls.map(({ id }) => id));
				const named = Array.isArray(details)
					? details.filter(({ type }) => type === 'reasoning.encrypted')
					: [];
				if (named.some(({ id }) => !ids.has(id)))
					return `messages.${i}: reasoning_details names a tool call that is not there.`;
			}
			return undefined;
		},
	},
	{
		source: openRouterGuide,
		broken: ({ messages }) => foreignField(messages, ['reasoning_details', 'reasoning']),
	},
];

/** Fields of a request that are named nowhere else. */
function unknownField(known: string, said: (field: string) => string): ChatRule['broken'] {
	const fields = new Set(known.split(' '));
	return (body) => {
		const field = Object.keys(body).find((key) => !fields.has(key));
		return field === undefined ? undefined : said(field);
	};
}

const azureReasoning = 'https://learn.microsoft.com/azure/foundry/openai/how-to/reasoning';

/** Azure, with a deployment of a model that reasons; its name is its owner's own. */
const azureRules: readonly ChatRule[] = [
	{
		source: `${azureReasoning}, "Not supported": temperature, top_p, max_tokens and others`,
		broken: (body) => {
			const field = ['max_tokens', 'temperature', 'top_p'].find((name) => name in body);
			if (field === undefined) return undefined;
			const instead = field === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
			return `Unsupported parameter: '${field}' is not supported with this model.${instead}`;
		},
	},
];

/** Only what the reference of GitHub Models names, and models with the name of who makes them. */
const gitHubRules: readonly ChatRule[] = [
	{
		source: 'https://docs.github.com/en/rest/models/inference, body parameters',
		broken: unknownField(
			'model messages frequency_penalty max_tokens modalities presence_penalty response_format seed stream stream_options stop temperature tool_choice tools top_p',
			(field) => `Unrecognized request argument supplied: ${field}`,
		),
	},
	{
		source: 'https://docs.github.com/en/rest/models/inference, "model": {publisher}/{model_name}',
		broken: ({ model }) => (/^[^/]+\/[^/]+$/.test(model) ? undefined : `Unknown model: ${model}`),
	},
];

/** “Cannot find field”: https://ai.google.dev/gemini-api/docs/openai names what there is. */
const geminiFields: ChatRule = {
	source: 'https://ai.google.dev/gemini-api/docs/openai',
	broken: unknownField(
		'model messages max_tokens max_completion_tokens n stop stream stream_options temperature tool_choice tools top_p response_format reasoning_effort extra_body',
		(field) => `Invalid JSON payload received. Unknown name "${field}": Cannot find field.`,
	),
};

const vllmRules: readonly ChatRule[] = [
	{
		source: 'https://github.com/vllm-project/vllm/issues/9426',
		broken: ({ tools, tool_choice: choice }) =>
			choice !== undefined && !tools?.length ? 'When using `tool_choice`, `tools` must be set.' : undefined,
	},
	{
		source:
			'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/protocol.py: no empty list of tools',
		broken: ({ tools }) => (tools?.length === 0 ? '`tools` must not be an empty array.' : undefined),
	},
];

const lmStudioRules: readonly ChatRule[] = [
	{
		source: 'https://github.com/antropia-studio/linguito/issues/21',
		broken: ({ tool_choice: choice }) =>
			choice === undefined || typeof choice === 'string'
				? undefined
				: `Invalid tool_choice type: '${typeof choice}'. Supported string values: none, auto, required`,
	},
];

const llamaCppRules: readonly ChatRule[] = [
	{
		source:
			'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: a text, or parts with a type',
		broken: ({ messages }) => {
			const isKnown = ({ content }: WireMessage) =>
				content === null || content === undefined || typeof content === 'string' || Array.isArray(content);
			return messages.every(isKnown) ? undefined : 'Expected content to be a string or an array';
		},
	},
];

const openAiLike = (said: Said, n: number) =>
	plain(
		said,
		callsOf(said, (i) => `call_${n}_${i}`),
	);

const dialects = {
	openai: {
		path: '/v1',
		rules: ownRules,
		written: (said, n) =>
			plain(
				said,
				callsOf(said, (i) => `call_${n}_${i}`),
			),
	},
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
		rules: [{ source: reference, broken: ({ messages }) => foreignField(messages, []) }],
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

/** The provider's answers that this message may be: known by its text and calls. */
function issuedFor(sent: WireMessage, issued: readonly WireMessage[]): readonly WireMessage[] {
	return issued.filter((one) => isSameJson(gist(one), gist(sent)));
}

function gist({ content, tool_calls: calls = [] }: WireMessage): unknown {
	return [content || null, calls.map(({ function: { name, arguments: json } }) => [name, JSON.parse(json)])];
}

function signatureOf({ extra_content: extra }: WireCall): string | undefined {
	return (extra as { google?: { thought_signature?: string } } | undefined)?.google?.thought_signature;
}

function resultsBehind(messages: readonly WireMessage[], index: number): string[] {
	const behind = messages.slice(index + 1);
	const end = behind.findIndex(({ role }) => role !== 'tool');
	return (end < 0 ? behind : behind.slice(0, end)).map(({ tool_call_id: id = '' }) => id);
}
