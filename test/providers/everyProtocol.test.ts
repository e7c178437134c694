import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import type { ImageContent } from '../../src/discovery/catalog/tool.ts';
import { callsOf, plainAnswer } from '../../src/models/answerParts.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../src/models/provider.ts';
import { unsendableSchema } from '../unsendableSchema.ts';
import { messageOf } from './asGiven.ts';
import { calls, results, succeeded, tool, user } from './conversation.ts';
import { answerOf, asking, type HttpAnswer, Loopback, roomy, textOf, whole } from './loopback.ts';
import { type Adapter, protocols } from './protocols.ts';

const impatient: AnswerLimits = { ...roomy, firstByteMs: 250, gapMs: 250 };
const question = asking('hi');

// What the adapters of all protocols have in common, shown with each of them.
describe.each(Object.entries(protocols))('%s', (_, protocol) => {
	const { begin = '', text, call, failure, end, half, late, atLimit, path } = protocol;
	const says =
		(...pieces: readonly string[]): HttpAnswer =>
		(response) =>
			void response.end(begin + pieces.join(''));
	const begins =
		(...pieces: readonly string[]): HttpAnswer =>
		(response) =>
			void response.write(begin + pieces.join(''));

	/** A model whose provider answers so. It knows nothing about the model. */
	async function provider(answers: readonly [HttpAnswer, ...HttpAnswer[]], more = {}, limits = roomy) {
		const server = await Loopback.routed((asked) => (asked === path ? answers : [whole(404, '')]));
		return {
			model: protocol.model(server.url, more, limits),
			bodies: () => server.at(path).map(({ body }) => body),
			hungUp: server.hungUp.promise,
			[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
		};
	}

	/** What comes of a request. `stops`: the user stops with the first event. */
	function outcome(model: Adapter, request = question, { stops = false, stop = new AbortController() } = {}) {
		return answerOf(model, request, stop.signal, () => stops && stop.abort());
	}

	test('streams what the model says piece by piece, then what it cost', async () => {
		await using one = await provider([says(text('Good '), text('morning.'), end)]);

		const { events, error } = await outcome(one.model);

		expect(error).toBeUndefined();
		expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'usage']);
		expect(textOf(events)).toBe('Good morning.');
		expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 5 } });
	});

	test('keeps parallel calls apart, and sends their results in their order', async () => {
		const answer = says(
			text('Looking.'),
			call('c1', 'files__read', '{"path":"a"}', 0),
			call('c2', 'files__read', '{"path":"b"}', 1),
			end,
		);
		await using one = await provider([answer, says(text('Both.'), end)]);

		const first = messageOf((await outcome(one.model)).parts);
		const made = callsOf(first.parts);
		const answers = made.toReversed().map(({ id, input }) => succeeded(id, `what ${input.path} says`));
		const messages = [...question.messages, first, results(...answers)];
		const second = await outcome(one.model, { ...question, messages });

		expect(made.map(({ name, input }) => [name, input.path])).toEqual([
			['files__read', 'a'],
			['files__read', 'b'],
		]);
		expect(textOf(second.events)).toBe('Both.');
		expect(one.bodies()[1]).toMatch(/Looking\..*c1.*c2.*what a says.*what b says/);
	});

	test('says what is wrong with arguments that are no JSON', async () => {
		await using one = await provider([says(call('c1', 'files__read', '{"path":', 0), end)]);

		const [first] = callsOf((await outcome(one.model)).parts);

		expect(first).toMatchObject({ input: {}, fault: expect.any(String) });
	});

	test('words of a provider that speak of a timeout are not taken for one', async () => {
		await using one = await provider([whole(400, { error: { message: 'The tool timed out.' } })]);

		expect((await outcome(one.model)).error).toMatchObject({
			reason: 'invalidRequest',
			message: expect.stringContaining('The tool timed out.'),
		});
	});

	test.each<[string, HttpAnswer]>([
		['never begins', () => undefined],
		['begins and says nothing', begins()],
		['stops in the middle', begins(text('Half'))],
	])('an answer that %s has stalled, and its connection is closed', async (_, answer) => {
		await using one = await provider([answer], {}, impatient);

		const { error } = await outcome(one.model);

		expect(error).toMatchObject({ reason: 'stalled', message: expect.stringContaining('said nothing for') });
		await one.hungUp;
		expect(one.bodies()).toHaveLength(1);
	});

	test.each<[string, HttpAnswer]>([
		['ends early', says(text('Half'))],
		['breaks', (response) => void response.write(begin + text('Half'), () => response.socket?.end())],
	])('an answer that %s is cut: what came stays, and it is not asked for again', async (_name, answer) => {
		await using one = await provider([answer]);

		const { events, error } = await outcome(one.model);

		expect(textOf(events)).toBe('Half');
		expect(error).toMatchObject({ reason: 'cut', message: expect.stringContaining('continue') });
		expect(one.bodies()).toHaveLength(1);
	});

	test('an answer that ends inside its first event is cut, and asked for again', async () => {
		await using one = await provider([(response) => void response.end(half)]);

		expect((await outcome(one.model)).events).toMatchObject([
			{ type: 'retrying', reason: expect.stringMatching(/in the middle\.$/) },
		]);
	});

	test('an error in the middle ends the answer, and it is not asked for again', async () => {
		await using one = await provider([says(text('Half'), failure, text('x'), end)]);

		const { events, error } = await outcome(one.model);

		expect(textOf(events)).toBe('Half');
		expect(error).toMatchObject({ reason: 'server', message: expect.stringContaining('Sorry') });
		expect(one.bodies()).toHaveLength(1);
	});

	test.each([
		['as JSON', { 'content-type': 'application/json' }],
		['as if it were the answer', { 'content-type': 'text/event-stream' }],
	])('an error with status 200 keeps the words of the provider: %s', async (_name, headers) => {
		// Ollama's own is one line and a text.
		const said = path.startsWith('/api')
			? '{"error":"The model is being moved."}'
			: JSON.stringify({ error: { message: 'The model is being moved.', code: 503 } }, null, 2);
		await using one = await provider([whole(200, said, headers)]);

		expect((await outcome(one.model)).events).toMatchObject([
			{ type: 'retrying', reason: expect.stringContaining('The model is being moved.') },
		]);
	});

	test('a page that is labelled as a stream of events is no answer, and not asked for again', async () => {
		const page = '<!DOCTYPE html>\n<html>\n\n<body>\n\n<p>Sign in first.</p>\n\n</body></html>';
		await using one = await provider([whole(200, page, { 'content-type': 'text/event-stream' })]);

		const { error } = await outcome(one.model);

		expect(error).toMatchObject({ reason: 'malformed', message: expect.stringContaining('base_url') });
		expect(String(error)).not.toContain('<');
		expect(one.bodies()).toHaveLength(1);
	});

	test('text that comes only with the end of the answer is shown, once', async () => {
		await using one = await provider([says(late('Good day.'))]);

		const { events, error } = await outcome(one.model);

		expect(error).toBeUndefined();
		expect(textOf(events)).toBe('Good day.');
	});

	test('an answer at its limit is told, and not asked for again', async () => {
		await using one = await provider([says(atLimit)]);

		const { events, error } = await outcome(one.model);

		expect(textOf(events)).toBe('');
		expect(error).toMatchObject({ reason: 'outputLimit', message: expect.stringMatching(/limit|context/) });
		expect(one.bodies()).toHaveLength(1);
	});

	test.each([
		['200 levels are taken', 200, undefined],
		['more are refused as such', 203, /nested deeper than 200 levels/],
		['so are more than the stack has room for', 50_000, /nested deeper than 200 levels/],
	])('of arguments, %s', async (_name, levels, fault) => {
		const json = `${'{"in":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
		await using one = await provider([says(call('c1', 'draw', json, 0), end)]);

		const [made] = callsOf((await outcome(one.model)).parts);

		expect(made).toMatchObject({ name: 'draw', input: fault ? {} : { in: {} } });
		expect(made?.fault ?? '').toMatch(fault ?? /^$/);
	});

	describe('a user who stops', () => {
		const rest = call('c1', 'files__list', '{}', 0) + end;

		test.each([
			['in the middle', begins(text('Half'))],
			['when more has come already', begins(text('Half') + rest)],
		])('%s gets no more of the answer, and no error', async (_name, answer) => {
			await using one = await provider([answer]);

			const outcomeOfStop = await outcome(one.model, question, { stops: true });

			expect(outcomeOfStop).toEqual({
				events: [{ type: 'text', text: 'Half' }],
				parts: [],
				error: undefined,
			});
			await one.hungUp;
		});

		test('before the answer begins gets none', async () => {
			const stop = new AbortController();
			await using one = await provider([() => stop.abort()]);

			expect(await outcome(one.model, question, { stop })).toEqual({
				events: [],
				parts: [],
				error: undefined,
			});
		});

		test('beforehand sends nothing', async () => {
			const stop = new AbortController();
			stop.abort();
			await using one = await provider([says(text('ok'), end)]);

			expect(await outcome(one.model, question, { stop })).toEqual({
				events: [],
				parts: [],
				error: undefined,
			});
			expect(one.bodies()).toEqual([]);
		});
	});

	// Not of Ollama, whose server is next door.
	test.skipIf(path.startsWith('/api'))('connections serve the next request', async () => {
		const late: HttpAnswer = (response) => {
			response.write(begin + text('ok') + end);
			setTimeout(() => response.end(), 20);
		};
		await using server = await Loopback.start(late);
		const model = protocol.model(server.url, {}, roomy);

		for (const _ of Array.from({ length: 6 })) {
			await outcome(model);
			await pause(60);
		}

		expect(server.received).toHaveLength(6);
		expect(server.connections).toBeLessThanOrEqual(2);
	});

	test('a tool that the provider would refuse is named first and once, and not sent', async () => {
		const busy = whole(429, { error: { message: 'Slow down.' } }, { 'retry-after': '0' });
		await using one = await provider([busy, says(text('ok'), end)]);
		const tools = [{ ...tool('odd'), inputSchema: unsendableSchema }, tool('fine')];

		const { events } = await outcome(one.model, { ...question, tools });

		expect(events.map(({ type }) => type)).toEqual(['toolDropped', 'retrying', 'text', 'usage']);
		expect(events[0]).toMatchObject({ name: 'odd', reason: expect.stringMatching(/^[A-Z].*\.$/) });
		expect(one.bodies()[1]).toContain('"fine"');
		expect(one.bodies()[1]).not.toContain('"odd"');
	});

	test('a tool that is appended changes no byte before it', async () => {
		await using one = await provider([says(text('ok'), end)]);

		await outcome(one.model, { ...question, tools: [tool('a'), tool('b')] });
		await outcome(one.model, { ...question, tools: [tool('a'), tool('b'), tool('c')] });

		const [before = '', after = ''] = one
			.bodies()
			.map((body) => body.replace(/,"cache_control":\{[^}]*\}/g, ''));
		const prefix = before.slice(0, before.indexOf('"Does b."'));
		expect(prefix).toContain('"Does a."');
		expect(after.startsWith(prefix)).toBe(true);
	});

	test('each call is sent with one result, in the order of the calls, and a result without a call is left out', async () => {
		await using one = await provider([says(text('ok'), end)]);
		const messages = [
			results(succeeded('gone', 'an orphan')),
			...question.messages,
			calls('', 'a', 'b'),
			results(succeeded('b', 'two'), succeeded('stray', 'an orphan'), succeeded('b', 'an orphan')),
			results(succeeded('a', 'one')),
			calls('', 'c'),
			user('Well?'),
			results(succeeded('c', 'an orphan')),
		];

		await outcome(one.model, { ...question, messages });

		const [body = ''] = one.bodies();
		expect(body).toMatch(/"one".*"two".*There is no result.*Well/);
		expect(body).not.toContain('orphan');
	});

	test('a note for the model follows what the user says, marked as not theirs', async () => {
		await using one = await provider([says(text('ok'), end)]);
		const news = '- New servers: sky (2 tools)';

		await outcome(one.model, { ...question, messages: [{ role: 'user', text: 'hi', news }] });

		expect(one.bodies()[0]).toContain(JSON.stringify(`hi\n\n[Note, not by the user:\n${news}]`).slice(1, -1));
	});

	// Ollama takes any name, and replaces half a character itself.
	test.skipIf(path.startsWith('/api'))(
		'a name that the model made up, and half a character, are sent as providers take them',
		async () => {
			await using one = await provider([says(text('ok'), end)]);
			const names = ['files:read it', '', 'x'.repeat(99)];
			const messages: readonly ChatMessage[] = [
				user('cut \ud83d'),
				plainAnswer(
					'',
					names.map((name, i) => ({ id: `c${i}`, name, input: {} })),
				),
				results(succeeded('c0', '\ude00 cut')),
			];

			await outcome(one.model, { ...question, messages });

			const [body = ''] = one.bodies();
			expect(body).not.toMatch(/\\ud[89a-f]/i);
			for (const name of ['files_read_it', '_', 'x'.repeat(64)]) expect(body).toContain(`"name":"${name}"`);
		},
	);

	describe('pictures', () => {
		const png: ImageContent = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/jpeg' };
		const drawing: ImageContent = { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' };
		const shows: ChatRequest = {
			...question,
			messages: [
				user('What is it?', png, drawing),
				calls('', 'c'),
				results({ callId: 'c', result: { content: [{ type: 'text', text: 'here' }, png], isError: false } }),
			],
		};

		test('are sent to a model that sees, under the type that they have; others are named', async () => {
			await using one = await provider([says(text('ok'), end)], { images: true });

			await outcome(one.model, shows);

			const [body = ''] = one.bodies();
			expect(body.split(png.data)).toHaveLength(3);
			expect(body).not.toMatch(/(?:data:|")image\/jpeg/);
			expect(body).toContain('[image image/svg+xml]');
		});

		test('are named to a model that does not see', async () => {
			await using one = await provider([says(text('ok'), end)], { images: false });

			await outcome(one.model, shows);

			const [body = ''] = one.bodies();
			expect(body).not.toContain(png.data);
			expect(body.split('[image image/jpeg]')).toHaveLength(3);
		});
	});
});
