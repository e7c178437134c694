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
			redactor: new Redactor(),
			ask,
			onLog: (_level, line) => log.push(line),
		},
		{
			request: (_method, params) => request(params),
			withoutSecrets: (said) => said,
			failure: async (error) =>
				error instanceof ServerError ? error : new ServerError('files', 'protocol', String(error)),
		},
	);
	const call = (options: CallOptions = {}) =>
		calls.run({ label: 'Tool "add"', method: 'tools/call', params: {}, headers: {} }, options);
	return { calls, call, log };
}

const elicitation = { method: 'elicitation/create', params: { message: 'Why?' } };
const asks = (inputRequests: object) => ({ resultType: 'input_required', inputRequests });

describe('a call whose server asks', () => {
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

	test('stops its clock while the user answers', async () => {
		const { call } = callsOf(
			async ({ inputResponses }) => (inputResponses ? { content: [] } : asks({ why: elicitation })),
			() => new Promise((resolve) => setTimeout(() => resolve({ action: 'cancel' }), 600)),
			{ callIdleMs: 300, callTotalMs: 400 },
		);
		expect(await call()).toEqual({ content: [] });
	});

	test('fails if the server asks too much at once', async () => {
		const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [String(i), elicitation]));
		const { call } = callsOf(
			async () => asks(many),
			async () => ({ action: 'accept' }),
		);
		await expect(call()).rejects.toMatchObject({ reason: 'question-refused' });
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
