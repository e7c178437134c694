import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownNames } from '../../../../../scripts/knownServers.ts';
import { PROJECT_ROOT } from '../../../../../scripts/projectPaths.ts';
import { cleanExpansion } from '../../../../../src/discovery/catalog/expansion.ts';
import type { Tool } from '../../../../../src/discovery/catalog/tool.ts';
import { toolId } from '../../../../../src/discovery/catalog/tool.ts';
import { knownExpansions } from '../../../../../src/discovery/search/known/knownServers.ts';
import { type KnownExpansion, toTerms } from '../../../../../src/discovery/search/known/knownText.ts';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';

/** A tool with these parameters; `description` is what another version of its server may say. */
function tool(server: string, name: string, parameters: readonly string[], description = 'Reworded'): Tool {
	const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]));
	return { server, name, description, inputSchema: { type: 'object', properties } };
}

/** Tools of the reference server for memory, as the user has named it. */
const memory = (server: string) => [
	tool(server, 'create_entities', ['entities']),
	tool(server, 'create_relations', ['relations']),
	tool(server, 'add_observations', ['observations']),
	tool(server, 'delete_entities', ['entityNames']),
	tool(server, 'search_nodes', ['query']),
];

const known = async (tools: readonly Tool[]) => [...(await knownExpansions(tools)).keys()].map(toolId);

describe('a server that is known by its tools', () => {
	test('has texts, whatever its name and its descriptions are', async () => {
		expect(await known(memory('m'))).toEqual(memory('m').map(toolId));
	});

	test('needs fewer tools in common if a name or a description tells what it is', async () => {
		expect(await known(memory('m').slice(0, 2))).toEqual([]);
		expect(await known(memory('memory').slice(0, 2))).toHaveLength(2);
	});

	test('may have other tools besides, and newer ones', async () => {
		const tools = [...memory('m'), tool('m', 'archive_graph', []), tool('m', 'constructor', [])];
		expect(await known(tools)).toEqual(memory('m').map(toolId));
	});

	test('lends its texts to no tool of the same name with other parameters', async () => {
		const [, ...others] = memory('m');
		const tools = [tool('m', 'create_entities', ['database', 'rows']), ...others];
		expect(await known(tools)).toEqual(others.map(toolId));
	});

	test('lends its texts to no tool of the same name on another server', async () => {
		const shop = [
			tool('shop', 'search_nodes', ['query']),
			tool('shop', 'buy', ['item']),
			tool('shop', 'pay', []),
		];
		expect(await known(shop)).toEqual([]);
	});
});

describe('an index', () => {
	const asked = 'Lena reports to Tom now';

	test('finds the tools of a known server by what people say', async () => {
		const others = ['mail', 'calendar', 'weather'].map((name) =>
			tool(name, `get_${name}`, ['id'], `Gets ${name}`),
		);
		const tools = [...memory('m'), ...others];
		const index = await ToolIndex.build(tools, { pause: async () => {} });
		expect(index.search(asked)[0]?.tool.name).toBe('create_relations');
		expect(new ToolIndex(tools).search(asked)[0]?.tool.name).not.toBe('create_relations');
	});

	test('ranks a tool without a text no lower because others have one', () => {
		const kettles = ['Boils a kettle', 'Fills a kettle', 'Sells a kettle'].map((description, i) =>
			tool('known', `tool_${i}`, [], description),
		);
		const knownExpansions = new Map(
			kettles.map((one) => {
				const text = { when: 'tea, kettle', queries: ['put the kettle on', 'my kettle'], parameters: [] };
				const server = toTerms({ [one.name]: text });
				return [one, { ...(server.tools[one.name] as Omit<KnownExpansion, 'server'>), server }];
			}),
		);
		const tools = [...kettles, tool('unknown', 'other', [], 'Paints one kettle')];
		const first = (index: ToolIndex) => index.search('kettle')[0]?.tool.server;
		expect(first(new ToolIndex(tools))).toBe('unknown');
		expect(first(new ToolIndex(tools, { knownExpansions }))).toBe('unknown');
	});

	test('prefers what the user had a model write about a tool', async () => {
		const [first, ...others] = memory('m');
		const taught = [{ ...(first as Tool), expansion: { queries: ['zebra'] } }, ...others];
		const index = await ToolIndex.build(taught, { pause: async () => {} });
		expect(index.search('zebra')[0]?.tool.name).toBe('create_entities');
	});
});

const servers = path.join(PROJECT_ROOT, 'src/discovery/search/known');
const files = globSync('servers/*.json', { cwd: servers });

test('the names of all known tools are those of the files', () => {
	expect(JSON.parse(readFileSync(path.join(servers, 'names.json'), 'utf8'))).toEqual(knownNames());
});

test.each(files)('every text of %s is within the bounds of texts', (file) => {
	const tools: Record<string, { when: string; queries: string[] }> = JSON.parse(
		readFileSync(path.join(servers, file), 'utf8'),
	);
	for (const [name, { when, queries }] of Object.entries(tools))
		expect([name, cleanExpansion({ when, queries })]).toEqual([name, { when, queries }]);
});
