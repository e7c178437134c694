import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Loading } from '../../../../src/discovery/catalog/policy.ts';
import { turn } from '../../../unit/chat/conversation.ts';
import { realServers } from '../realServers.ts';
import { providers, responsesWithToolSearch, type ScriptedRound, type StartProvider } from './providers.ts';
import { wireTranscript } from './wireTranscript.ts';

const servers = realServers();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** Besides `append`. To a provider, what is called through another tool is a call like any other: one shows it. */
const loadings: Readonly<Record<string, Loading>> = { 'openai-chat': 'call', anthropic: 'native' };
const cases: readonly (readonly [name: string, loading: Loading, start: StartProvider])[] = [
	...Object.entries(providers).flatMap(([name, start]) =>
		['append' as const, ...[loadings[name] ?? []].flat()].map((loading) => [name, loading, start] as const),
	),
	['openai-responses', 'native', responsesWithToolSearch],
];

/** Search, load, call two tools at once, answer. */
function script(loading: Loading, path: string): ScriptedRound[] {
	const call = (name: string, input: object) =>
		loading === 'call' ? { name: 'call_tool', input: { name, arguments: input } } : { name, input };
	return [
		{ calls: [{ name: 'search_tools', input: { tool_names: ['files:write_file', 'everything:get-sum'] } }] },
		{
			calls: [
				call('files__write_file', { path, content: 'Grüße 🌍' }),
				call('everything__get-sum', { a: 2, b: 40 }),
			],
		},
		{ text: 'I wrote the file; the sum is 42.' },
	];
}

describe('the model searches, loads, calls and answers, over HTTP and with real MCP servers', () => {
	test.each(cases)('%s, %s', async (name, loading, start) => {
		const folder = servers.folder();
		const path = `${folder}/hello.txt`;
		const provider = await start(script(loading, path), (end) => ends.push(end));
		const { session, runTool } = servers.chat({ loading });

		const { events, end } = await turn(provider.model, { session, runTool });

		expect(end).toMatchObject({ reason: 'answered' });
		expect(readFileSync(path, 'utf8')).toBe('Grüße 🌍');
		const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
		expect(said).toBe('I wrote the file; the sum is 42.');
		expect(session.log.usage.measuredAnswers).toBe(3);
		expect(new Set(session.log.usage.calls.map(({ tool }) => tool))).toEqual(
			new Set(['write_file', 'get-sum']),
		);
		await expect(wireTranscript(provider.requests, { [folder]: 'FOLDER' })).toMatchFileSnapshot(
			`transcripts/${name}-${loading}.txt`,
		);
	});
});
