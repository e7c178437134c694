import { describe, expect, test } from 'vitest';
import { type Config, editorServerName, withLastGoodSettings } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { load, problemsOf } from './fixtures.ts';

const toolset = '"tool_sets": { "drawing": { "servers": { "editor": true } } }';

describe("the editor's own tools", () => {
	test('are found only if the user turns it on', () => {
		expect(load('{}').config?.editorTools).toBe(false);
		expect(load('{ "tool_discovery": { "editor_tools": true } }').config?.editorTools).toBe(true);
	});

	test('use another server name when the user has a server of the same name', () => {
		expect(editorServerName(new Set())).toBe('editor');
		expect(editorServerName(new Set(['editor']))).toBe('vscode');
		expect(editorServerName(new Set(['editor', 'vscode']))).toBeUndefined();
	});

	test('can be in a toolset only if they are turned on', () => {
		expect(problemsOf(`{ "tool_discovery": { "editor_tools": true }, ${toolset} }`)).toEqual([]);
		expect(problemsOf(`{ ${toolset} }`)).toEqual([
			expect.stringContaining('tool_sets.drawing.servers.editor: there is no server with this name'),
		]);
	});
});

function read(text: string, last?: Config): Config {
	const { config, problems } = loadConfig(text, { file: '', workspaceFolder: '/w', env: {} });
	if (!config) throw new Error('the text cannot be read');
	return withLastGoodSettings(config, problems, last);
}

const server = '"servers": { "a": { "command": "a", "defer_loading": true } }';
const good = read(`{ ${server}, "tool_discovery": { "enabled": true, "max_search_results": 7 } }`);

describe('given malformed discovery settings after a valid file', () => {
	test.each(['"yes"', '1', 'null'])('enabled: %s keeps discovery on, with all previous settings', (value) => {
		const { policy } = read(`{ ${server}, "tool_discovery": { "enabled": ${value} } }`, good);
		expect(policy.enabled).toBe(true);
		expect(policy.maxSearchResults).toBe(7);
	});

	test('then the servers are those of the new file', () => {
		const { policy, launches } = read(
			'{ "servers": { "b": { "command": "b" } }, "tool_discovery": 5 }',
			good,
		);
		expect(policy.enabled).toBe(true);
		expect([...policy.servers.keys()]).toEqual(['b']);
		expect([...launches.keys()]).toEqual(['b']);
	});

	test('then turning discovery off, other errors and warnings do take effect', () => {
		expect(read(`{ ${server}, "tool_discovery": { "enabled": false } }`, good).policy.enabled).toBe(false);
		expect(read(`{ "servers": { "a": { "command": 7 } } }`, good).policy.enabled).toBe(false);
		expect(read(`{ ${server}, "tool_discovery": { "enabld": true } }`, good).policy.enabled).toBe(false);
	});

	test('then a malformed synonym line alone is ignored, and everything else takes effect', () => {
		const { policy } = read(
			`{ ${server}, "tool_discovery": { "max_search_results": 9, "synonyms": ["issue", "prod, live"] } }`,
			good,
		);
		expect(policy).toMatchObject({ enabled: false, maxSearchResults: 9, synonyms: ['prod, live'] });
	});

	test('then synonyms that are not a list keep all previous settings, including synonyms', () => {
		const before = read('{ "tool_discovery": { "enabled": true, "synonyms": ["prod, live"] } }');
		const { policy } = read('{ "tool_discovery": { "synonyms": "prod, production" } }', before);
		expect(policy).toMatchObject({ enabled: true, synonyms: ['prod, live'] });
	});

	test('then the defaults are used if there was no earlier file', () => {
		expect(read(`{ ${server}, "tool_discovery": { "enabled": "yes" } }`).policy.enabled).toBe(false);
	});
});
