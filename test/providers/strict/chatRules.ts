import { isSameJson, type Rule } from './strictEndpoint.ts';

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

export type ChatRule = Rule<ChatBody, WireMessage>;

export const reference = 'https://platform.openai.com/docs/api-reference/chat/create';
export const deepSeekGuide = 'https://api-docs.deepseek.com/guides/thinking_mode';
export const kimiGuide = 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model';
const geminiGuide = 'https://ai.google.dev/gemini-api/docs/thought-signatures';
const openRouterGuide = 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens';

/** Stands for the signature of a call that no model of Google's has made, by Google's guide. */
const noSignature = 'skip_thought_signature_validator';

/** What is said of the first message that breaks a rule. */
function inMessages(
	said: (
		message: WireMessage,
		at: number,
		messages: readonly WireMessage[],
		issued: readonly WireMessage[],
	) => string | undefined | false,
): ChatRule['broken'] {
	return ({ messages }, issued) => {
		for (const [at, message] of messages.entries()) {
			const told = said(message, at, messages, issued);
			if (told) return told;
		}
		return undefined;
	};
}

/** What all of them refuse. */
export const commonRules: readonly ChatRule[] = [
	{
		source: `${reference}, "messages"`,
		broken: inMessages(({ tool_calls: calls = [] }, i, messages) => {
			const answered = new Set(resultsBehind(messages, i));
			const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
			return (
				open.length > 0 &&
				`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`
			);
		}),
	},
	{
		source: `${reference}, "messages"`,
		broken: inMessages(({ role, tool_call_id: id }, i, messages) => {
			const asked = messages.slice(0, i).findLast((message) => message.role === 'assistant');
			const isAsked = asked?.tool_calls?.some((call) => call.id === id);
			return (
				role === 'tool' &&
				!isAsked &&
				`Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages[${i}])`
			);
		}),
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
export const ownRules: readonly ChatRule[] = [
	{
		source: 'https://github.com/agno-agi/agno/issues/5382',
		broken: inMessages(({ tool_calls: calls = [] }, i) => {
			const at = calls.findIndex(({ id }) => id.length > 40);
			return (
				at >= 0 &&
				`Invalid 'messages[${i}].tool_calls[${at}].id': string too long. Expected a string with maximum length 40, but got a string with length ${calls[at]?.id.length} instead.`
			);
		}),
	},
	{
		source: `${reference}, "messages": no other fields are named there`,
		broken: foreignField(),
	},
];

/** What a message may have besides what OpenAI's has: a provider's own, and never another one's. */
export function foreignField(...allowed: readonly string[]): ChatRule['broken'] {
	const known = ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'refusal', ...allowed];
	return inMessages((message, i) => {
		const field = Object.keys(message).find((key) => !known.includes(key));
		if (field !== undefined) return `Unknown parameter: 'messages[${i}].${field}'.`;
		const isForeign = message.tool_calls?.some((call) => 'extra_content' in call);
		return (
			isForeign &&
			!allowed.includes('extra_content') &&
			`Unknown parameter: 'messages[${i}].tool_calls[0].extra_content'.`
		);
	});
}

/** `reasoning_content` has to come back with every call, and as it was where it is known. */
export function reasoningRules(
	source: string,
	isMissing: (content: unknown) => boolean,
	said: (index: number) => string,
): readonly ChatRule[] {
	return [
		{
			source,
			broken: inMessages((message, i, _, issued) => {
				if (!message.tool_calls?.length) return undefined;
				const before = issuedFor(message, issued).map(({ reasoning_content: thought }) => thought);
				const isChanged = before.some(Boolean) && !before.includes(message.reasoning_content);
				return (isMissing(message.reasoning_content) || isChanged) && said(i);
			}),
		},
		{ source, broken: foreignField('reasoning_content') },
	];
}

export const geminiRules: readonly ChatRule[] = [
	{
		source: `${geminiGuide}, "Function calling": validated strictly in the current turn, the first call of each step`,
		broken: inMessages(({ tool_calls: [first] = [] }, i, messages) => {
			const turn = messages.findLastIndex(({ role }) => role === 'user');
			const isUnsigned = i >= turn && first && signatureOf(first) === undefined;
			return (
				isUnsigned &&
				`Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.function.name}\`, position ${i + 1}.`
			);
		}),
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
		broken: foreignField('extra_content'),
	},
];

export const openRouterRules: readonly ChatRule[] = [
	{
		source: `${openRouterGuide}, "Preserving Reasoning": the sequence must match what the model put out`,
		broken: inMessages((message, i, _, issued) => {
			const before = issuedFor(message, issued).flatMap(({ reasoning_details: thoughts }) =>
				thoughts === undefined ? [] : [thoughts],
			);
			const isNeeded = message.tool_calls !== undefined && before.length > 0;
			const details = message.reasoning_details;
			const isSame = before.some((thoughts) => isSameJson(details, thoughts));
			return (
				(details !== undefined || isNeeded) &&
				!isSame &&
				`messages.${i}: reasoning_details must be passed back unmodified.`
			);
		}),
	},
	{
		source: `${openRouterGuide}, "reasoning.encrypted": \`id\` names the call`,
		broken: inMessages(({ tool_calls: calls = [], reasoning_details: details = [] }, i) => {
			const ids = new Set(calls.map(({ id }) => id));
			const named = (details as { type: string; id: string }[]).filter(
				({ type }) => type === 'reasoning.encrypted',
			);
			const isLost = named.some(({ id }) => !ids.has(id));
			return isLost && `messages.${i}: reasoning_details names a tool call that is not there.`;
		}),
	},
	{
		source: openRouterGuide,
		broken: foreignField('reasoning_details', 'reasoning'),
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
export const azureRules: readonly ChatRule[] = [
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
export const gitHubRules: readonly ChatRule[] = [
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
export const geminiFields: ChatRule = {
	source: 'https://ai.google.dev/gemini-api/docs/openai',
	broken: unknownField(
		'model messages max_tokens max_completion_tokens n stop stream stream_options temperature tool_choice tools top_p response_format reasoning_effort extra_body',
		(field) => `Invalid JSON payload received. Unknown name "${field}": Cannot find field.`,
	),
};

export const vllmRules: readonly ChatRule[] = [
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

export const lmStudioRules: readonly ChatRule[] = [
	{
		source: 'https://github.com/antropia-studio/linguito/issues/21',
		broken: ({ tool_choice: choice }) =>
			choice === undefined || typeof choice === 'string'
				? undefined
				: `Invalid tool_choice type: '${typeof choice}'. Supported string values: none, auto, required`,
	},
];

export const llamaCppRules: readonly ChatRule[] = [
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
