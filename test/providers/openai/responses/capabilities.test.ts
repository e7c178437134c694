import { describe, expect, it } from 'vitest';
import { reasons } from '../../../../src/common/answers/modelFamilies.ts';
import { hasPhases, responsesLoadings } from '../../../../src/models/openai/responses/capabilities.ts';

describe('how loaded tools reach a model of the Responses API', () => {
	it.each(['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-2026-03-05', 'gpt-5.5-pro', 'gpt-6-astra'])(
		'by its own search where it knows one: %s',
		(model) => {
			expect(responsesLoadings(model, true)).toEqual(['native', 'append', 'call']);
		},
	);

	it.each(['gpt-5.3-codex', 'gpt-5', 'gpt-5-2025-08-07', 'gpt-4.1', 'gpt-4o', 'o4-mini', 'gpt-5.4-nano'])(
		'as further tools where it does not: %s',
		(model) => {
			expect(responsesLoadings(model, true)).toEqual(['append', 'native', 'call']);
		},
	);

	it('as further tools where somebody else answers under the name of a model', () => {
		expect(responsesLoadings('gpt-5.4', false)).toEqual(['append', 'native', 'call']);
	});
});

describe('which models reason', () => {
	it.each(['o1', 'o3-mini', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5-nano', 'gpt-5.1-chat-latest', 'gpt-5.4'])(
		'%s does',
		(model) => expect(reasons(model)).toBe(true),
	);

	it.each(['ft:o4-mini-2025-04-16:acme::1', 'openai/gpt-5', 'codex-mini-latest'])('%s does', (model) => {
		expect(reasons(model)).toBe(true);
	});

	it.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-5-chat-latest', 'gpt-35-turbo', 'ft:gpt-4.1:o3::1', 'llama-3'])(
		'%s does not',
		(model) => expect(reasons(model)).toBe(false),
	);
});

describe('which models mark their messages', () => {
	it.each([
		['gpt-5.3-codex', true],
		['gpt-6-astra', true],
		['gpt-5.2', false],
		['o3', false],
	])('%s: %s', (model, does) => {
		expect(hasPhases(model)).toBe(does);
	});
});
