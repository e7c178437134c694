import { halves, type Protocol, type Rule, type Said } from './strictEndpoint.ts';

/** An item of a conversation, of whatever type. */
export interface WireItem {
	readonly type: string;
	readonly id?: string;
	readonly call_id?: string;
	readonly name?: string;
	readonly encrypted_content?: string;
	readonly [key: string]: unknown;
}

export interface ResponsesBody {
	readonly model: string;
	readonly input: readonly WireItem[];
}

type ResponsesRule = Rule<ResponsesBody, readonly WireItem[]>;

const reference = 'https://platform.openai.com/docs/api-reference/responses/create';
const reasoningGuide = 'https://platform.openai.com/docs/guides/reasoning';
const longestId = 64;

const calls: readonly string[] = ['function_call', 'tool_search_call'];
const outputs: readonly string[] = ['function_call_output', 'tool_search_output'];

const rules: readonly ResponsesRule[] = [
	{
		source: `${reference}, "input"`,
		broken: ({ input }) => {
			const output = input.find(({ type, call_id: id }, i) => {
				const isAsked = input.slice(0, i).some((item) => calls.includes(item.type) && item.call_id === id);
				return outputs.includes(type) && !isAsked;
			});
			return output && `No tool call found for function call output with call_id ${output.call_id}.`;
		},
	},
	{
		source: `${reference}, "input"`,
		broken: ({ input }) => {
			const answered = new Set(
				input.filter(({ type }) => outputs.includes(type)).map((item) => item.call_id),
			);
			const open = input.find((item) => calls.includes(item.type) && !answered.has(item.call_id));
			return open && `No tool output found for function call ${open.call_id}.`;
		},
	},
	{
		source: `${reasoningGuide}, "Keeping reasoning items in context"; https://github.com/vercel/ai/issues/7099`,
		broken: ({ input }) => {
			const lonely = input.find(({ type }, i) => {
				const next = input[i + 1];
				const isFollowed =
					next && ['reasoning', 'message', ...calls].includes(next.type) && next.role !== 'user';
				return type === 'reasoning' && !isFollowed;
			});
			return (
				lonely && `Item '${lonely.id}' of type 'reasoning' was provided without its required following item.`
			);
		},
	},
	{
		source: 'https://github.com/TanStack/ai/issues/1212',
		broken: ({ input }, issued) => {
			for (const [i, item] of input.entries()) {
				if (item.id === undefined || !calls.includes(item.type)) continue;
				const answer = issued.find((items) => items.some(({ id }) => id === item.id));
				const thought = answer?.find(({ type }) => type === 'reasoning');
				if (thought && !input.slice(0, i).some(({ id }) => id === thought.id))
					return `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${thought.id}'.`;
			}
			return undefined;
		},
	},
	{
		source: `${reasoningGuide}, "Encrypted reasoning items"`,
		broken: ({ input }, issued) => {
			const known = new Map(issued.flat().map((item) => [item.id, item.encrypted_content]));
			const changed = input.find(
				({ type, id, encrypted_content: sealed }) => type === 'reasoning' && known.get(id) !== sealed,
			);
			return (
				changed &&
				`The encrypted content for item ${changed.id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
			);
		},
	},
	{
		source: `${reference}, "call_id"`,
		broken: ({ input }) => {
			const at = input.findIndex(({ call_id: id = '' }) => id.length > longestId);
			if (at < 0) return undefined;
			return `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length ${longestId}, but got a string with length ${input[at]?.call_id?.length} instead.`;
		},
	},
	{
		source: 'https://github.com/vercel/ai/issues/13307',
		broken: ({ input }) => {
			const ids = input.flatMap(({ type, id, call_id: call }) => [
				...(id === undefined ? [] : [id]),
				...(calls.includes(type) ? [`call ${call}`] : []),
			]);
			const doubled = ids.find((id, i) => ids.indexOf(id) < i);
			return (
				doubled &&
				`Duplicate item found with id ${doubled}. Remove duplicate items from your input and try again.`
			);
		},
	},
];

/** OpenAI's Responses API, with nothing stored there. */
export const responses: Protocol<ResponsesBody, readonly WireItem[]> = {
	provider: 'openai',
	path: '/v1',
	contentType: 'text/event-stream',
	rules,
	refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: null } }),
	answer: (said, n) => {
		const items = itemsOf(said, n);
		const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
		const events = [
			{ type: 'response.created', response: { id: `resp_${n}`, status: 'in_progress', output: [] } },
			...items.flatMap((item, output_index) => [
				{ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
				...deltasOf(item, output_index),
				{ type: 'response.output_item.done', output_index, item },
			]),
			{
				type: 'response.completed',
				response: { id: `resp_${n}`, status: 'completed', error: null, incomplete_details: null, usage },
			},
		];
		return {
			issued: items,
			pieces: events.map(
				(event, sequence_number) =>
					`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
			),
		};
	},
};

function itemsOf({ thought, text, calls: made = [] }: Said, n: number): WireItem[] {
	const status = 'completed';
	return [
		...(thought === undefined
			? []
			: [
					{
						type: 'reasoning',
						id: `rs_${n}`,
						summary: [{ type: 'summary_text', text: thought }],
						encrypted_content: `sealed-${n}`,
					},
				]),
		...(text === undefined
			? []
			: [
					{
						type: 'message',
						id: `msg_${n}`,
						role: 'assistant',
						status,
						content: [{ type: 'output_text', text, annotations: [] }],
						phase: made.length > 0 ? 'commentary' : 'final_answer',
					},
				]),
		...made.map(({ name, input, id }, i) => ({
			type: 'function_call',
			id: `fc_${n}_${i}`,
			call_id: id ?? `call_${n}_${i}`,
			name,
			arguments: JSON.stringify(input),
			status,
		})),
	];
}

function deltasOf(item: WireItem, output_index: number): { readonly type: string }[] {
	const place = { item_id: item.id, output_index };
	if (item.type === 'reasoning') {
		const [summary] = item.summary as readonly { readonly text: string }[];
		return halves(summary?.text ?? '').map((delta) => ({
			type: 'response.reasoning_summary_text.delta',
			...place,
			summary_index: 0,
			delta,
		}));
	}
	if (item.type === 'message') {
		const [part] = item.content as readonly { readonly text: string }[];
		return halves(part?.text ?? '').map((delta) => ({
			type: 'response.output_text.delta',
			...place,
			content_index: 0,
			delta,
		}));
	}
	return halves(String(item.arguments)).map((delta) => ({
		type: 'response.function_call_arguments.delta',
		...place,
		delta,
	}));
}
