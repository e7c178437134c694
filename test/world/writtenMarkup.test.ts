import { describe, expect, test } from 'vitest';
import { turn } from '../unit/chat/conversation.ts';
import { sessionOf } from '../unit/discovery/fixtures.ts';
import { ChatEndpoint, saying, shownText } from './chatEndpoint.ts';

/** A call that a server left in the text, with `NAME` for the tool, and where somebody saw that. */
const calls: readonly (readonly [text: string, from: string])[] = [
	['<tool_call>\n{"arguments": {"query": "x"}, "name": "NAME"}\n</tool_call>', 'vllm-project/vllm#5649'],
	[
		'I will look.\n<tool_call>\n<function=NAME>\n<parameter=query>\nx\n</parameter>\n</function>\n</tool_call>',
		'theroyallab/tabbyAPI#378',
	],
	['[TOOL_CALLS]NAME[ARGS]{ "query": "x" }', 'mistralai/mistral-vibe#594'],
	[
		'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\n{"query": "x"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
		'sgl-project/sglang#4379',
	],
	['<|channel|>commentary to=functions.NAME<|message|>{"query":"x"}<|call|>', 'odysseus-dev/odysseus#4522'],
	['<|python_tag|>{"name": "NAME", "parameters": {"query": "x"}}', 'unslothai/unsloth#5620'],
	['<function=NAME>{"query": "x"}', 'langflow-ai/langflow#11120'],
];

const tool = 'search_tools';
const ofCall = /--tool-call-parser/;
const ofThought = /--reasoning-parser/;

async function notices(...texts: readonly string[]) {
	await using endpoint = await ChatEndpoint.start((_, n) => saying(texts[n] ?? 'done'));
	const session = sessionOf();
	const told: string[][] = [];
	const shown: string[] = [];
	for (const _ of texts) {
		const { events, end } = await turn(endpoint.model, { session });
		expect(end).toEqual({ type: 'end', reason: 'answered' });
		told.push(events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])));
		shown.push(shownText(events));
	}
	return { told, shown, bodies: endpoint.bodies };
}

describe('a call that the server left in the text', () => {
	test.each(calls)('is shown, and a notice says what to set: %s (%s)', async (text) => {
		const written = text.replaceAll('NAME', tool);
		const { told, shown } = await notices(written, 'done');
		expect(shown).toEqual([written, 'done']);
		expect(told).toEqual([[expect.stringMatching(ofCall)], []]);
	});

	test.each([
		['is not meant where it is quoted', `Write \`<tool_call>{"name": "${tool}"}</tool_call>\``],
		[
			'is not meant in a block of code',
			`Like this:\n\`\`\`\n<tool_call>{"name": "${tool}"}</tool_call>\n\`\`\``,
		],
		[
			'is not meant where the answer goes on',
			`<tool_call>{"name": "${tool}"}</tool_call> is what Hermes writes.`,
		],
		['is not meant without the name of a tool', '<tool_call>{"name": "none_of_ours"}</tool_call>'],
	])('%s', async (_, text) => {
		expect((await notices(text)).told).toEqual([[]]);
	});
});

describe('a thought that only ends in the text', () => {
	test.each([
		['hello, my reason to </think> this is my content.', 'this is my content.', 'vllm-project/vllm#17144'],
		[
			'1.  The user asks for the product of 17 and 23.\n</think>391',
			'391',
			'tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark#16',
		],
	])(
		'goes back as the model wrote it, and a notice says once what to set: %s (%s, %s)',
		async (text, answer) => {
			const { told, bodies } = await notices(text, text, 'done');
			expect(told).toEqual([[expect.stringMatching(ofThought)], [], []]);
			const said = bodies.at(-1)?.messages.find(({ role }) => role === 'assistant');
			expect(JSON.stringify(said)).toContain(JSON.stringify(text).slice(1, -1));
			expect(JSON.stringify(said)).toContain(answer);
		},
	);

	test('is not meant where the tag is quoted', async () => {
		expect((await notices('The tag `</think>` ends a thought.')).told).toEqual([[]]);
	});
});
