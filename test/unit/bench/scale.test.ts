import { describe, expect, it } from 'vitest';
import { toolsOf } from '../../../bench/corpus.ts';
import { scaleTo } from '../../../bench/scale.ts';
import type { CatalogServer, Tool } from '../../../src/discovery/index.ts';

const server = (name: string, tools: readonly string[]): CatalogServer => ({
	name,
	tools: tools.map(
		(tool): Tool => ({
			server: name,
			name: tool,
			description: `Does what ${tool} says, with care and in good time`,
			inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
		}),
	),
});

const servers = [
	server('files', ['read_file', 'write_file', 'read_directory']),
	server('git', ['git_log', 'git_status']),
];

describe('given five tools, when they are brought to thirty-three', () => {
	const scaled = scaleTo(servers, 33);
	const tools = toolsOf(scaled);

	it('then there are exactly so many', () => {
		expect(tools).toHaveLength(33);
	});

	it('then the real ones are among them, untouched', () => {
		expect(tools).toEqual(expect.arrayContaining(toolsOf(servers)));
	});

	it('then no two servers, and no two tools of a server, have the same name', () => {
		expect(new Set(scaled.map(({ name }) => name)).size).toBe(scaled.length);
		expect(new Set(tools.map((tool) => `${tool.server}:${tool.name}`)).size).toBe(tools.length);
	});

	it('then every tool names the server that has it', () => {
		for (const { name, tools } of scaled) expect(tools.every((tool) => tool.server === name)).toBe(true);
	});

	it('then copies are not all alike', () => {
		expect(new Set(tools.map((tool) => tool.description)).size).toBeGreaterThan(20);
	});

	it('then a second time gives the same', () => {
		expect(scaleTo(servers, 33)).toEqual(scaled);
	});
});

describe('given five tools, when they are brought to four', () => {
	it('then one is left out', () => {
		expect(toolsOf(scaleTo(servers, 4))).toHaveLength(4);
	});
});

describe('given no tools', () => {
	it('then there is nothing to copy, and it says so', () => {
		expect(() => scaleTo([server('empty', [])], 10)).toThrow('Nothing to copy');
	});
});
