import { describe, expect, test } from 'vitest';
import { defaultPolicy, isDisabled } from '../../../src/discovery/catalog/policy.ts';
import { load, problemsOf, scope } from './fixtures.ts';

describe('given disabled servers and tools', () => {
	test('then the server, the tool or the list of enabled tools can disable them', () => {
		const { config, problems } = load(`{ "servers": {
			"off": { "command": "a", "disabled": true },
			"on": { "command": "b", "disabled": false, "enabled_tools": ["x", "y"], "tools": { "y": { "disabled": true }, "z": { "disabled": false } } } } }`);
		expect(problems).toEqual([]);
		const policy = config?.policy ?? defaultPolicy;
		const off = (server: string, name: string) => isDisabled({ server, name }, policy);
		expect([off('off', 'x'), ...['x', 'y', 'z', 'other'].map((name) => off('on', name))]).toEqual([
			true,
			false,
			true,
			false,
			true,
		]);
		expect([...(config?.launches.keys() ?? [])]).toEqual(['off', 'on']);
	});

	test('then a malformed setting disables them, and the error has its place', () => {
		const { config, problems } = load(`{ "servers": {
			"a": { "command": "a", "disabled": "true" },
			"b": { "command": "b", "enabled_tools": "x" },
			"c": { "command": "c", "tools": { "x": { "disabled": 1 } } } } }`);
		expect(problems.map(({ severity, path }) => [severity, path.join('.')])).toEqual([
			['error', 'servers.a.disabled'],
			['error', 'servers.b.enabled_tools'],
			['error', 'servers.c.tools.x.disabled'],
		]);
		expect([...(config?.launches.keys() ?? [])]).toEqual(['c']);
		expect(isDisabled({ server: 'c', name: 'x' }, config?.policy ?? defaultPolicy)).toBe(true);
	});
});

describe('given a well-formed configuration', () => {
	test('when it has no settings, then the defaults are used and discovery is off', () => {
		const { config, problems } = load('{}');
		expect(problems).toEqual([]);
		expect(config?.policy).toEqual(defaultPolicy);
		expect(config?.toolCacheTtlSeconds).toBe(30);
	});

	test('when it has hundreds of servers, then all are read', () => {
		const servers = Array.from({ length: 500 }, (_, i) => `"s${i}": { "command": "x", "args": ["a"] }`);
		expect(load(`{ "servers": { ${servers} } }`).config?.launches.size).toBe(500);
	});

	test('when it has comments, trailing commas and a byte order mark, then it is read', () => {
		const text = '\uFEFF// mine\n{ "servers": { "a": { "command": "a", /* why */ "args": ["x",], }, }, }\n';
		const { config, problems } = load(text);
		expect(problems).toEqual([]);
		expect(config?.launches.get('a')).toMatchObject({ command: 'a', args: ['x'] });
	});

	test('when it has discovery settings, then every one is read', () => {
		const { config, problems } = load(`{ "tool_discovery": {
			"enabled": true, "defer_all": true, "max_search_results": 25, "max_active_schemas": null,
			"ranking": "okapi", "synonyms": [], "manifest_placement": "system", "max_manifest_tokens": 200,
			"on_undiscovered_call": "activate", "prefetch": 5, "loading": "call", "inspection_tools": true, "editor_tools": true } }`);
		expect(problems).toEqual([]);
		expect(config?.editorTools).toBe(true);
		expect(config?.policy).toEqual({
			enabled: true,
			deferAll: true,
			loading: 'call',
			maxSearchResults: 25,
			maxActiveSchemas: null,
			maxRequestTools: defaultPolicy.maxRequestTools,
			ranking: 'okapi',
			synonyms: [],
			manifestPlacement: 'system',
			maxManifestTokens: 200,
			prefetch: 5,
			inspectionTools: true,
			onUndiscoveredCall: 'activate',
			servers: new Map(),
		});
	});

	test('when it has toolsets, then all three forms are read', () => {
		const { config, problems } = load(`{
			"servers": { "a": { "command": "a" }, "b": { "command": "b" }, "c": { "command": "c" } },
			"tool_sets": { "research": { "description": "d", "servers": { "a": true, "b": { "exclude": ["x"] }, "c": ["y"] } } } }`);
		expect(problems).toEqual([]);
		expect(config?.toolsets.get('research')).toEqual({
			file: scope.file,
			name: 'research',
			description: 'd',
			servers: new Map<string, unknown>([
				['a', true],
				['b', { exclude: ['x'] }],
				['c', ['y']],
			]),
		});
	});
});

describe('aliases', () => {
	test.each([
		['{ "tools": { "lazy_mcp": true } }', true],
		['{ "lazy_mcp": true }', true],
		['{ "lazy_mcp": true, "tools": { "lazy_mcp": false } }', false],
		['{ "lazy_mcp": true, "tool_discovery": { "enabled": false } }', false],
		['{ "lazy_mcp": true, "tool_discovery": {} }', true],
	])('for tool_discovery.enabled: %s', (text, enabled) => {
		expect(load(text).config?.policy.enabled).toBe(enabled);
	});

	test.each([
		['{ "lazy_mcp": true }', true],
		['{ "tools": { "lazy_mcp": true }, "tool_discovery": { "prefetch": 0 } }', true],
		['{ "lazy_mcp": true, "tool_discovery": { "defer_all": false } }', false],
		['{ "lazy_mcp": true, "tool_discovery": { "enabled": true } }', false],
		['{ "lazy_mcp": false }', false],
	])('lazy_mcp alone defers every server that is not pinned: %s', (text, deferAll) => {
		expect(load(text).config?.policy.deferAll).toBe(deferAll);
	});

	test.each([
		['"max_search_results": 26', { maxSearchResults: 25 }],
		['"max_search_results": 0', { maxSearchResults: 1 }],
		['"max_active_schemas": 0', { maxActiveSchemas: 1 }],
		['"max_manifest_tokens": 20001', { maxManifestTokens: 20_000 }],
		['"prefetch": -1', { prefetch: 0 }],
	])('a number out of range is clamped: %s', (setting, expected) => {
		const text = `{ "tool_discovery": { ${setting} } }`;
		expect(load(text).config?.policy).toMatchObject(expected);
		expect(problemsOf(text)).toEqual([expect.stringMatching(/^warning .*; \d+ is used$/)]);
	});

	test('for the cap: the canonical key wins, even if it is null', () => {
		const cap = (text: string) => load(text).config?.policy.maxActiveSchemas;
		expect(cap('{ "tools": { "max_active_schemas": 7 } }')).toBe(7);
		expect(
			cap('{ "tools": { "max_active_schemas": 7 }, "tool_discovery": { "max_active_schemas": null } }'),
		).toBe(null);
	});

	test.each([
		['"lazy": true', { deferLoading: true, pinned: false }],
		['"lazy": false', { deferLoading: false, pinned: true }],
		['"lazy": false, "defer_loading": true', { deferLoading: true, pinned: true }],
		['"lazy": true, "defer_loading": false', { deferLoading: false, pinned: false }],
		['"lazy": false, "pinned": ["x"]', { deferLoading: false, pinned: ['x'] }],
	])('for a server: %s', (keys, policy) => {
		const { config } = load(`{ "servers": { "a": { "command": "a", ${keys} } } }`);
		expect(config?.policy.servers.get('a')).toMatchObject(policy);
	});
});
