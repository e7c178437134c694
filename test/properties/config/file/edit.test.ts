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

describe('given any configuration file', () => {
	test.each<['all' | 'one', Placement, edit: (text: string, tool: string) => ConfigEdits]>([
		['all', 'pinned', (text) => pinServer(text, 'own')],
		['all', 'deferred', (text) => deferServer(text, 'own')],
		['one', 'pinned', (text, name) => pinTool(text, 'own', name)],
		['one', 'deferred', (text, name) => deferTool(text, 'own', name, tools)],
	])('%s of its tools can become %s, and no other thing changes', (which, state, edit) => {
		fc.assert(
			fc.property(file, tool, (text, name) => {
				const { before, after } = afterEdit(text, (t) => edit(t, name));
				const changed = which === 'all' ? tools : [name];
				// `fromEntries` defines properties, so that `__proto__` is one too.
				const placed = Object.fromEntries(changed.map((one) => [one, state]));
				expect(Object.entries(after)).toEqual(Object.entries({ ...before, ...placed }));
			}),
			{ numRuns: runs(25) },
		);
	});
});
