import { describe, expect, test } from 'vitest';
import { office, toolset } from '../fixtures.ts';
import { inspect, inspecting } from './inspecting.ts';

const details = 'list_tool_details';

describe('list_tool_details', () => {
	test('tells name, description and input schema of one tool, and loads nothing', async () => {
		const session = inspecting();
		const { json } = await inspect(session, details, { server: 'slack', tool_name: 'search' });
		expect(json).toEqual({
			name: 'search',
			description: 'Search what people wrote',
			inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
		});
		expect(session.activated).toEqual([]);
	});

	test.each([
		[{ server: 'slack', tool_name: 'send_mesage' }, "no tool 'send_mesage' on 'slack'", 'slack:send_message'],
		[
			{ server: 'slack', tool_name: 'create_event' },
			"no tool 'create_event' on 'slack'",
			'calendar:create_event',
		],
	])('given %j, then the error names the closest', async (input, message, closest) => {
		const { json, failed } = await inspect(inspecting(), details, input);
		expect(failed).toBe(true);
		expect(json).toMatchObject({
			error: expect.stringContaining(message),
			closest: expect.arrayContaining([closest]),
		});
	});

	test.each([{}, { server: 'slack' }, { server: '', tool_name: 'x' }, { server: 1, tool_name: 'x' }])(
		'given %j, then it says what to give',
		async (input) => {
			expect((await inspect(inspecting(), details, input)).text).toContain("Give 'server' and 'tool_name'");
		},
	);

	test('given a tool that the toolset excludes, then it is not there', async () => {
		const session = inspecting(office, {}, toolset('some', { slack: { exclude: ['search'] } }));
		const { failed, text } = await inspect(session, details, { server: 'slack', tool_name: 'search' });
		expect(failed).toBe(true);
		expect(text).not.toContain('slack:search');
	});
});
