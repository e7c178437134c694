import { describe, expect, test } from 'vitest';
import { type ClientDefinition, refOfClient } from '../../../../src/config/models/clientDefinition.ts';
import { clientLens } from '../../../../src/vscode/config/codeLensLabels.ts';
import type { ListState } from '../../../../src/vscode/models/modelLists.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { missingModels } from '../../../../src/vscode/ui/modelListLabels.ts';

const client: ClientDefinition = {
	file: '',
	name: 'router',
	provider: 'openai',
	baseUrl: 'https://openrouter.ai/api/v1',
};
const none: ListState = { models: [], leftOut: 0 };
const some: ListState = {
	models: [{ model: 'a' }, { model: 'b', tools: true }, { model: 'c', tools: false }],
	leftOut: 0,
};
const keyless = {
	kind: 'failed',
	message: 'openrouter.ai requires an API key (401).',
	wantsKey: true,
} as const;

function titles(state: ListState) {
	return clientLens(client, state).map(({ title, command }) => title ?? command);
}

describe('the code lens of a client that lists its models', () => {
	test('counts the offered models, and those that are left out', () => {
		expect(titles(some)).toEqual([
			'$(list-unordered) 2 models · 1 more cannot call tools',
			commands.refreshModels,
		]);
		expect(titles({ models: [{ model: 'a' }], leftOut: 7 })[0]).toBe(
			'$(list-unordered) 1 model · 7 left out',
		);
		expect(titles(none)[0]).toBe('$(list-unordered) 0 models');
	});

	test('says that a key is required, and offers to set it', () => {
		const lenses = clientLens(client, { ...none, failure: keyless });
		expect(lenses.map(({ title, command }) => title ?? command)).toEqual([
			'$(warning) openrouter.ai requires an API key (401).',
			commands.refreshModels,
			commands.manageSecrets,
		]);
		expect(lenses.slice(1).map(({ argument }) => argument)).toEqual([
			refOfClient(client),
			refOfClient(client),
		]);
	});

	test('keeps showing the last list next to a later failure', () => {
		expect(titles({ ...some, failure: { kind: 'notAsked' } })).toEqual([
			'$(list-unordered) 2 models · 1 more cannot call tools',
			'$(warning) run “Discovery: Refresh Models” to list them.',
			commands.refreshModels,
		]);
	});
});

describe('the note in the Servers view', () => {
	test('says why a client has no models, and is absent if it has some or has not been asked yet', () => {
		expect(missingModels(client, { ...none, failure: keyless })).toBe(
			'Models of “router” could not be listed: openrouter.ai requires an API key (401).',
		);
		expect(missingModels(client, { ...some, failure: keyless })).toBeUndefined();
		expect(missingModels(client, none)).toBeUndefined();
	});

	test('is one short line, whatever the endpoint says', () => {
		const failure = { kind: 'failed', message: `a\n\u202Eb${'c'.repeat(2_000)}`, wantsKey: false } as const;
		expect(missingModels(client, { ...none, failure })?.length).toBeLessThan(500);
		expect(missingModels(client, { ...none, failure })).not.toMatch(/[\n\u202E]/);
	});
});
