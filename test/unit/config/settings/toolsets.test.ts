import { describe, expect, test } from 'vitest';
import { saveToolset, toolsetNameFault } from '../../../../src/config/settings/toolsets.ts';
import { edited, load } from '../fixtures.ts';

const servers = new Map<string, true | readonly string[]>([
	['a', true],
	['b', ['x']],
]);
const server = '"servers": { "a": { "command": "a" }, "b": { "command": "b" } }';

describe('saving a toolset to the configuration', () => {
	test('adds it after the others in the same format, and changes nothing else', () => {
		const text = `{
	${server},
	// what I need
	"tool_sets": {
		"old": { "servers": { "a": true } }, // for now
	},
}
`;
		const after = edited(text, saveToolset(text, 'new', servers, undefined));
		expect(after).toBe(
			text.replace(
				'// for now\n',
				'// for now\n\t\t"new": {\n\t\t\t"servers": {\n\t\t\t\t"a": true,\n\t\t\t\t"b": [\n\t\t\t\t\t"x"\n\t\t\t\t]\n\t\t\t}\n\t\t},\n',
			),
		);
		expect(load(after).config?.toolsets.get('new')?.servers).toEqual(servers);
	});

	test('replaces one with the same name, and keeps its description', () => {
		const text = `{ ${server}, "tool_sets": { "old": { "description": "mine", "servers": { "a": ["y"] } } } }`;
		const after = edited(text, saveToolset(text, 'old', servers, 'mine'));
		expect(after).toBe(
			`{ ${server}, "tool_sets": { "old": { "description": "mine", "servers": { "a": true, "b": [ "x" ] } } } }`,
		);
	});

	test('adds the section when it is the first one, whatever its name', () => {
		const text = `{ ${server} }`;
		const after = edited(text, saveToolset(text, 'a "b" \u{1F600}', servers, undefined));
		expect([...(load(after).config?.toolsets.keys() ?? [])]).toEqual(['a "b" \u{1F600}']);
	});

	test('changes nothing when the file is malformed', () => {
		expect(saveToolset('', 'new', servers, undefined)).toBeUndefined();
	});
});

test('a toolset can have any name except an invalid or reserved one', () => {
	expect(['daily', 'Mein Werkzeug', '日常'].map(toolsetNameFault)).toEqual([undefined, undefined, undefined]);
	for (const name of ['', '  ', 'none', '__proto__', 'a\u202eb', 'x'.repeat(65)]) {
		expect(toolsetNameFault(name)).toMatch(/\.$/);
	}
});
