import { expect, test } from 'vitest';
import { recordOf } from '../../src/common/json.ts';
import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import { textResult } from '../../src/discovery/catalog/tool.ts';
import { answerText } from '../../src/models/answerParts.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { Thinker } from '../../src/models/thinker.ts';
import { answerOf, asking, endpointAt, Loopback, sse, whole } from '../providers/loopback.ts';
import { delta, type Json } from './chatEndpoint.ts';

const tools = [{ name: 'a__b', description: 'Does it.', inputSchema: { type: 'object' } }];
const pixel =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = { type: 'image', data: pixel, mimeType: 'image/png' } as const;
const pictures: readonly ChatMessage[] = [{ role: 'user', text: 'See.', images: [picture] }];

/** A turn with one call. `thought`: what its maker says about the thought before it. */
function called(thinker?: Thinker, thought?: Json): readonly ChatMessage[] {
	const origin = thinker?.origin(thought);
	return [
		{ role: 'user', text: 'Go.' },
		{ role: 'assistant', parts: [{ type: 'text', text: 'Well.' }] },
		{ role: 'user', text: 'Go on.' },
		{
			role: 'assistant',
			parts: [
				...(origin ? [{ type: 'thinking' as const, text: 'Hm.', origin }] : []),
				{ type: 'toolCall', call: { id: 'c1', name: 'a__b', input: {} } },
			],
		},
		{ role: 'tool', results: [{ callId: 'c1', result: textResult('Found.') }] },
	];
}

type Body = Json & { readonly messages: readonly (Json & { readonly role: string })[] };
const hasPicture = (body: Body) => JSON.stringify(body).includes(pixel);
const contentOf = (message: unknown) => recordOf(message).content as Json[] | undefined;

interface Row {
	readonly protocol: 'chat' | 'responses' | 'anthropic';
	readonly settings?: Partial<ModelSettings>;
	readonly messages: (thinker: Thinker) => readonly ChatMessage[];
	readonly isRefused: (body: Body) => boolean;
	readonly status?: number;
	readonly says: string;
	/** Those of the request; default: the tool that was called. */
	readonly tools?: readonly [];
	/** Whether the user is told that something was left out. */
	readonly isTold: boolean;
	/** Whether it is never sent in this form. */
	readonly isPrevented?: true;
	readonly from: string;
}

const ofPicture = {
	settings: { images: true },
	messages: () => pictures,
	isRefused: hasPicture,
	isTold: true,
} as const;

const nullContent = {
	protocol: 'chat',
	messages: () => called(),
	isRefused: ({ messages }: Body) => messages.some(({ content }) => content === null),
	isTold: false,
} as const;
const withoutTools = {
	messages: () => called(),
	isRefused: ({ tools }: Body) => tools === undefined,
	tools: [],
	isTold: false,
} as const;

