import { describe, expect, test } from 'vitest';
import { editorServerName } from '../../../src/config/editorServerName.ts';
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
