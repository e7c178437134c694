import type Anthropic from '@anthropic-ai/sdk';
import { type MessagesBody, messages } from './messages.ts';
import type { Protocol } from './strictEndpoint.ts';

type Block = Anthropic.ContentBlockParam;

/** Claude whose thoughts are bound to the system prompt, the tools and the messages before them. */
export function boundClaude(): Protocol<MessagesBody, readonly Block[]> {
	const prefixes = new Map<string, string>();
	let bound = 0;
	let sent = '';
	const fingerprint = ({ system, tools = [] }: MessagesBody, before: MessagesBody['messages']) => {
		const seen = tools.filter((tool) => !('defer_loading' in tool && tool.defer_loading));
		return JSON.stringify([system, seen, before], (key, value) =>
			key === 'cache_control' ? undefined : value,
		);
	};
	return {
		...messages,
		rules: [
			...messages.rules.filter(({ source }) => !source.includes('complete, unmodified')),
			{
				source: 'https://github.com/anomalyco/opencode/issues/48637',
				broken: (body, issued) => {
					for (const one of issued.slice(bound).flat()) if (sealOf(one)) prefixes.set(sealOf(one), sent);
					bound = issued.length;
					for (const [i, { content }] of body.messages.entries()) {
						const at = (content as Block[]).findIndex(
							(one) =>
								sealOf(one) !== '' &&
								prefixes.get(sealOf(one)) !== fingerprint(body, body.messages.slice(0, i)),
						);
						if (at >= 0)
							return `messages.${i}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". The \`tools\` differ from the ones this block was created with.`;
					}
					sent = fingerprint(body, body.messages);
					return undefined;
				},
			},
		],
	};
}

function sealOf(one: Block): string {
	return one.type === 'thinking' ? one.signature : one.type === 'redacted_thinking' ? one.data : '';
}
