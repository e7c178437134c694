import { expect, test } from 'vitest';
import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import { textResult } from '../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../src/models/answerParts.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { messageOf } from './asGiven.ts';
import { succeedingAnswer } from './loopback.ts';
import { chatCompletions } from './strict/chatCompletions.ts';
import { messages } from './strict/messages.ts';
import { responses } from './strict/responses.ts';
import { type Protocol, type Said, StrictEndpoint } from './strict/strictEndpoint.ts';

const call: Said = { thought: 'Hm.', calls: [{ name: 'a__b', input: {} }] };
const script: readonly Said[] = [call, { text: 'ok' }, call, { text: 'ok' }];
const gemini = chatCompletions('gemini');
const tools = [{ name: 'a__b', description: 'Does it.', inputSchema: { type: 'object' } }];

// biome-ignore lint/suspicious/noExplicitAny: each protocol has a body and answers of its own.
test.each<[string, Protocol<any, any>, Partial<ModelSettings>]>([
	['Responses', responses, { model: 'gpt-5', api: 'responses' }],
	['Anthropic', messages, { model: 'claude-opus-4-6' }],
	['Gemini', gemini, { model: 'gemini-3-pro' }],
	['Gemini behind a gateway', { ...gemini, refusal: (error) => ({ error }) }, { model: 'gemini-3' }],
	// https://github.com/decolua/9router/issues/301
	[
		'Vertex',
		{ ...gemini, refusal: () => ({ error: 'Thought signature is not valid' }) },
		{ model: 'gemini-3' },
	],
])(
	'%s: thoughts of another account are left out, the user is told once, and new ones come back',
	async (_, protocol, settings) => {
		await using strict = await StrictEndpoint.start(protocol, script);
		const model = await createModel({ id: 'm', name: 'M', model: 'm', ...settings }, strict.endpoint);
		const said: ChatMessage[] = [];
		/** The next answer, whose calls are carried out, and how many notices the user got. */
		const answer = async () => {
			const { events, parts } = await succeedingAnswer(model, { system: '', messages: said, tools });
			const message = messageOf(parts);
			const results = callsOf(message.parts).map(({ id }) => ({ callId: id, result: textResult('done') }));
			said.push(message, ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []));
			return events.filter(({ type }) => type === 'notice').length;
		};
		const lastBody = () => JSON.stringify(strict.requests.at(-1)?.body);
		said.push({ role: 'user', text: 'go' });
		expect(await answer()).toBe(0);
		expect(await answer()).toBe(0);
		expect(lastBody()).toMatch(/(?:sealed|signed|signature)-1/);

		strict.forget();
		said.push({ role: 'user', text: 'go' });
		expect(await answer()).toBe(1);
		expect(strict.refused).toHaveLength(1);
		expect(lastBody()).not.toMatch(/(?:sealed|signed|signature)-1/);

		expect(await answer()).toBe(0);
		expect(strict.refused).toHaveLength(1);
		expect(lastBody()).not.toMatch(/(?:sealed|signed|signature)-1/);
		expect(lastBody()).toMatch(/(?:sealed|signed|signature)-3/);
	},
);
