import { describe, expect, test } from 'vitest';
import { userText } from '../../../src/discovery/catalog/message.ts';
import { office, servers, sessionOf, surfaceOf } from '../discovery/fixtures.ts';
import { asks, call, ScriptedModel, says, turn } from './conversation.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}_${i}`);

test('when an answer has only thoughts, then the model is asked to go on, even after servers changed', async () => {
	const session = sessionOf();
	const model = new ScriptedModel([
		() => {
			session.surface = surfaceOf([...office, ...servers({ mail: ['send_mail'] })]);
			return [{ type: 'thinking', text: 'Hm.' }];
		},
		says('Done.'),
	]);
	await turn(model, { session });
	const last = model.requests[1]?.messages.at(-1);
	if (last?.role !== 'user') throw new Error('the model was asked to go on');
	expect(userText(last)).toContain('only thoughts');
	expect(userText(last)).toContain('New servers: mail');
});

describe('a called tool stays loaded for the rest of the turn', () => {
	test.each([
		['a search for all 70 tools of its server', { shop: names('tool', 70) }, 0],
		['a search for 40 others, with 40 always loaded', { own: ['tool_69'], shop: names('tool', 40) }, 40],
	])('despite %s', async (_, listed, always) => {
		const eager = servers({ always: names('eager', always) });
		const all = [...servers(listed), ...eager];
		const session = sessionOf(all, { maxActiveSchemas: null, maxRequestTools: 64 });
		const { servers: configured } = session.surface.policy;
		const policies = new Map(
			[...configured].map(([name, one]) => [name, { ...one, pinned: name === 'always' }]),
		);
		session.surface = surfaceOf(all, { maxActiveSchemas: null, maxRequestTools: 64, servers: policies });
		const wireName = `${Object.keys(listed)[0]}__tool_69`;
		const model = new ScriptedModel([
			asks(call('search_tools', { tool_names: [wireName] })),
			asks(call(wireName)),
			asks(call('search_tools', { server_name: 'shop' })),
			asks(call(wireName)),
			says('Done.'),
		]);
		const { events } = await turn(model, { session });
		const sent = model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
		expect(sent).toContain(wireName);
		expect(sent).toHaveLength(64);
		const failed = events.filter((event) => event.type === 'toolFinished' && event.result.isError);
		expect(failed).toEqual([]);
	});
});
