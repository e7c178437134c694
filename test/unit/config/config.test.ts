import { describe, expect, test } from 'vitest';
import { type Config, editorServerName, withLastGoodSettings } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { load, problemsOf } from './fixtures.ts';

const toolset = '"tool_sets": { "drawing": { "servers": { "editor": true } } }';

describe("the editor's own tools", () => {
	test('are found only where the user wants it', () => {
		expect(load('{}').config?.editorTools).toBe(false);
		expect(load('{ "tool_discovery": { "editor_tools": true } }').config?.editorTools).toBe(true);
	});

	test("leave their server's name to one of the user's", () => {
		expect(editorServerName(new Set())).toBe('editor');
		expect(editorServerName(new Set(['editor']))).toBe('vscode');
		expect(editorServerName(new Set(['editor', 'vscode']))).toBeUndefined();
	});

	test('can be in a toolset where they are found, and nowhere else', () => {
		expect(problemsOf(`{ "tool_discovery": { "editor_tools": true }, ${toolset} }`)).toEqual([]);
		expect(problemsOf(`{ ${toolset} }`)).toEqual([
			expect.stringContaining('tool_sets.drawing.servers.editor: there is no server of this name'),
		]);
	});
});

function read(text: string, last?: Config): Config {
	const { config, problems } = loadConfig(text, { workspaceFolder: '/w', env: {} });
	if (!config) throw new Error('the text cannot be read');
	return withLastGoodSettings(config, problems, last);
}

const server = '"servers": { "a": { "command": "a", "defer_loading": true } }';
const good = read(`{ ${server}, "tool_discovery": { "enabled": true, "max_search_results": 7 } }`);

describe('a fault in the discovery settings while an earlier file was good', () => {
	test.each(['"yes"', '1', 'null'])(
		'enabled: %s leaves discovery on, and all its settings as they were',
		(value) => {
			const { policy } = read(`{ ${server}, "tool_discovery": { "enabled": ${value} } }`, good);
			expect(policy.enabled).toBe(true);
			expect(policy.maxSearchResults).toBe(7);
		},
	);

	test('the servers are those of the new file', () => {
		const { policy, launches } = read(
			'{ "servers": { "b": { "command": "b" } }, "tool_discovery": 5 }',
			good,
		);
		expect(policy.enabled).toBe(true);
		expect([...policy.servers.keys()]).toEqual(['b']);
		expect([...launches.keys()]).toEqual(['b']);
	});

	test('turning it off, a fault elsewhere, and a mere warning take effect', () => {
		expect(read(`{ ${server}, "tool_discovery": { "enabled": false } }`, good).policy.enabled).toBe(false);
		expect(read(`{ "servers": { "a": { "command": 7 } } }`, good).policy.enabled).toBe(false);
		expect(read(`{ ${server}, "tool_discovery": { "enabld": true } }`, good).policy.enabled).toBe(false);
	});

	test('a faulty line of synonyms is left out alone: the other lines and settings take effect', () => {
		const { policy } = read(
			`{ ${server}, "tool_discovery": { "max_search_results": 9, "synonyms": ["issue", "prod, live"] } }`,
			good,
		);
		expect(policy).toMatchObject({ enabled: false, maxSearchResults: 9, synonyms: ['prod, live'] });
	});

	test('synonyms that are no list leave the settings as they were, the synonyms among them', () => {
		const before = read('{ "tool_discovery": { "enabled": true, "synonyms": ["prod, live"] } }');
		const { policy } = read('{ "tool_discovery": { "synonyms": "prod, production" } }', before);
		expect(policy).toMatchObject({ enabled: true, synonyms: ['prod, live'] });
	});

	test('without an earlier file, the defaults hold', () => {
		expect(read(`{ ${server}, "tool_discovery": { "enabled": "yes" } }`).policy.enabled).toBe(false);
	});
});
