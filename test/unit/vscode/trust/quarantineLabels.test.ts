import { describe, expect, test } from 'vitest';
import type { QuarantinedTool } from '../../../../src/mcp/accepted/definition.ts';
import {
	acceptDetail,
	acceptQuestion,
	quarantineMessage,
} from '../../../../src/vscode/trust/quarantineLabels.ts';
import { tool } from '../../discovery/fixtures.ts';

const changed = (name: string): QuarantinedTool => ({ tool: tool('weather', name), why: 'changed' });
const two = [changed('get'), changed('set')];

describe('the message about tools that need review', () => {
	test('names a single tool, and counts several', () => {
		expect(quarantineMessage('weather', two.slice(0, 1))).toMatchSnapshot();
		expect(quarantineMessage('weather', two)).toMatch(
			/^2 tools of “weather” have changed since you approved them\./,
		);
	});

	test.each([
		['unknown', 'could not be read'],
		['unread', 'log says why'],
	] as const)('says so if the accepted definition is %s', (why, text) => {
		expect(quarantineMessage('weather', [{ ...changed('get'), why }])).toContain(text);
	});

	test('asks the user with the number of tools, and names the first ten', () => {
		const twelve = Array.from({ length: 12 }, (_, i) => changed(`t${i}`));
		expect(acceptQuestion('weather', twelve)).toMatchSnapshot();
		expect(acceptDetail(twelve)).toMatch(/t8, t9 and 2 more/);
		expect(acceptDetail(two)).toMatch(/^get, set\n\n/);
	});

	test('shows names from a server without links, icons or line breaks', () => {
		const hostile = '[Accept](command:evil)\n$(check)\u202e';
		for (const text of [quarantineMessage(hostile, [changed(hostile)]), acceptDetail([changed(hostile)])]) {
			expect(text).not.toContain('](command');
			expect(text).not.toContain('$(check)');
			expect(text).not.toMatch(/evil\)\n|\u202e/);
		}
	});
});
