import { type ChaosConfig, LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test } from 'vitest';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { createModel } from '../../../../src/models/createModel.ts';
import { ModelError, type ModelErrorReason } from '../../../../src/models/modelError.ts';
import type { Endpoint } from '../../../../src/models/provider.ts';
import { endpointAt } from '../../../providers/loopback.ts';
import { turn } from '../../../unit/chat/conversation.ts';
import { sessionOf, tool } from '../../../unit/discovery/fixtures.ts';

/** What goes wrong with the answer to the second request: that which carries the result of a call. */
interface Fault {
	readonly chaos?: ChaosConfig;
	readonly truncateAfterChunks?: number;
	/** Milliseconds between pieces, so that those before the fault arrive. */
	readonly latency?: number;
	/** The answer is a call, and not a text. */
	readonly calls?: true;
}

const kinds: readonly {
	readonly name: string;
	readonly provider: Endpoint['provider'];
	readonly path: string;
	readonly model: string;
	readonly api?: 'chat' | 'responses';
}[] = [
	{ name: 'OpenAI, chat completions', provider: 'openai', path: '/v1', model: 'gpt-4.1', api: 'chat' },
	{ name: 'OpenAI, responses', provider: 'openai', path: '/v1', model: 'gpt-4.1', api: 'responses' },
	{ name: 'Anthropic', provider: 'anthropic', path: '', model: 'claude-opus-4-6' },
	{ name: 'Ollama', provider: 'ollama', path: '', model: 'qwen3:8b' },
];

const mocks: LLMock[] = [];
afterEach(async () => {
	for (const mock of mocks.splice(0)) await mock.stop();
});

/** A chat whose model calls `notes:append`, and whose provider fails once that has run. */
async function chatWith(kind: (typeof kinds)[number], { calls, ...fault }: Fault) {
	const mock = new LLMock({ port: 0, logLevel: 'silent' });
	mocks.push(mock);
	const asked = () => mock.getRequests().filter(({ path }) => !path.endsWith('/show')).length;
	const append = (text: string) => ({
		toolCalls: [
			{
				id: `call_${text}`,
				name: 'notes__append',
				arguments: JSON.stringify({ text: `${text} `.repeat(20) }),
			},
		],
	});
	mock.on({ predicate: () => asked() === 0 }, append('first'));
	mock.on(
		{ predicate: () => asked() === 1 },
		calls ? append('second') : { content: 'It is noted, and here is more to say of it.' },
		{ chunkSize: 5, ...fault },
	);
	mock.on({ predicate: () => true }, { content: 'Done.' });
	await mock.start();
	const endpoint = endpointAt(`${mock.url}${kind.path}`, kind.provider);
	const settings = { id: 'm', name: 'M', images: false, contextTokens: 32_768, maxOutputTokens: 1024 };
	const model = await createModel(
		{ ...settings, model: kind.model, ...(kind.api && { api: kind.api }) },
		endpoint,
	);
	const ran: string[] = [];
	const { events, end } = await turn(model, {
		session: sessionOf(
			[{ name: 'notes', tools: [tool('notes', 'append', 'Adds a note', { text: 'string!' })] }],
			{ enabled: false },
		),
		runTool: async (_tool, { input }) => {
			ran.push(String(input.text).split(' ')[0] ?? '');
			return textResult('Added.');
		},
	});
	const retries = events.filter(({ type }) => type === 'retrying').length;
	const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
	return { ran, end, retries, said, asked: asked() };
}

describe.each(kinds)('$name fails after a tool has run', (kind) => {
	test.each<[string, Fault]>([
		['with a 500', { chaos: { dropRate: 1 } }],
		['with a 429', { chaos: { rateLimitRate: 1 } }],
		['by hanging up', { chaos: { disconnectRate: 1 } }],
	])(
		'%s: the request is retried, and the tool is not run again',
		async (_what, fault) => {
			const { ran, end, retries, said, asked } = await chatWith(kind, fault);
			expect({ ran, end: end?.reason, retries, said, asked }).toEqual({
				ran: ['first'],
				end: 'answered',
				retries: 1,
				said: 'Done.',
				asked: 3,
			});
		},
		20_000,
	);

	test.each<[string, Fault, ModelErrorReason]>([
		['in the middle of a text', { truncateAfterChunks: 6, latency: 20 }, 'cut'],
		['with what is no answer', { chaos: { malformedRate: 1 } }, 'malformed'],
	])(
		'%s: the text so far stays, the failure is shown, and nothing is run again',
		async (_what, fault, reason) => {
			const { ran, end, retries, asked } = await chatWith(kind, fault);
			expect({ ran, retries, asked }).toEqual({ ran: ['first'], retries: 0, asked: 2 });
			const error = end?.reason === 'failed' ? end.error : undefined;
			expect(error).toBeInstanceOf(ModelError);
			expect(error).toMatchObject({ reason });
			const message = error instanceof Error ? error.message : '';
			expect(message).toMatch(/^\S.{20,600}$/);
			expect(message).not.toMatch(/<\/?\w|sk-test/);
		},
	);
});

// Ollama sends a call in one piece: there is no middle.
test.each(kinds.filter(({ provider }) => provider !== 'ollama'))(
	'when $name fails in the middle of a call, then no call with partial arguments is made',
	async (kind) => {
		const { ran, end } = await chatWith(kind, { calls: true, truncateAfterChunks: 6, latency: 20 });
		expect(ran).toEqual(['first']);
		expect(['answered', 'failed']).toContain(end?.reason);
	},
	20_000,
);
