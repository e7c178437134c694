import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';
import type { CallOptions } from '../../../../src/mcp/connection/connectOptions.ts';
import type { AskUser } from '../../../../src/mcp/connection/questions.ts';
import { RunningCalls } from '../../../../src/mcp/connection/runningCalls.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

type Request = (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** The calls to a server that gives these answers. */
function callsOf(request: Request, ask?: AskUser, limits: Partial<typeof defaultLimits> = {}) {
	const log: string[] = [];
	const calls = new RunningCalls(
		{
			server: 'files',
			limits: { ...defaultLimits, ...limits },
			redactor: () => new Redactor([]),
			ask,
			onLog: (_level, line) => log.push(line),
		},
		{
			request: (_method, params) => request(params),
			progress: (said) => said,
			failure: (error) =>
				error instanceof ServerError ? error : new ServerError('files', 'protocol', String(error)),
		},
	);
	const call = (options: CallOptions = {}) =>
		calls.run({ label: 'Tool "add"', method: 'tools/call', params: {}, headers: {} }, options);
	return { calls, call, log };
}

const elicitation = { method: 'elicitation/create', params: { message: 'Why?' } };
const asks = (inputRequests: object, requestState?: string) => ({
	resultType: 'input_required',
	inputRequests,
	...(requestState === undefined ? {} : { requestState }),
});

describe('a call whose server asks', () => {
	test("is repeated with the answers and the server's own state", async () => {
		const made: object[] = [];
		const { call } = callsOf(
			async (params) => {
				made.push(params);
				return made.length === 1 ? asks({ why: elicitation }, 'opaque \u0000') : { content: [] };
			},
			async () => ({ action: 'decline' }),
		);
		expect(await call()).toEqual({ content: [] });
		expect(made).toEqual([
			{},
			{ inputResponses: { why: { action: 'decline' } }, requestState: 'opaque \u0000' },
		]);
	});

	test('is reported and logged without the question and the answer', async () => {
		const told: string[] = [];
		const params = {
			message: 'the question',
			requestedSchema: { type: 'object', properties: { words: { type: 'string' } } },
		};
		const { call, log } = callsOf(
			async ({ inputResponses }) =>
				inputResponses ? { content: [] } : asks({ why: { ...elicitation, params } }),
			async () => ({ action: 'accept', content: { words: 'the answer' } }),
		);
		await call({ onQuestion: (what) => told.push(what) });
		expect(told).toEqual(['asked', 'accept']);
		expect(log).toEqual([
			'Tool "add": asks the user for 1 field',
			'Tool "add": its question was answered: accept',
		]);
	});

	test('fails if it asks for too much, and logs that', async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 500 }, (_, i) => [String(i), { type: 'string' }]),
		);
		const params = { message: 'Why?', requestedSchema: { type: 'object', properties } };
		const { call, log } = callsOf(
			async () => asks({ why: { ...elicitation, params } }),
			async () => ({ action: 'accept' }),
		);
		await expect(call()).rejects.toMatchObject({ reason: 'question-refused' });
		expect(log).toEqual([
			'Tool "add": asked for input that it cannot get: its form has 500 fields, more than 100',
		]);
	});

	test('stops its clock while the user answers', async () => {
		const { call } = callsOf(
			async ({ inputResponses }) => (inputResponses ? { content: [] } : asks({ why: elicitation })),
			() => new Promise((resolve) => setTimeout(() => resolve({ action: 'cancel' }), 600)),
			{ callIdleMs: 300, callTotalMs: 400 },
		);
		expect(await call()).toEqual({ content: [] });
	});

	test('fails if the server asks too often, asks for what we do not offer, or if nobody can be asked', async () => {
		const yes: AskUser = async () => ({ action: 'accept' });
		const refused = { reason: 'question-refused' };
		const endless = callsOf(async () => asks({ why: elicitation }), yes, { inputRounds: 3 });
		await expect(endless.call()).rejects.toMatchObject(refused);
		const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [String(i), elicitation]));
		await expect(callsOf(async () => asks(many), yes).call()).rejects.toMatchObject(refused);
		const sampling = asks({ model: { method: 'sampling/createMessage', params: {} } });
		await expect(callsOf(async () => sampling, yes).call()).rejects.toMatchObject(refused);
		await expect(callsOf(async () => asks({ why: elicitation })).call()).rejects.toMatchObject(refused);
	});
});

describe('a call that is refused until the user has visited an address', () => {
	const elicitations = [{ message: 'Pay first', url: 'https://pay.example/1', elicitationId: 'a' }];
	const refuse: Request = () =>
		Promise.reject(Object.assign(new Error('first'), { code: -32_042, data: { elicitations } }));

	test('opens the address, and says to call again', async () => {
		const asked: unknown[] = [];
		const { call } = callsOf(refuse, async ({ question }) => {
			asked.push(question);
			return { action: 'accept' };
		});
		await expect(call()).rejects.toMatchObject({ reason: 'request-refused', message: /call it again/ });
		expect(asked).toEqual([{ kind: 'address', message: 'Pay first', url: 'https://pay.example/1' }]);
	});

	test('fails if the user declines or nobody can be asked', async () => {
		const no = callsOf(refuse, async () => ({ action: 'decline' }));
		await expect(no.call()).rejects.toMatchObject({ reason: 'question-refused' });
		await expect(callsOf(refuse).call()).rejects.toMatchObject({ reason: 'protocol' });
	});
});

describe('a question in a request of the server', () => {
	test('is asked for the running call', async () => {
		const asked: string[] = [];
		const ask: AskUser = async ({ server, call }) => {
			asked.push(`${server}: ${call}`);
			return { action: 'accept', content: {} };
		};
		const answer = await new Promise((resolve) => {
			const { calls, call } = callsOf(async () => {
				resolve(await calls.answer({ message: 'Why?' }, new AbortController().signal));
				return { content: [] };
			}, ask);
			void call();
		});
		expect(answer).toEqual({ action: 'accept', content: {} });
		expect(asked).toEqual(['files: Tool "add"']);
	});

	test('is cancelled if the user stops the call, and the chat is told', async () => {
		const told: string[] = [];
		const stop = new AbortController();
		const answered = Promise.withResolvers<unknown>();
		const { calls, call } = callsOf(
			async () => {
				answered.resolve(await calls.answer({ message: 'Why?' }, new AbortController().signal));
				return { content: [] };
			},
			(_question, signal) =>
				new Promise((_, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason));
					stop.abort(new Error('stopped'));
				}),
		);
		await call({ signal: stop.signal, onQuestion: (what) => told.push(what) }).catch(() => {});
		expect(await answered.promise).toEqual({ action: 'cancel' });
		expect(told).toEqual(['asked', 'cancel']);
	});

	test('is cancelled if no call is running', async () => {
		const asked: unknown[] = [];
		const { calls } = callsOf(
			async () => ({}),
			async (question) => {
				asked.push(question);
				return { action: 'accept' };
			},
		);
		expect(await calls.answer({ message: 'Why?' }, new AbortController().signal)).toEqual({
			action: 'cancel',
		});
		expect(asked).toEqual([]);
	});
});
