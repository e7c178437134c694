import { expect, test } from 'vitest';
import { createModel } from '../../src/models/createModel.ts';
import { endpointAt, Loopback, sse } from '../providers/loopback.ts';
import { turn } from '../unit/chat/conversation.ts';
import { sessionOf } from '../unit/discovery/fixtures.ts';
import { shownText } from './chatEndpoint.ts';

let ids = 0;
/** An event of GitHub Copilot's proxy: each has another id for the same item, and only the place of the item stays. */
const event = (type: string, output_index: number, more: object) => ({
	type: `response.${type}`,
	output_index,
	item_id: `rotated-${ids++}`,
	...more,
});
const added = (place: number, item: object) =>
	event('output_item.added', place, { item: { id: `rotated-${ids++}`, ...item } });
const done = (place: number, item: object) =>
	event('output_item.done', place, { item: { id: `rotated-${ids++}`, ...item } });
const text = (place: number, delta: string) => event('output_text.delta', place, { delta });
const json = (place: number, delta: string) => event('function_call_arguments.delta', place, { delta });
const message = (words: string) => ({ type: 'message', content: [{ type: 'output_text', text: words }] });
const call = (call_id: string, words: string) => ({
	type: 'function_call',
	call_id,
	name: 'slack__search',
	arguments: words,
});
const whole = (place: number, words: string) =>
	event('function_call_arguments.done', place, { arguments: words });

/** Streams, and the text and the arguments of calls that they mean. */
const rows: readonly (readonly [
	what: string,
	stream: readonly object[],
	text: string,
	calls: readonly object[],
	from: string,
])[] = [
	[
		'a thought and a message',
		[
			added(0, { type: 'reasoning', summary: [] }),
			event('reasoning_summary_part.added', 0, { summary_index: 0 }),
			event('reasoning_summary_text.delta', 0, {
				summary_index: 0,
				delta: '**Counting character occurrences**',
			}),
			done(0, { type: 'reasoning', summary: [] }),
			added(1, { type: 'message', content: [] }),
			text(1, 'There'),
			text(1, ' are'),
			text(1, ' **3**'),
			done(1, message('There are **3**')),
		],
		'There are **3**',
		[],
		'vercel/ai: packages/openai/src/responses/__fixtures__/github-copilot-id-rotation.1.chunks.txt',
	],
	[
		'a call',
		[
			added(0, call('call_a', '')),
			json(0, '{"query":'),
			json(0, '"x"}'),
			whole(0, '{"query":"x"}'),
			done(0, call('call_a', '{"query":"x"}')),
		],
		'',
		[{ query: 'x' }],
		'openclaw/openclaw#108511',
	],
	[
		'text, then a call without pieces',
		[
			added(0, message('')),
			text(0, 'Let'),
			text(0, ' me see.'),
			done(0, message('Let me see.')),
			added(1, call('call_a', '')),
			whole(1, '{"query":"x"}'),
			done(1, call('call_a', '{"query":"x"}')),
		],
		'Let me see.',
		[{ query: 'x' }],
		'1jehuang/jcode#1336',
	],
	[
		'two calls side by side',
		[
			added(0, call('call_a', '')),
			added(1, call('call_b', '')),
			json(0, '{"query":"a"}'),
			json(1, '{"query":'),
			whole(0, '{"query":"a"}'),
			json(1, '"b"}'),
			done(0, call('call_a', '{"query":"a"}')),
			done(1, call('call_b', '{"query":"b"}')),
		],
		'',
		[{ query: 'a' }, { query: 'b' }],
		'lidge-jun/opencodex#279',
	],
	[
		'two messages',
		[
			added(0, message('')),
			text(0, 'One'),
			text(0, ' and'),
			done(0, message('One and')),
			added(1, message('')),
			text(1, 'two'),
			text(1, '.'),
			done(1, message('two.')),
		],
		'One and\n\ntwo.',
		[],
		'BerriAI/litellm#30072',
	],
];

test.each(rows)('%s is read by the places of its items', async (_, stream, shown, calls) => {
	const end = { type: 'response.completed', response: { status: 'completed', output: [] } };
	await using server = await Loopback.start(
		(response) => void response.end(sse(...stream, end)),
		(response) => void response.end(sse(text(0, 'done'), end)),
	);
	const endpoint = endpointAt(`${server.url}/v1`);
	const model = await createModel({ id: 'm', name: 'M', model: 'gpt-5.3-codex', api: 'responses' }, endpoint);
	const ran: object[] = [];
	const { events } = await turn(model, {
		session: sessionOf(undefined, { enabled: false }),
		runTool: async (_tool, { input }) => {
			ran.push(input);
			return { content: [{ type: 'text', text: 'found' }], isError: false };
		},
	});
	expect(ran).toEqual(calls);
	expect(shownText(events)).toBe(shown + (calls.length > 0 ? 'done' : ''));
});
