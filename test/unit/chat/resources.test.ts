import { describe, expect, test } from 'vitest';
import type { CallConcern } from '../../../src/chat/callConcern.ts';
import type { ToolRunner } from '../../../src/chat/loopOptions.ts';
import { isResourceReader } from '../../../src/chat/resources.ts';
import { ReadTexts } from '../../../src/chat/results/readTexts.ts';
import { resultText, textResult } from '../../../src/discovery/catalog/tool.ts';
import { resourceResult } from '../../../src/mcp/callResult.ts';
import { keptLog, sessionOf, surfaceOf, toolset } from '../discovery/fixtures.ts';
import { asks, call, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const uri = 'note://1';
const find = () => call('search_tools', { tool_names: ['send_message', 'create_event'] });
const read = (server = 'slack', address = uri) => call('read_resource', { server, uri: address });

/** A chat whose calls are written down; `slack` links to resources. */
function chat(loading: 'append' | 'call' = 'append') {
	const session = sessionOf(undefined, { loading });
	const made: { tool: string; input: unknown; reads: boolean }[] = [];
	const runTool: ToolRunner = async (tool, { input }) => {
		made.push({ tool: tool.id, input, reads: isResourceReader(tool) });
		return textResult('A link.');
	};
	return {
		session,
		runTool,
		made,
		hasLinks: (server: string) => server === 'slack',
		reads: { texts: new ReadTexts(), chat: 'a' },
	};
}

describe('a result with a resource link', () => {
	test('appends read_resource to the tool list and leaves everything before it unchanged', async () => {
		const model = new ScriptedModel([
			asks(find()),
			asks(call('calendar__create_event')),
			asks(call('slack__send_message')),
			asks(read()),
			says('Read.'),
		]);
		const { made, ...parts } = chat();
		await turn(model, parts);
		const names = model.requests.map(({ tools }) => tools.map(({ name }) => name));
		expect(names[2]).not.toContain('read_resource');
		expect(names[3]).toEqual([...(names[2] ?? []), 'read_resource']);
		expect(model.requests[3]?.tools.slice(0, -1)).toEqual(model.requests[2]?.tools);
		expect(model.requests[4]?.tools).toEqual(model.requests[3]?.tools);
		expect(made.at(-1)).toEqual({ tool: 'slack:read_resource', input: { uri }, reads: true });
		const texts = model.requests[3]?.messages.at(-1);
		expect(JSON.stringify(texts)).toContain('To read what it links to, use read_resource');
		expect(JSON.stringify(model.requests[4]?.messages)).not.toContain('no longer available');
	});

	test('is noted once, however many links there are', async () => {
		const model = new ScriptedModel([
			asks(find()),
			asks(call('slack__send_message')),
			asks(call('slack__send_message')),
			says('Done.'),
		]);
		await turn(model, chat());
		const told = JSON.stringify(model.requests.at(-1)?.messages).match(/To read what it links to/g);
		expect(told).toHaveLength(1);
	});

	test('is read through call_tool when the tool list must not change', async () => {
		const wrapped = call('call_tool', { name: 'read_resource', arguments: { server: 'slack', uri } });
		const sent = call('call_tool', { name: 'slack__send_message', arguments: { channel: 'a', text: 'b' } });
		const model = new ScriptedModel([asks(find()), asks(sent), asks(wrapped), says('Read.')]);
		const { made, ...parts } = chat('call');
		await turn(model, parts);
		expect(model.requests.map(({ tools }) => tools)).toEqual(Array(4).fill(model.requests[0]?.tools));
		expect(made.at(-1)).toEqual({ tool: 'slack:read_resource', input: { uri }, reads: true });
	});

	test('still offers read_resource in another window', async () => {
		const { session, ...parts } = chat();
		await turn(new ScriptedModel([asks(find()), asks(call('slack__send_message')), says('.')]), {
			session,
			...parts,
		});
		const later = sessionOf(undefined, {}, keptLog(session));
		const model = new ScriptedModel([asks(read()), says('Read.')]);
		const { made, ...others } = chat();
		await turn(model, { ...others, session: later });
		expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('read_resource');
		expect(made).toHaveLength(1);
	});
});

describe('read_resource', () => {
	test('is not offered before a result has linked to a resource', async () => {
		const model = new ScriptedModel([asks(read()), says('.')]);
		const { made, ...parts } = chat();
		await turn(model, parts);
		expect(lastTexts(model)[0]).toContain("There is no tool 'read_resource'");
		expect(made).toEqual([]);
	});

	test('reads only from servers in the chat’s toolset, and names them in errors', async () => {
		const { session, made, ...parts } = chat();
		session.surface = surfaceOf(undefined, {}, toolset('talk', { slack: true }));
		const model = new ScriptedModel([
			asks(call('search_tools', { tool_names: ['send_message'] })),
			asks(call('slack__send_message')),
			asks(read('calendar'), call('read_resource', { server: 'slack' }), call('read_resource')),
			says('.'),
		]);
		await turn(model, { session, ...parts });
		expect(made).toHaveLength(1);
		expect(lastTexts(model).map((text) => text.split('.')[0])).toEqual([
			"Error: Unknown server 'calendar'",
			"Error: Provide 'uri', the address of the resource",
			"Error: Provide 'server', the name of the server",
		]);
		expect(lastTexts(model)[0]).not.toContain('calendar:');
	});

	test('reports the data flow when the URI has text of another server', async () => {
		const secret = 'the code of the alarm is 4711 and nobody knows';
		const { session, hasLinks, reads } = chat();
		const flows: (readonly CallConcern[])[] = [];
		const runTool: ToolRunner = async (tool, _call, { concerns: its }) => {
			flows.push(its);
			return textResult(tool.server === 'calendar' ? secret : 'A link.');
		};
		const model = new ScriptedModel([
			asks(find()),
			asks(call('slack__send_message')),
			asks(call('calendar__create_event')),
			asks(read('slack', `note://${secret}`)),
			says('.'),
		]);
		await turn(model, { session, hasLinks, reads, runTool });
		expect(flows.at(-1)).toMatchObject([{ server: 'calendar' }]);
	});
});

test('a resource’s text and images become a result, text blobs are decoded, and other blobs are files', () => {
	const bytes = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
	const result = resourceResult([
		{ uri, text: 'Plain.' },
		{ uri, mimeType: 'text/plain', blob: bytes('Grüße') },
		{ uri, mimeType: 'text/plain', blob: bytes(new Uint8Array([0xff, 0xfe, 0x00])) },
		{ uri, mimeType: 'image/png', blob: 'iVBO' },
		{ uri, mimeType: 'application/zip', blob: 'UEsD' },
	]);
	expect(resultText(result).split('\n')).toEqual([
		'Plain.',
		'Grüße',
		'[file 1, text/plain, 3 bytes. You cannot read it, but the user can open and save it.]',
		'[image image/png]',
		'[file 1, application/zip, 3 bytes. You cannot read it, but the user can open and save it.]',
	]);
});
