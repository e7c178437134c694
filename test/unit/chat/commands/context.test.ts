import { describe, expect, test } from 'vitest';
import { context } from '../../../../src/chat/commands/context.ts';
import { estimateDefinitionTokens } from '../../../../src/common/tokens.ts';
import { toolDefinition } from '../../../../src/discovery/catalog/catalog.ts';
import type { Loading } from '../../../../src/discovery/catalog/policy.ts';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import {
	begun,
	headTokens,
	office,
	search,
	servers,
	sessionOf,
	surfaceOf,
	tool,
} from '../../discovery/fixtures.ts';

function shown(session: DiscoverySession): string {
	const agents = async () => ({ agents: [], faults: [] });
	const text = context('', { session, toolsets: new Map(), chooseToolset: () => undefined, agents });
	return text.replaceAll('\\', '');
}

/** The row of a table that begins so, as its cells. */
function row(session: DiscoverySession, what: string): string[] | undefined {
	const line = shown(session)
		.split('\n')
		.find((one) => one.startsWith(`| ${what} |`));
	return line?.split('|').map((cell) => cell.trim());
}

describe('the usage measured by the provider', () => {
	test('is shown with cache tokens', () => {
		const session = sessionOf();
		session.measured({ inputTokens: 1000, outputTokens: 20 });
		session.measured({ inputTokens: 3000, outputTokens: 30, cachedInputTokens: 1000 });
		expect(row(session, 'measured by the provider')?.[2]).toBe('tokens');
		expect(row(session, 'input of 2 answers')?.[2]).toBe('4,000');
		expect(row(session, 'input from its cache (25%)')?.[2]).toBe('1,000');
		expect(row(session, 'output')?.[2]).toBe('50');
	});

	test('is missing before the first answer', () => {
		expect(shown(sessionOf())).not.toContain('measured');
		expect(shown(sessionOf())).not.toContain('call,');
	});
});

describe('the cost of a chat', () => {
	test('is shown as the provider reports it, with cache writes and thinking tokens', () => {
		const session = sessionOf();
		const usage = { inputTokens: 1000, outputTokens: 90, cacheWriteTokens: 800, thoughtTokens: 70 };
		session.measured({ ...usage, usd: 0.0123 });
		expect(shown(session)).toContain('Cost so far: **$0.012** for 1 answer, reported by the provider.');
		expect(shown(session)).not.toContain('With every tool loaded');
		expect(row(session, 'input written to its cache')?.[2]).toBe('800');
		expect(row(session, 'output for thinking')?.[2]).toBe('70');
	});

	test('is estimated from the model’s price, next to the cost with every tool loaded', () => {
		const session = sessionOf();
		session.nextRequest();
		session.measured({ inputTokens: 1000, outputTokens: 100 }, { input: 3, output: 15 });
		session.measured({ inputTokens: 1000, outputTokens: 100 });
		expect(shown(session)).toMatch(
			/Cost so far: \*\*≈\$0\.0045\*\* for 1 of 2 answers, calculated from the model’s price\. With every tool loaded: ≈\$0\.00\d+ \(estimated\)\./,
		);
	});

	test('is missing when no price is known', () => {
		const session = sessionOf();
		session.measured({ inputTokens: 1000, outputTokens: 100 });
		expect(shown(session)).not.toMatch(/Cost|\$/);
	});
});

describe('the savings of deferring', () => {
	test('are shown as an estimate after the first request', () => {
		const many = servers({ archive: Array.from({ length: 200 }, (_, i) => `read_the_record_number_${i}`) });
		const session = sessionOf(many);
		expect(shown(session)).not.toContain('Saved so far');
		const every = session.surface.tools.map(toolDefinition).map(estimateDefinitionTokens);
		const saved = 2 * (every.reduce((sum, tokens) => sum + tokens, 0) - headTokens(session));
		session.nextRequest();
		session.nextRequest();
		expect(shown(session)).toContain(
			`Saved so far: ≈${saved.toLocaleString('en')} tokens of definitions in 2 requests`,
		);
	});
});

describe('the number of tools sent', () => {
	async function loaded(loading: Loading): Promise<DiscoverySession> {
		const session = sessionOf(office, { maxActiveSchemas: 2 });
		session.beginTurn({ model: 'm', loading });
		session.nextRequest();
		await search(session, { tool_names: ['send_message', 'create_event'] });
		session.nextRequest();
		return session;
	}

	test.each([
		['append', 3],
		['native', 3],
		['call', 4],
	] as const)('%s: includes schemas in results like those in the tool list', async (loading, tools) => {
		const session = await loaded(loading);
		expect(row(session, 'loaded in this chat')?.[2]).toBe('2');
		expect(row(session, '**sent with each request**')?.[2]).toBe(`${tools}`);
	});

	test('lists an evicted tool separately while it is still sent', async () => {
		const session = await loaded('append');
		session.beginTurn({ model: 'm', loading: 'append' });
		await search(session, { tool_names: ['delete_event'] });
		session.nextRequest();
		expect(row(session, 'unloaded, but sent until the prompt is rebuilt')?.[2]).toBe('1');
		expect(row(session, '**sent with each request**')?.[2]).toBe('4');
	});

	test('lists a tool that is gone there, too, and not by the name that models call it', async () => {
		const session = await loaded('append');
		session.surface = surfaceOf(office.filter(({ name }) => name !== 'calendar'));
		expect(row(session, 'unloaded, but sent until the prompt is rebuilt')?.[2]).toBe('1');
		expect(shown(session)).not.toContain('calendar__');
	});
});

describe('given that servers changed after tools were loaded', () => {
	test('then /context names the changed tools, and the missing ones by the names that people know', async () => {
		const session = begun();
		await search(session, { tool_names: ['create_event', 'send_message'] });
		session.nextRequest();
		expect(shown(session)).not.toMatch(/Reloaded because|Missing until/);
		session.surface = surfaceOf(
			servers({ slack: [tool('slack', 'send_message', 'Send to a person')], calendar: ['create_events'] }),
		);
		expect(shown(session)).toContain('MCP active: 1/24 (slack:send_message)');
		expect(shown(session)).toContain('Reloaded because their servers changed them: slack:send_message');
		expect(shown(session)).toContain('offer them again: calendar:create_event');
		expect(shown(session)).not.toContain('calendar:create_events');
	});

	test('when many tools are loaded, then /context names the first and counts the others', () => {
		const session = sessionOf();
		session.load(session.surface.deferred);
		expect(shown(session)).toMatch(/^MCP active: 6\/24 \((\w+:\w+, ){4}\w+:\w+ and 1 more\)$/m);
	});

	test('searches without a hit are counted separately', async () => {
		const session = sessionOf();
		await search(session, { query: 'send a message' });
		expect(shown(session)).toContain('In this chat: 1 search, 1 tool loaded.');
		await search(session, { query: 'xylophone' });
		expect(shown(session)).toContain('In this chat: 2 searches (1 found nothing), ');
	});
});
