import { describe, expect, test } from 'vitest';
import type { Activation } from '../../../../src/discovery/session/activations.ts';
import type { ActivationReason } from '../../../../src/discovery/session/logEntry.ts';
import { loadReason } from '../../../../src/vscode/ui/loadReasons.ts';

const every: Readonly<Record<ActivationReason, true>> = {
	search: true,
	name: true,
	server: true,
	user: true,
	call: true,
	prefetch: true,
	reference: true,
};

function because(reason: string, words?: string): Activation {
	return {
		wireName: 'files__read',
		reason: reason as ActivationReason,
		lastTurn: 1,
		lastUse: 0,
		...(words && { words }),
	};
}

describe('the text that says why a tool is loaded', () => {
	test('is different for each reason', () => {
		const shorts = Object.keys(every).map((reason) => loadReason(because(reason)).short);
		expect(new Set(shorts).size).toBe(shorts.length);
		expect(shorts).not.toContain('loaded');
	});

	test('quotes the search words on one short line', () => {
		const { short } = loadReason(because('search', `create\n a file ${'and so on '.repeat(20)}`));
		expect(short).toMatch(/^found: “create a file and so on.*\.\.\.”$/);
		expect(short.length).toBeLessThan(60);
	});

	test('says that a search found what the model then asked for by name', () => {
		expect(loadReason(because('name', 'list files')).short).toBe('found: “list files”');
		expect(loadReason(because('name')).short).toBe('by name');
	});

	test('falls back to “loaded” for a reason from a newer version', () => {
		expect(loadReason(because('telepathy')).short).toBe('loaded');
		expect(loadReason(because('constructor')).short).toBe('loaded');
	});
});
