import { describe, expect, test } from 'vitest';
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

describe('given five tools that are scaled to thirty-three', () => {
	const scaled = scaleTo(servers, 33);
	const tools = toolsOf(scaled);

	test('then there are exactly thirty-three', () => {
		expect(tools).toHaveLength(33);
	});

	test('then the real tools are included unchanged', () => {
		expect(tools).toEqual(expect.arrayContaining(toolsOf(servers)));
	});

	test('then server names, and tool names within a server, are unique', () => {
		expect(new Set(scaled.map(({ name }) => name)).size).toBe(scaled.length);
		expect(new Set(tools.map((tool) => `${tool.server}:${tool.name}`)).size).toBe(tools.length);
	});

	test('then every tool names its own server', () => {
		for (const { name, tools } of scaled) expect(tools.every((tool) => tool.server === name)).toBe(true);
	});

	test('then the copies differ from each other', () => {
		expect(new Set(tools.map((tool) => tool.description)).size).toBeGreaterThan(20);
	});

	test('then scaling again gives the same result', () => {
		expect(scaleTo(servers, 33)).toEqual(scaled);
	});
});

describe('given five tools that are scaled to four', () => {
	test('then one tool is left out', () => {
		expect(toolsOf(scaleTo(servers, 4))).toHaveLength(4);
	});
});

describe('given no tools', () => {
	test('then scaling throws an error', () => {
		expect(() => scaleTo([server('empty', [])], 10)).toThrow('Nothing to copy');
	});
});
