import { describe, expect, test } from 'vitest';
import {
	deferServer,
	deferTool,
	enableDiscovery,
	pinServer,
	pinTool,
	removeServer,
	setDisabled,
} from '../../../../src/config/file/edit.ts';
import { placement } from '../../../../src/discovery/catalog/policy.ts';
import { edited, load } from '../fixtures.ts';

describe('an edit changes nothing else', () => {
	test('when it adds a property, then the property comes below the last one and its comment', () => {
		const text = `{
	// all of mine
	"mcpServers": {
		"files": {
			"command": "npx", // on the path
			"args": ["-y",   "server"] // the first one
			// later: env
		},
		"notes":  { "command": "notes" },
	}
}
`;
		expect(edited(text, deferServer(text, 'files'))).toBe(
			text
				.replace('// the first one', '// the first one\n\t\t\t"defer_loading": true')
				.replace('"server"]', '"server"],'),
		);
		expect(edited(text, pinServer(text, 'notes'))).toBe(
			text.replace('"command": "notes" }', '"command": "notes", "pinned": true }'),
		);
	});

	test('when the file has trailing commas, CRLF and a byte order mark, then they stay', () => {
		const text =
			'\uFEFF{\r\n  "servers": {\r\n    "a": {\r\n      "command": "a",\r\n    },\r\n  },\r\n}\r\n';
		expect(edited(text, pinServer(text, 'a'))).toBe(
			text.replace('"command": "a",', '"command": "a",\r\n      "pinned": true,'),
		);
	});

	test('when it replaces a value, then comments around it stay', () => {
		const text = '{ "servers": { "a": { "defer_loading": /* no */ false /* yet */, "command": "a" } } }';
		expect(edited(text, deferServer(text, 'a'))).toBe(text.replace('false', 'true'));
	});

	test('when parents are missing, then they are added on one line', () => {
		const text = '{ "servers": { "a": { "command": "a" } } }';
		expect(edited(text, deferTool(text, 'a', 'x', ['x', 'y']))).toBe(
			'{ "servers": { "a": { "command": "a", "tools": { "x": { "defer_loading": true } } } } }',
		);
		expect(edited('{}', enableDiscovery('{}'))).toBe('{ "tool_discovery": { "enabled": true } }');
	});

	test('when it turns discovery on and nothing is deferred, then it defers everything', () => {
		const text = '{ "servers": { "a": { "command": "a" } } }';
		expect(edited(text, enableDiscovery(text))).toBe(
			'{ "servers": { "a": { "command": "a" } }, "tool_discovery": { "enabled": true, "defer_all": true } }',
		);
		const one = '{ "servers": { "a": { "command": "a", "defer_loading": true }, "b": { "command": "b" } } }';
		expect(edited(one, enableDiscovery(one))).not.toContain('defer_all');
	});

	test('when an object has only comments, then a first line is added', () => {
		const text = '{\n  // nothing yet\n}\n';
		expect(edited(text, enableDiscovery(text))).toBe(
			'{\n  // nothing yet\n  "tool_discovery": { "enabled": true }\n}\n',
		);
	});

	test('when the file has emoji, then none is split', () => {
		const text = '{ "servers": { "a": { "command": "a", "pinned": ["🙂"] } } }';
		const edits = pinTool(text, 'a', '🙃');
		expect(edited(text, edits)).toBe(text.replace('"🙂"', '"🙂", "🙃"'));
	});
});

describe('disabling and enabling', () => {
	const text =
		'{ "servers": { "a": { "command": "a", "enabled_tools": ["x"], "disabled": /* now */ true } } }';

	test('writes only what is not set yet, and leaves the rest', () => {
		expect(edited(text, setDisabled(text, { server: 'a' }, false))).toBe(text.replace('true', 'false'));
		expect(setDisabled(text, { server: 'a' }, true)).toEqual([]);
		const plain = '{ "servers": { "a": { "command": "a" } } }';
		expect(edited(plain, setDisabled(plain, { server: 'a' }, true))).toBe(
			'{ "servers": { "a": { "command": "a", "disabled": true } } }',
		);
		expect(edited(plain, setDisabled(plain, { server: 'a', tool: 'x' }, true))).toBe(
			'{ "servers": { "a": { "command": "a", "tools": { "x": { "disabled": true } } } } }',
		);
		expect(setDisabled(plain, { server: 'a', tool: 'x' }, false)).toEqual([]);
		expect(setDisabled(plain, { server: 'b' }, true)).toBeUndefined();
	});

	test('takes the list of enabled tools into account', () => {
		expect(setDisabled(text, { server: 'a', tool: 'x' }, false)).toEqual([]);
		expect(edited(text, setDisabled(text, { server: 'a', tool: 'y' }, false))).toContain(
			'"tools": { "y": { "disabled": false } }',
		);
	});
});

