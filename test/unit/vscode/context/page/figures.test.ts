import { describe, expect, test } from 'vitest';
import type { ContextReport } from '../../../../../src/discovery/report.ts';
import { maxServers, serverBars } from '../../../../../src/vscode/context/page/figures.ts';

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
		const bars = serverBars({ servers: fleet(maxServers + 3), costs: costs(0) });
		expect(bars).toHaveLength(maxServers + 1);
		expect(bars.at(-1)).toEqual({ label: '3 more servers', loaded: 30, deferred: 88 + 87 + 86 });
	});

	test('do not combine a single server beyond the limit', () => {
		const bars = serverBars({ servers: fleet(maxServers + 1), costs: costs(0) });
		expect(bars.at(-1)?.label).toBe(`s${maxServers}`);
	});
});
