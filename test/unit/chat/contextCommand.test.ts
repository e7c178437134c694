import { describe, expect, test } from 'vitest';
import { context } from '../../../src/chat/slashCommands/context.ts';
import type { DiscoverySession } from '../../../src/discovery/discoverySession.ts';
import type { Loading } from '../../../src/discovery/policy.ts';
import { office, search, sessionOf } from '../discovery/fixtures.ts';

function shown(session: DiscoverySession): string {
	const text = context('', { session, toolsets: new Map(), chooseToolset: () => undefined });
	return text.replaceAll('\\', '');
}

/** The row of a table that begins so, as its cells. */
function row(session: DiscoverySession, what: string): string[] | undefined {
	const line = shown(session)
		.split('\n')
		.find((one) => one.startsWith(`| ${what} |`));
	return line?.split('|').map((cell) => cell.trim());
}

describe('what providers have measured', () => {
	test('is told with what came from their cache, and calls by server and tool', () => {
		const session = sessionOf();
		session.recordAnswer({ inputTokens: 1000, outputTokens: 20 });
		session.recordAnswer({ inputTokens: 3000, outputTokens: 30, cachedInputTokens: 1000 });
		const [first, second, , other] = session.surface.tools;
		for (const tool of [first, second, first, other]) if (tool) session.recordCall(tool);

		expect(shown(session)).toContain(
			'Measured by the provider, over 2 answers: 4,000 tokens in, 1,000 of them from its cache (25 %), 50 tokens out.',
		);
		expect(shown(session)).toContain('| slack | 3 | send_message 2, list_channels 1 |');
		expect(shown(session)).toContain('| calendar | 1 | create_event 1 |');
	});

	test('is not mentioned before there is any', () => {
		expect(shown(sessionOf())).not.toContain('Measured');
		expect(shown(sessionOf())).not.toContain('| server |');
	});
});

describe('what is sent', () => {
	async function loaded(loading: Loading): Promise<DiscoverySession> {
		const session = sessionOf(office, { maxActiveSchemas: 2 });
		session.beginTurn({ model: 'm', loading });
		session.nextPrompt();
		const { newlyLoaded } = await search(session, { tool_names: ['send_message', 'create_event'] });
		session.nextPrompt(new Set(newlyLoaded));
		return session;
	}

	test.each([
		['append', 'at the end of the tools', 3],
		['native', 'as the provider defers tools itself', 3],
		['call', 'called through call_tool', 4],
	] as const)('%s: schemas in results count as those among the tools do', async (loading, words, tools) => {
		const session = await loaded(loading);
		expect(shown(session)).toContain(words);
		expect(row(session, 'loaded in this chat')?.[2]).toBe('2');
		expect(row(session, '**sent with each call**')?.[2]).toBe(`${tools}`);
	});

	test('a tool that was evicted is told apart for as long as it is sent', async () => {
		const session = await loaded('append');
		session.beginTurn({ model: 'm', loading: 'append' });
		await search(session, { tool_names: ['delete_event'] });
		session.nextPrompt();
		expect(row(session, 'unloaded, but sent until the prompt begins anew')?.[2]).toBe('1');
		expect(row(session, '**sent with each call**')?.[2]).toBe('4');
	});
});
