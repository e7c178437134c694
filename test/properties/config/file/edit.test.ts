import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../../src/config/config.ts';
import { deferServer, deferTool, pinServer, pinTool } from '../../../../src/config/file/edit.ts';
import type { ConfigEdits } from '../../../../src/config/file/textEdit.ts';
import { type Placement, placement } from '../../../../src/discovery/catalog/policy.ts';
import { runs } from '../../../effort.ts';
import { edited, load } from '../../../unit/config/fixtures.ts';

const tools = ['read', 'write', 'move it', '__proto__'];
const tool = fc.constantFrom(...tools);

/** Everything a user may write for one server, in any combination. */
const server = fc.record(
	{
		command: fc.constant('run'),
		defer_loading: fc.boolean(),
		lazy: fc.boolean(),
		pinned: fc.oneof(fc.boolean(), fc.uniqueArray(tool), fc.constant(5)),
		tools: fc.uniqueArray(fc.tuple(tool, fc.record({ defer_loading: fc.boolean() }, { requiredKeys: [] })), {
			selector: ([name]) => name,
		}),
	},
	{ requiredKeys: ['command'] },
);

/** The file in one of the styles in which people write JSON with comments. */
const file = fc
	.record({
		section: fc.constantFrom('servers', 'mcpServers', 'mcp_servers'),
		own: server,
		other: server,
		deferAll: fc.boolean(),
		style: fc.constantFrom('one line', 'lines', 'commented', 'commented with trailing commas'),
	})
	.map(({ section, own, other, deferAll, style }) => {
		const entry = ({ tools: own, ...keys }: typeof other) =>
			own ? { ...keys, tools: Object.fromEntries(own) } : keys;
		const root = {
			[section]: { own: entry(own), other: entry(other) },
			tool_discovery: { enabled: true, defer_all: deferAll },
		};
		if (style === 'one line') return JSON.stringify(root);
		const lines = JSON.stringify(root, undefined, '\t').split('\n');
		if (style === 'lines') return lines.join('\r\n');
		const commas = style === 'commented with trailing commas';
		return lines
			.map((line, n) => `${commas ? trailing(line, lines[n + 1]) : line} // comment ${n};`)
			.join('\n');
	});

function trailing(line: string, next: string | undefined): string {
	return next !== undefined && /^\s*[}\]]/.test(next) && !/[,[{]$/.test(line) ? `${line},` : line;
}

function configOf(text: string): Config {
	const { config } = load(text);
	if (!config) throw new Error(`unreadable: ${text}`);
	return config;
}

function placements({ policy }: Config): Record<string, Placement | undefined> {
	return Object.fromEntries(tools.map((name) => [name, placement({ server: 'own', name }, policy)]));
}

/** Makes an edit, checks that it damages nothing, and returns the state of the server's tools before and after. */
function afterEdit(text: string, edit: (text: string) => ConfigEdits) {
	const after = edited(text, edit(text));
	expect(after.match(/comment \d+;/g)).toEqual(text.match(/comment \d+;/g));
	const [old, now] = [configOf(text), configOf(after)];
	expect(now.policy.servers.get('other')).toEqual(old.policy.servers.get('other'));
	expect(now.launches).toEqual(old.launches);
	expect(Object.keys(now)).toEqual(Object.keys(old));
	expect(edit(after)).toEqual([]);
	return { before: placements(old), after: placements(now) };
}

const all = (state: Placement) => Object.fromEntries(tools.map((name) => [name, state]));

describe('given any configuration file', () => {
	test('pinning a server pins all its tools', () => {
		fc.assert(
			fc.property(file, (text) => {
				expect(afterEdit(text, (t) => pinServer(t, 'own')).after).toEqual(all('pinned'));
			}),
			{ numRuns: runs(25) },
		);
	});

	test('deferring a server defers all its tools', () => {
		fc.assert(
			fc.property(file, (text) => {
				expect(afterEdit(text, (t) => deferServer(t, 'own')).after).toEqual(all('deferred'));
			}),
			{ numRuns: runs(25) },
		);
	});

	test('pinning a tool pins it and does not change the others', () => {
		fc.assert(
			fc.property(file, tool, (text, name) => {
				const { before, after } = afterEdit(text, (t) => pinTool(t, 'own', name));
				expect(Object.entries(after)).toEqual(Object.entries({ ...before, ...own(name, 'pinned') }));
			}),
			{ numRuns: runs(25) },
		);
	});

	test('deferring a tool defers it and does not change the others', () => {
		fc.assert(
			fc.property(file, tool, (text, name) => {
				const { before, after } = afterEdit(text, (t) => deferTool(t, 'own', name, tools));
				expect(Object.entries(after)).toEqual(Object.entries({ ...before, ...own(name, 'deferred') }));
			}),
			{ numRuns: runs(25) },
		);
	});
});

/** A record with one key, which may be `__proto__`. */
function own(name: string, state: Placement): Record<string, Placement> {
	return Object.fromEntries([[name, state]]);
}