describe('the list of pinned tools', () => {
	const text = `{ "servers": { "a": { "command": "a", "pinned": [
  "x", // reads
  "y" // writes
] } } }`;

	test('gets a new line for a new tool', () => {
		expect(edited(text, pinTool(text, 'a', 'z'))).toBe(
			text.replace('"y" // writes', '"y", // writes\n  "z"'),
		);
	});

	test('keeps its comments when tools are removed', () => {
		const withoutX = edited(text, deferTool(text, 'a', 'x', ['x', 'y']));
		expect(withoutX).toContain('"pinned": [\n  // reads\n  "y" // writes\n]');
		const withoutY = edited(text, deferTool(text, 'a', 'y', ['x', 'y']));
		expect(withoutY).toContain('"pinned": [\n  "x" // reads\n  // writes\n]');
		const withoutBoth = edited(text, deferServer(text, 'a'));
		expect(withoutBoth).toContain('// reads\n  // writes');
	});

	test('stays on one line if it is on one line', () => {
		const inline =
			'{ "servers": { "a": { "command": "a", "defer_loading": true, "pinned": ["x", "y", "z"] } } }';
		const without = (tool: string) => edited(inline, deferTool(inline, 'a', tool, []));
		expect(without('x')).toBe(inline.replace('"x", ', ''));
		expect(without('y')).toBe(inline.replace('"y", ', ''));
		expect(without('z')).toBe(inline.replace(', "z"', ''));
	});
});

describe('no edit is made', () => {
	test('when the file already says so', () => {
		const text = `{ "servers": { "l": { "command": "l", "lazy": false }, "d": { "command": "d", "lazy": true } },
			"tool_discovery": { "enabled": true } }`;
		expect(pinServer(text, 'l')).toEqual([]);
		expect(pinTool(text, 'l', 'x')).toEqual([]);
		expect(deferServer(text, 'd')).toEqual([]);
		expect(enableDiscovery(text)).toEqual([]);
	});

	test('when the file is malformed or the server is missing', () => {
		expect(pinServer('{ "servers": {', 'a')).toBeUndefined();
		expect(enableDiscovery('')).toBeUndefined();
		expect(deferTool('{ "servers": { "a": {} } }', 'b', 'x', [])).toBeUndefined();
	});
});

describe('pinning a tool and deferring it again', () => {
	const cycled = (text: string) => {
		const pinned = edited(text, pinTool(text, 'a', 'x'));
		return edited(pinned, deferTool(pinned, 'a', 'x', ['x', 'y']));
	};

	test('leaves no empty list', () => {
		const text = '{ "servers": { "a": { "command": "a", "defer_loading": true } } }';
		const inLines = JSON.stringify(JSON.parse(text), undefined, '\t');
		expect([text, inLines].map(cycled)).toEqual([text, inLines]);
		const list = '{ "servers": { "a": { "pinned": ["x", "y"], "command": "a" } } }';
		expect(edited(list, deferServer(list, 'a'))).toBe(
			'{ "servers": { "a": { "command": "a", "defer_loading": true } } }',
		);
	});

	test('keeps comments beside its name', () => {
		const text =
			'{ "servers": { "a": { "command": "a", "defer_loading": true, "pinned": ["x" /* often */] } } }';
		expect(edited(text, deferTool(text, 'a', 'x', ['x', 'y']))).toContain('/* often */');
	});
});

test.each([['x'], ['x', 'y', 'z']])(
	'deferring a tool of a server with "lazy": false leaves a file without warnings',
	(...tools) => {
		const text =
			'{ "servers": { "a": { "command": "a", "lazy": false } }, "tool_discovery": { "enabled": true } }';
		const { config, problems } = load(edited(text, deferTool(text, 'a', 'x', tools)));
		expect(problems).toEqual([]);
		const placements = tools.map((name) => config && placement({ server: 'a', name }, config.policy));
		expect(placements).toEqual(['deferred', ...tools.slice(1).map(() => 'pinned')]);
	},
);

test('turning discovery on sets every existing switch', () => {
	const text = '{ "lazy_mcp": false, "tools": { "lazy_mcp": false } }';
	expect(edited(text, enableDiscovery(text))).toBe('{ "lazy_mcp": true, "tools": { "lazy_mcp": true } }');
});

describe('removing a server', () => {
	test.each([
		['the last of two', '{ "servers": { "b": {}, "a": { "command": "a" } } }', '{ "servers": { "b": {} } }'],
		['the only one', '{ "servers": { "a": { "command": "a" } } }', '{ "servers": { } }'],
		[
			'one with comments inside',
			'{\n\t"servers": {\n\t\t"a": { // mine\n\t\t\t"command": "a"\n\t\t},\n\t\t"b": {}\n\t}\n}',
			'{\n\t"servers": {\n\t\t"b": {}\n\t}\n}',
		],
		[
			'one of two sections',
			'{ "servers": { "a": {} }, "mcpServers": { "a": {}, "b": {} } }',
			'{ "servers": { }, "mcpServers": { "b": {} } }',
		],
		['a faulty one', '{ "servers": { "a": 7, "b": {} } }', '{ "servers": { "b": {} } }'],
	])('removes %s', (_, text, rest) => {
		expect(edited(text, removeServer(text, 'a'))).toBe(rest);
	});

	test('changes nothing if there is none', () => {
		expect(removeServer('{ "servers": {} }', 'a')).toBeUndefined();
	});
});
