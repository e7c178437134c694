import { describe, expect, test } from 'vitest';
import type { ContextReport } from '../../../../../src/discovery/report.ts';
import {
	mostRequests,
	mostServers,
	requestBars,
	serverBars,
} from '../../../../../src/vscode/context/page/figures.ts';
import { happened, load, request, turn } from '../happenings.ts';

const nothing = { tools: 0, tokens: 0 };

function costs(synthetic: number): ContextReport['costs'] {
	return {
		always: nothing,
		active: nothing,
		syntheticNames: synthetic > 0 ? ['search_tools'] : [],
		synthetic: { tools: 1, tokens: synthetic },
		lingering: nothing,
		sent: nothing,
		everything: nothing,
		manifest: 0,
	};
}

function fleet(count: number): ContextReport['servers'] {
	return Array.from({ length: count }, (_, i) => ({
		server: `s${i}`,
		loaded: { tools: 1, tokens: 10 },
		deferred: { tools: 2, tokens: 100 - i },
	}));
}

describe('the bars of servers', () => {
	test('show one bar per server, and one for Discovery’s own tools', () => {
		expect(serverBars({ servers: fleet(2), costs: costs(363) })).toEqual([
			{ label: 's0', loaded: 10, deferred: 100 },
			{ label: 's1', loaded: 10, deferred: 99 },
			{ label: 'search_tools', loaded: 363, deferred: 0 },
		]);
	});

	test('combine the servers beyond the limit into one bar', () => {
		const bars = serverBars({ servers: fleet(mostServers + 3), costs: costs(0) });
		expect(bars).toHaveLength(mostServers + 1);
		expect(bars.at(-1)).toEqual({ label: '3 more servers', loaded: 30, deferred: 88 + 87 + 86 });
	});

	test('do not combine a single server beyond the limit', () => {
		const bars = serverBars({ servers: fleet(mostServers + 1), costs: costs(0) });
		expect(bars.at(-1)?.label).toBe(`s${mostServers}`);
	});
});

describe('the bars of requests', () => {
	test('show sent and saved tokens, and the tools loaded before each request', () => {
		const timeline = happened(turn('read'), request(1000), load('files:read', 'files:list'), request(1500));
		expect(requestBars(timeline, 2)).toEqual({
			bars: [
				{ number: 1, sent: 1000, saved: 9000, loaded: [] },
				{ number: 2, sent: 1500, saved: 8500, loaded: ['files:read', 'files:list'] },
			],
			earlier: 0,
			toScale: true,
		});
	});

	test('show no saving if sending every tool would cost less than searching', () => {
		expect(requestBars(happened(request(12_000)), 1).bars[0]).toMatchObject({ sent: 12_000, saved: 0 });
	});

	test('show the latest requests, numbered as in the chat', () => {
		const timeline = happened(...Array.from({ length: mostRequests + 5 }, () => request(1000)));
		const { bars, earlier } = requestBars(timeline, mostRequests + 105);
		expect(bars).toHaveLength(mostRequests);
		expect(earlier).toBe(105);
		expect([bars[0]?.number, bars.at(-1)?.number]).toEqual([106, mostRequests + 105]);
	});

	test('leave out saved tokens that would make the sent ones invisible', () => {
		expect(requestBars(happened(request(401), request(20)), 2).toScale).toBe(true);
		expect(requestBars(happened(request(399)), 1).toScale).toBe(false);
	});
});
