import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultPolicy, placement } from '../../../../src/discovery/catalog/policy.ts';
import { proposalsFor } from '../../../../src/discovery/habits/rules.ts';
import { runs } from '../../../effort.ts';
import { servers, tool } from '../../../unit/discovery/fixtures.ts';
import { called, chat } from '../../../unit/discovery/habits/chats.ts';

const serverNames = ['one', 'two', 'three'];
const toolNames = ['alpha', 'bravo', 'charlie'];
const all = servers(
	Object.fromEntries(
		serverNames.map((server) => [server, toolNames.map((name) => tool(server, name, 'word '.repeat(450)))]),
	),
);
const ids = serverNames.flatMap((server) => toolNames.map((name) => `${server}:${name}`));

const anyChats = fc.array(
	fc.record({
		calls: fc.array(
			fc
				.tuple(fc.constantFrom(...serverNames), fc.constantFrom(...toolNames))
				.map(([server, name]) => called(server, name)),
			{ maxLength: 4 },
		),
		servers: fc.subarray(serverNames),
		always: fc.subarray(serverNames),
		pinned: fc.subarray(ids),
	}),
	{ minLength: 8, maxLength: 50 },
);
const anyServer = fc.record({
	deferLoading: fc.boolean(),
	pinned: fc.oneof(fc.boolean(), fc.subarray(toolNames)),
	tools: fc.constant(new Map()),
});

test('whatever happened in chats, suggestions are few, new, possible and consistent', () => {
	let made = 0;
	fc.assert(
		fc.property(anyChats, fc.tuple(anyServer, anyServer, anyServer), fc.boolean(), (facts, set, often) => {
			const policy = {
				...defaultPolicy,
				enabled: true,
				servers: new Map(serverNames.map((name, i) => [name, set[i] ?? set[0]])),
			};
			const steady = facts.map((one) =>
				often ? { ...one, always: serverNames, pinned: ids, calls: facts[0]?.calls ?? [] } : one,
			);
			const habits = { chats: steady.map((one, n) => chat(n, one)) };
			const { tools } = new Catalog(all, 1);
			const suggestions = proposalsFor({ habits, tools, policy });
			made += suggestions.length;
			expect(suggestions.length).toBeLessThanOrEqual(5);
			expect(new Set(suggestions.map(({ id }) => id)).size).toBe(suggestions.length);
			for (const { kind, server, tool: name } of suggestions) {
				const its = tools.filter((one) => one.server === server && (name === undefined || one.name === name));
				const places = its.map((one) => placement(one, policy));
				expect(places).not.toEqual([]);
				expect(places.some((place) => (kind === 'pin' ? place === 'deferred' : place !== 'deferred'))).toBe(
					true,
				);
				const others = suggestions.filter((one) => one.server === server);
				expect(new Set(others.map((one) => one.kind)).size).toBe(1);
				if (name === undefined) expect(others).toHaveLength(1);
			}
			expect(proposalsFor({ habits, tools: tools.toReversed(), policy })).toEqual(suggestions);
		}),
		{ numRuns: runs(60) },
	);
	expect(made).toBeGreaterThan(10);
});
