import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import { createModel } from '../../../src/models/createModel.ts';
import type { Endpoint } from '../../../src/models/provider.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { office, sessionOf } from '../../unit/discovery/fixtures.ts';
import { boundClaude } from './boundClaude.ts';
import { responses } from './responses.ts';
import { type Protocol, type Said, StrictEndpoint } from './strictEndpoint.ts';

const search = (name: string) => ({ name: 'search_tools', input: { tool_names: [name] } });
const send = { name: 'slack__send_message', input: { channel: '#a', text: 'x' } };
const create = { name: 'calendar__create_event', input: { title: 'x', start: '10:00' } };

/** Ten turns, of which five load a tool or call one that was loaded. */
const script: readonly (readonly Said[])[] = [
	[
		{ thought: 'Search.', calls: [search('slack:send_message')] },
		{ thought: 'Use it.', calls: [send] },
		{ thought: 'Done.', text: 'Sent.' },
	],
	[{ thought: 'Easy.', text: 'Yes.' }],
	[
		{ thought: 'Search.', calls: [search('calendar:create_event')] },
		{ thought: 'Use it.', calls: [create] },
		{ text: 'Made.' },
	],
	[{ thought: 'Both.', calls: [send, create] }, { text: 'Both.' }],
	[
		{ thought: 'Search.', calls: [search('slack:search')] },
		{ thought: 'No.', text: 'Nothing.' },
	],
	...Array.from({ length: 5 }, (_, i): Said[] => [{ thought: 'Easy.', text: `Yes ${i}.` }]),
];

async function tenTurns(
	protocol: Protocol<never, never>,
	endpoint: Endpoint,
	model: string,
	loading: Loading | 'auto',
) {
	const session = sessionOf(office, { loading, prefetch: 0, onUndiscoveredCall: 'activate' });
	const made = await createModel(
		{ id: 'm', name: 'M', model, ...(protocol.path === '/v1' && { api: 'responses' as const }) },
		endpoint,
	);
	const events: LoopEvent[] = [];
	for (const i of script.keys()) {
		const told = await turn(made, {
			session,
			messages: [...session.log.messages, { role: 'user', text: `Question ${i}?` }],
		});
		events.push(...told.events);
		expect(told.end).toEqual({ type: 'end', reason: 'answered' });
	}
	return { events, loadings: made.loadings };
}

describe('ten turns with a Claude whose thoughts are bound to what came before', () => {
	test.each(['claude-fable-5-1', 'anthropic/claude-sonnet-5.5'])('%s refuses nothing', async (model) => {
		const protocol = boundClaude();
		await using strict = await StrictEndpoint.start(protocol, callsWrapped());
		await tenTurns(protocol as never, strict.endpoint, model, 'auto');
		expect(strict.refused).toEqual([]);
	});

	test.each(['claude-fable-5-1', 'house-model'])(
		'%s with tools that are appended loses thoughts, and no turn',
		async (model) => {
			const protocol = boundClaude();
			await using strict = await StrictEndpoint.start(protocol, script.flat());
			const { events, loadings } = await tenTurns(protocol as never, strict.endpoint, model, 'append');
			expect(strict.refused.length).toBeLessThanOrEqual(3);
			const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
			expect(notices).toHaveLength(strict.refused.length);
			expect(notices.join()).not.toContain('account');
			// From then on, loads do not change the tools.
			expect(loadings[0]).toBe('call');
		},
	);
});

describe('ten turns with OpenAI’s own tool search', () => {
	test('every call has its namespace', async () => {
		await using strict = await StrictEndpoint.start(responses, script.flat());
		await tenTurns(responses as never, strict.endpoint, 'gpt-5.4', 'native');
		expect(strict.refused).toEqual([]);
	});

	test('a chat that another model began, and thoughts that are refused, leave the namespaces', async () => {
		await using before = await StrictEndpoint.start(responses, script.flat().slice(0, 3));
		await using after = await StrictEndpoint.start(responses, [...script.flat().slice(3)]);
		const session = sessionOf(office, { loading: 'native', prefetch: 0 });
		const ask = async (strict: typeof before, text: string) => {
			const model = await createModel(
				{ id: 'm', name: 'M', model: 'gpt-5.4', api: 'responses' },
				strict.endpoint,
			);
			const { end } = await turn(model, {
				session,
				messages: [...session.log.messages, { role: 'user', text }],
			});
			expect(end).toEqual({ type: 'end', reason: 'answered' });
		};
		await ask(before, 'Send it.');
		await ask(after, 'Again?');
		after.forget();
		await ask(after, 'And an event.');
		expect(after.refused.filter((one) => one.includes('namespace'))).toEqual([]);
	});
});

/** The script for a model that calls loaded tools through \`call_tool\`. */
function callsWrapped(): Said[] {
	return script.flat().map(({ calls, ...said }) => ({
		...said,
		...(calls && {
			calls: calls.map((call) =>
				call.name === 'search_tools'
					? call
					: { name: 'call_tool', input: { name: call.name, arguments: call.input } },
			),
		}),
	}));
}
