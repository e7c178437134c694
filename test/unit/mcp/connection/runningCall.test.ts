import { describe, expect, onTestFinished, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';
import type { CallOptions } from '../../../../src/mcp/connection/connectOptions.ts';
import type { AskUser } from '../../../../src/mcp/connection/questions.ts';
import { RunningCall } from '../../../../src/mcp/connection/runningCall.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';

type Request = (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** A call to a server that gives these answers. */
function callTo(request: Request, ask?: AskUser, limits: Partial<typeof defaultLimits> = {}) {
	const log: string[] = [];
	const call = (options: CallOptions = {}) => {
		const surroundings = {
			server: 'files',
			limits: { ...defaultLimits, ...limits },
			redactor: new Redactor(),
			ask,
			onLog: (_level: string, line: string) => void log.push(line),
		};
		const running = new RunningCall('Tool "add"', surroundings, options);
		onTestFinished(() => running.dispose());
		return running.run(request);
	};
	return { call, log };
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
		const { call, log } = callTo(
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
		const { call } = callTo(
			async ({ inputResponses }) => (inputResponses ? { content: [] } : asks({ why: elicitation })),
			() => new Promise((resolve) => setTimeout(() => resolve({ action: 'cancel' }), 600)),
			{ callIdleMs: 300, callTotalMs: 400 },
		);
		expect(await call()).toEqual({ content: [] });
	});

	test('fails if the server asks too much at once', async () => {
		const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [String(i), elicitation]));
		const { call } = callTo(
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
		const { call } = callTo(refuse, async ({ question }) => {
			asked.push(question);
			return { action: 'accept' };
		});
		await expect(call()).rejects.toMatchObject({ reason: 'request-refused', message: /call it again/ });
		expect(asked).toEqual([{ kind: 'address', message: 'Pay first', url: 'https://pay.example/1' }]);
	});

	test('fails if the user declines or nobody can be asked', async () => {
		const no = callTo(refuse, async () => ({ action: 'decline' }));
		await expect(no.call()).rejects.toMatchObject({ reason: 'question-refused' });
		await expect(callTo(refuse).call()).rejects.toMatchObject({ code: -32_042 });
	});
});
