import { describe, expect, test } from 'vitest';
import { generateManifest } from '../../../../src/discovery/catalog/manifest.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import { searchToolsDefinition } from '../../../../src/discovery/tools/searchTools.ts';
import { office, servers, sessionOf, surfaceOf, tool } from '../fixtures.ts';

const header = 'Available tool servers (use this tool to load their definitions):\n\n';

function many(n: number, server = 'notion'): Tool[] {
	return Array.from({ length: n }, (_, i) => tool(server, `tool_${i + 1}`));
}

describe('the manifest', () => {
	test('lists each server with its tool count, tool names and a summary', () => {
		const described = new Map([['weather', { description: 'Current conditions and forecasts' }]]);
		const tools = [
			tool('weather', 'get_forecast'),
			tool('weather', 'get_alerts'),
			tool('home', 'lock_door', 'Lock it'),
		];
		expect(generateManifest(tools, { servers: described })).toBe(
			`${header}- weather (2 tools): get_forecast, get_alerts\n  Current conditions and forecasts\n- home (1 tool): lock_door\n  Lock it.`,
		);
	});

	test('names all tools of a server with ten, but only the first four of eleven', () => {
		const ten = Array.from({ length: 10 }, (_, i) => `tool_${i + 1}`).join(', ');
		expect(generateManifest(many(10))).toBe(`${header}- notion (10 tools): ${ten}`);
		expect(generateManifest(many(11))).toBe(
			`${header}- notion (11 tools): tool_1, tool_2, tool_3, tool_4, ... and 7 more`,
		);
	});

	test.each(['name_of_a_tool_', '工具名', '🛠️'])(
		'names all ten tools whose names are very long: %s',
		(word) => {
			const tools = Array.from({ length: 10 }, (_, i) => tool('s', `${i}${word.repeat(100)}`));
			const text = generateManifest(tools);
			expect(text.split(', ')).toHaveLength(10);
			expect(text).not.toContain('more');
			expect(Buffer.byteLength(text)).toBeLessThan(2_000);
		},
	);

	test('takes the summary from the description, else the instructions, else the tool descriptions', () => {
		const tools = [tool('s', 'a', 'Adds numbers. Slowly.'), tool('s', 'b', 'Subtracts them')];
		const summary = (described: { description?: string; instructions?: string }) =>
			generateManifest(tools, { servers: new Map([['s', described]]) })
				.split('\n')
				.at(-1);
		expect(summary({ description: 'Arithmetic', instructions: 'Be careful' })).toBe('  Arithmetic');
		expect(summary({ instructions: '# How to\n\nBe careful\nwith numbers' })).toBe('  Be careful');
		expect(summary({})).toBe('  Adds numbers. Subtracts them.');
		expect(summary({ description: ' ' })).toBe('  Adds numbers. Subtracts them.');
	});

	test('truncates the summary to 80 characters and ends it with three dots', () => {
		const manifest = generateManifest([tool('s', 'a', 'word '.repeat(40))]);
		const summary = manifest.split('\n').at(-1)?.slice(2) ?? '';
		expect(summary.length).toBeLessThanOrEqual(80);
		expect(summary).toMatch(/^(word )+.*\.\.\.$/);
	});
});

describe('given more servers than fit into the manifest in full', () => {
	const verbs = ['create', 'list', 'update', 'delete', 'search', 'export', 'import', 'archive', 'restore'];
	const many = (count: number) =>
		Array.from({ length: count }, (_, i) =>
			verbs.map((verb) => tool(`service${i}`, `${verb}_record`, `${verb} a record of this service`)),
		).flat();
	const namesOf = (text: string) =>
		text
			.split('\n')
			.filter((line) => line.startsWith('- '))
			.map((line) => verbs.filter((verb) => line.includes(`${verb}_record`)).length);

	test('when there is room for some names, then every server lists the same number of tools', () => {
		const text = generateManifest(many(60), { maxTokens: 2_300 });
		const [names = 0, ...others] = namesOf(text);
		expect(names).toBeGreaterThan(0);
		expect(names).toBeLessThan(9);
		expect(others).toEqual(Array(59).fill(names));
		expect(text).toContain(`create_record${names > 1 ? ', ' : ','}`);
		expect(text).toContain(`, ... and ${9 - names} more`);
	});

	test('when not every server can list a tool, then each server lists one or none', () => {
		const counts = namesOf(generateManifest(many(150), { maxTokens: 2_300 }));
		expect(new Set(counts)).toEqual(new Set([0, 1]));
	});
});

describe('the description of search_tools', () => {
	test('contains the manifest in tags after the purpose; all three parameters are optional', () => {
		const { name, description, inputSchema } = searchToolsDefinition(surfaceOf(servers({ s: ['a'] })));
		expect(name).toBe('search_tools');
		expect(description).toBe(
			"Search for and load tool definitions from available MCP servers. Use this before calling a tool that isn't currently loaded." +
				`\n\n<manifest>\n${header}- s (1 tool): a\n</manifest>`,
		);
		expect(inputSchema).toEqual({
			type: 'object',
			properties: {
				query: {
					type: 'string',
					description:
						"Natural language capability search across all deferred tools (e.g. 'create a calendar event'). Uses keyword matching.",
				},
				server_name: { type: 'string', description: 'Filter results to a specific server by name.' },
				tool_names: {
					type: 'array',
					items: { type: 'string' },
					description:
						'Load specific tools by exact name. Most token-efficient when you know the tool name from the manifest.',
				},
			},
		});
	});

	test('ends without the manifest when the policy places it in the system prompt', () => {
		const { paragraph, tools } = sessionOf(office, { manifestPlacement: 'system' }).nextRequest();
		expect(tools[0]?.description).toMatch(/^[^<]*isn't currently loaded\.$/);
		expect(paragraph).toMatch(/<manifest>\n.*- slack \(3 tools\).*<\/manifest>$/s);
	});
});

test('names of 10,000 characters are truncated in the manifest', () => {
	const name = 'n'.repeat(10_000);
	const manifest = generateManifest([tool(name, name)]);
	expect(manifest.length).toBeLessThan(header.length + 200);
});
