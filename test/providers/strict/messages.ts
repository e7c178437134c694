import type Anthropic from '@anthropic-ai/sdk';
import type { ToolAddition } from '../../../src/models/anthropic/messages.ts';
import { block, brokenRules, callBlock, ended, started, textBlock } from '../anthropic/messagesEndpoint.ts';
import { halves } from '../loopback.ts';
import { isSameJson, type Protocol, type Rule, type Said } from './strictEndpoint.ts';

export type MessagesBody = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;
type MessagesRule = Rule<MessagesBody, readonly Block[]>;

const guide = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking';
const midConversation =
	'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages';
const thinkingTypes: readonly string[] = ['thinking', 'redacted_thinking'];

const rules: readonly MessagesRule[] = [
	{
		source:
			'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls, and what apiRules.ts names',
		broken: (body) => brokenRules(body).join('; ') || undefined,
	},
	{
		source: `${guide}, "Preserving thinking blocks": the signature is verified`,
		broken: ({ messages }, issued) => {
			const known = issued.flat().filter(isThinking);
			for (const [i, { content }] of messages.entries()) {
				const blocks = content as readonly Block[];
				const at = blocks.findIndex(
					(one) => isThinking(one) && !known.some((other) => isSameJson(one, other)),
				);
				if (at >= 0) return `messages.${i}.content.${at}: Invalid \`signature\` in \`thinking\` block`;
			}
			return undefined;
		},
	},
	{
		source: `${guide}, "Extended thinking with tool use": complete, unmodified and in their order, up to the last message of the user`,
		broken: ({ messages }, issued) => {
			const asked = messages.findLastIndex(
				({ role, content }) =>
					role === 'user' && !(content as readonly Block[]).some(({ type }) => type === 'tool_result'),
			);
			for (const [i, { role, content }] of messages.entries()) {
				if (i < asked || role !== 'assistant') continue;
				const blocks = (content as readonly Block[]).map(unmarked);
				const answer = issued.find((one) =>
					isSameJson(one.filter(isCall).map(gist), blocks.filter(isCall).map(gist)),
				);
				if (!answer?.some(isThinking)) continue;
				const [first] = blocks;
				if (!blocks.some(isThinking))
					return `messages.${i}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
				if (!isSameJson(blocks.map(kind), answer.map(kind)))
					return `messages.${i}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
			}
			return undefined;
		},
	},
	{
		source: `${midConversation}, "Define tools in a message"`,
		broken: (body, _, headers) => {
			const added = additionsOf(body);
			if (added.length === 0) return undefined;
			if (!headers['anthropic-beta']?.includes('inline-tools-2026-09-15'))
				return "messages.1.content.0: Input tag 'tool_addition' found using 'type' does not match any of the expected tags";
			const known = new Set(body.tools?.map((tool) => ('name' in tool ? tool.name : '')));
			const twice = added.find(({ name }) => known.has(name));
			return twice && `tools: '${twice.name}' is defined in \`tools\` and in a message`;
		},
	},
	{
		source:
			'https://github.com/earendil-works/pi/pull/6474: what is deferred is loaded where a result refers to it',
		broken: ({ tools = [], messages }) => {
			const sent = JSON.stringify(messages);
			const unused = tools.find(
				(tool) =>
					'name' in tool &&
					'defer_loading' in tool &&
					tool.defer_loading &&
					!sent.includes(JSON.stringify({ type: 'tool_reference', tool_name: tool.name })),
			);
			return (
				unused && `tools: '${'name' in unused ? unused.name : ''}' is deferred, and nothing refers to it`
			);
		},
	},
	{
		source: 'https://github.com/tailcallhq/forgecode/issues/2107',
		broken: ({ messages }) => {
			const at = messages.findIndex(({ role, content }) => {
				const last = (content as readonly Block[]).at(-1);
				return role === 'assistant' && last !== undefined && isThinking(last);
			});
			return at < 0
				? undefined
				: `messages.${at}: The final block in an assistant message cannot be \`thinking\`.`;
		},
	},
];

/** Anthropic's Messages API with a model that thinks, between its calls too. */
export const messages: Protocol<MessagesBody, readonly Block[]> = {
	provider: 'anthropic',
	path: '',
	contentType: 'text/event-stream; charset=utf-8',
	rules,
	refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
	answer: (said, n) => {
		const blocks = blocksOf(said, n);
		const stop = said.calls?.length ? 'tool_use' : 'end_turn';
		const events = [started(), ...blocks.flatMap(eventsOf), ...ended(stop)];
		return {
			issued: blocks,
			pieces: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
		};
	},
};

/** Tools that messages define. */
export function additionsOf({ messages }: MessagesBody): readonly Anthropic.Tool[] {
	return messages.flatMap(({ content }) =>
		(content as readonly object[]).flatMap((one) =>
			'type' in one && one.type === 'tool_addition' ? [(one as ToolAddition).tool.definition] : [],
		),
	);
}

/** With every second answer, a part of what was thought is sealed. */
function blocksOf({ thought, text, calls = [] }: Said, n: number): Block[] {
	return [
		...(thought === undefined
			? []
			: [
					{ type: 'thinking', thinking: thought, signature: `signed-${n}` } as const,
					...(n % 2 === 0 ? [{ type: 'redacted_thinking', data: `sealed-${n}` } as const] : []),
				]),
		...(text === undefined ? [] : [{ type: 'text', text } as const]),
		...calls.map(
			({ name, input, id }, i) => ({ type: 'tool_use', id: id ?? `toolu_${n}${i}`, name, input }) as const,
		),
	];
}

function eventsOf(one: Block, index: number) {
	switch (one.type) {
		case 'thinking':
			return block(
				index,
				{ type: 'thinking', thinking: '', signature: '' },
				...halves(one.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
				{ type: 'signature_delta', signature: one.signature },
			);
		case 'tool_use':
			return callBlock(index, one.id, one.name, ...halves(JSON.stringify(one.input)));
		case 'text':
			return textBlock(index, one.text);
		default:
			return block(index, one);
	}
}

function isThinking({ type }: Block): boolean {
	return thinkingTypes.includes(type);
}

function isCall({ type }: Block): boolean {
	return type === 'tool_use';
}

function gist(one: Block): unknown {
	return one.type === 'tool_use' ? [one.name, one.input] : one.type;
}

/** Thoughts as they are, the rest by what it is. */
function kind(one: Block): unknown {
	return isThinking(one) ? one : gist(one);
}

function unmarked(one: Block): Block {
	const { cache_control: _, ...rest } = one as Block & { cache_control?: unknown };
	return rest as Block;
}