/** What endpoints refuse about a conversation as it is; without a remedy, every later message would be refused as well. */
const rows: readonly Row[] = [
	{
		...ofPicture,
		protocol: 'anthropic',
		says: 'messages.14.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
		from: 'anthropics/claude-code#42558',
	},
	{
		...ofPicture,
		protocol: 'anthropic',
		says: 'Could not process image',
		from: 'anthropics/claude-code#56016',
	},
	{
		...ofPicture,
		protocol: 'chat',
		status: 404,
		says: 'No endpoints found that support image input',
		from: 'anomalyco/opencode#25832',
	},
	{
		protocol: 'chat',
		settings: { model: 'gemini-3-pro' },
		messages: () => called(),
		isRefused: (body) => !JSON.stringify(body).includes('thought_signature'),
		says: 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
		isTold: false,
		from: 'earendil-works/pi#1829',
	},
	{
		protocol: 'chat',
		settings: { model: 'gemini-3-pro' },
		messages: () => called().slice(3),
		isRefused: ({ messages }) => messages.find(({ role }) => role !== 'system')?.role !== 'user',
		says: 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
		isTold: false,
		isPrevented: true,
		from: 'RightNow-AI/openfang#1011',
	},
	{
		protocol: 'chat',
		settings: { model: 'deepseek-v4-pro' },
		messages: () => called(),
		isRefused: ({ messages }) =>
			messages.some(({ role, reasoning_content: thought }) => role === 'assistant' && !thought),
		says: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
		isTold: false,
		from: 'NousResearch/hermes-agent#15228',
	},
	{
		protocol: 'anthropic',
		settings: { answers: { thinking: { mode: 'tokens', tokens: 2_048 } } },
		messages: () => called(),
		isRefused: ({ thinking, messages }) =>
			recordOf(thinking).type === 'enabled' && contentOf(messages.at(-2))?.[0]?.type === 'tool_use',
		says: 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
		isTold: false,
		from: 'Kilo-Org/kilocode#5219',
	},
	{
		protocol: 'anthropic',
		messages: (thinker) => called(thinker, { signature: 'signed' }),
		isRefused: (body) => JSON.stringify(body).includes('signed'),
		says: 'messages.1.content.5: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
		isTold: true,
		from: 'can1357/oh-my-pi#8559',
	},
	{
		protocol: 'responses',
		messages: (thinker) =>
			called(thinker, { reasoning: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' } }),
		isRefused: (body) => JSON.stringify(body).includes('rs_1'),
		says: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
		isTold: true,
		from: 'continuedev/continue#8933',
	},
	{
		protocol: 'responses',
		messages: (thinker) =>
			called(thinker, { reasoning: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' } }),
		isRefused: (body) => JSON.stringify(body).includes('rs_1'),
		says: "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
		isTold: true,
		from: 'vercel/ai#7543',
	},
	{ ...nullContent, says: 'invalid message content type: <nil>', from: 'SAIL-Research-Lab/cheetahclaws#72' },
	{
		...nullContent,
		says: "Invalid 'content': 'content' field must be a string or an array of objects.",
		from: 'lmstudio-ai/lmstudio-bug-tracker#261',
	},
	{
		...withoutTools,
		protocol: 'chat',
		says: 'bedrock error: The toolConfig field must be defined when using toolUse and toolResult content blocks.',
		from: 'anomalyco/opencode#34089',
	},
	{
		...withoutTools,
		protocol: 'anthropic',
		says: "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified.",
		from: 'BerriAI/litellm#31400',
	},
];

const ok = {
	chat: sse(delta({ content: 'ok' }, 'stop')),
	responses: sse(
		{ type: 'response.output_text.delta', output_index: 0, delta: 'ok' },
		{ type: 'response.completed', response: { status: 'completed', output: [] } },
	),
	anthropic: sse(
		{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'ok' } },
		{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
	),
};

test.each(rows)('$says ($protocol, $from): the conversation goes on', async (row) => {
	const { protocol, isRefused, says: message, status = 400, settings } = row;
	let refused = 0;
	await using server = await Loopback.start((response, { body }) => {
		if (!isRefused(JSON.parse(body))) return void response.end(ok[protocol]);
		refused++;
		whole(status, { error: { type: 'invalid_request_error', message } })(response);
	});
	const endpoint = endpointAt(server.url, protocol === 'anthropic' ? 'anthropic' : 'openai');
	const api = protocol === 'chat' ? 'chat' : 'responses';
	const model = await createModel({ id: 'm', name: 'M', model: 'some-model', api, ...settings }, endpoint);
	const thinker = new Thinker(endpoint, protocol, settings?.model ?? 'some-model');
	const request = asking('', { messages: row.messages(thinker), tools: row.tools ?? tools });
	for (const isFirst of [true, false]) {
		const { parts, events, error } = await answerOf(model, request);
		expect(error).toBeUndefined();
		expect(answerText(parts)).toBe('ok');
		const isTold = events.some(({ type }) => type === 'notice');
		expect(isTold).toBe(row.isTold && isFirst);
	}
	// A turn that goes on without a thought is the only thing that cannot be learned.
	expect(refused).toBe(row.isPrevented ? 0 : message.startsWith('messages.1.content.0') ? 2 : 1);
});

test('a picture is refused alone: earlier ones stay, and what is new is sent (anthropics/claude-code#13480)', async () => {
	const broken = { ...picture, data: `${pixel.slice(0, -8)}AAAAAAA=` };
	await using server = await Loopback.start((response, { body }) => {
		if (!body.includes(broken.data)) return void response.end(ok.chat);
		whole(400, { error: { message: 'Could not process image' } })(response);
	});
	const settings = { id: 'm', name: 'M', model: 'm', images: true, api: 'chat' } as const;
	const model = await createModel(settings, endpointAt(server.url));
	const messages: ChatMessage[] = [
		...pictures,
		{ role: 'assistant', parts: [{ type: 'text', text: 'Nice.' }] },
		{ role: 'user', text: 'And this?', images: [broken] },
	];
	await answerOf(model, asking('', { messages }));
	const sent = server.received.at(-1)?.body ?? '';
	expect(sent).toContain(pixel);
	expect(sent).toContain('[image image/png]');
});
