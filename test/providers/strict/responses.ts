import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { sse } from '../loopback.ts';
import { called, completed, itemEvents, said, thought } from '../openai/responses/endpoint.ts';
import type { Protocol, Rule, Said } from './strictEndpoint.ts';

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
	readonly tools?: readonly { readonly name?: string }[];
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
		source: 'https://github.com/earendil-works/pi/issues/7709, https://github.com/dust-tt/dust/pull/31323',
		broken: ({ input, tools = [] }) => {
			const own = new Set(tools.map(({ name }) => name));
			const found = new Set(
				input.flatMap((item) =>
					item.type === 'tool_search_output' ? (item.tools as WireItem[]).map(({ name }) => name) : [],
				),
			);
			for (const { type, name, namespace } of input) {
				if (type !== 'function_call') continue;
				if (namespace === undefined && found.has(name) && !own.has(name))
					return `Missing namespace for function_call '${name}'. It does not exist in the default namespace. Round-trip the model's function_call item with its namespace field included.`;
				if (namespace !== undefined && !found.has(name))
					return `Unknown namespace '${namespace}' for function_call '${name}'.`;
			}
			return undefined;
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
		const events = [...itemEvents(items), completed()];
		return {
			issued: items as readonly object[] as readonly WireItem[],
			pieces: events.map((event, sequence_number) => sse({ ...event, sequence_number })),
		};
	},
};

function itemsOf({ thought: thinking, text, calls: made = [] }: Said, n: number): ResponseOutputItem[] {
	return [
		...(thinking === undefined ? [] : [thought(`rs_${n}`, `sealed-${n}`, thinking)]),
		...(text === undefined ? [] : [said(text, made.length > 0 ? 'commentary' : 'final_answer')]),
		...made.map(({ name, input, id }, i) => ({
			...called(id ?? `call_${n}_${i}`, name, JSON.stringify(input)),
			id: `fc_${n}_${i}`,
		})),
	];
}
