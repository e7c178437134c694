import { describe, expect, test } from 'vitest';
import { legalServerName, serverNameFault } from '../../../../src/config/file/entryNames.ts';

describe('the legal form of a server name', () => {
	test.each([
		['a/b', [], 'a-b'],
		['..', [], 'server'],
		['', [], 'server'],
		['search_tools', [], 'search_tools-server'],
		['a\u0007b', [], 'ab'],
		['@scope/mcp', [], '@scope-mcp'],
		['🙂/', [], '🙂'],
		['a b', ['a_b'], 'a b-2'],
		['__proto__', [], '__proto__-server'],
		['Notes', ['notes', 'notes-2'], 'Notes-3'],
		['ü'.repeat(70), [], 'ü'.repeat(64)],
		['x'.repeat(64), ['x'.repeat(64)], `${'x'.repeat(62)}-2`],
		[`${'x'.repeat(63)}\u{1F600}`, [], 'x'.repeat(63)],
		[`${'x'.repeat(59)}\u{1F600}/`, [`${'x'.repeat(59)}\u{1F600}`], `${'x'.repeat(59)}\u{1F600}-2`],
	])('is as expected for %j', (written, taken, name) => {
		expect(legalServerName(written, taken)).toBe(name);
	});
});

test('a server cannot have the name of a built-in tool', () => {
	const names =
		'search_tools list_available_tools list_tool_details read_result read_resource call_tool run_agent';
	expect(names.split(' ').filter((name) => !serverNameFault(name))).toEqual([]);
});
