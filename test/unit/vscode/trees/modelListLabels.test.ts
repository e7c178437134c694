import { describe, expect, test } from 'vitest';
import type { ClientDefinition } from '../../../../src/config/models/clientDefinition.ts';
import type { ListState } from '../../../../src/vscode/core/modelLists.ts';
import { missingModels } from '../../../../src/vscode/trees/modelListLabels.ts';

const client: ClientDefinition = {
	file: '',
	name: 'router',
	provider: 'openai',
	baseUrl: 'https://openrouter.ai/api/v1',
};
const none: ListState = { models: [] };
const some: ListState = {
	models: [{ model: 'a' }],
};
const keyless = {
	kind: 'failed',
	message: 'openrouter.ai requires an API key (401).',
} as const;

describe('the note in the Servers view', () => {
	test('says why a client has no models, and is absent if it has some or has not been asked yet', () => {
		expect(missingModels(client, { ...none, failure: keyless })).toMatchSnapshot();
		expect(missingModels(client, { ...some, failure: keyless })).toBeUndefined();
		expect(missingModels(client, none)).toBeUndefined();
	});

	test('is one short line, whatever the endpoint says', () => {
		const failure = { kind: 'failed', message: `a\n\u202Eb${'c'.repeat(2_000)}` } as const;
		expect(missingModels(client, { ...none, failure })?.length).toBeLessThan(500);
		expect(missingModels(client, { ...none, failure })).not.toMatch(/[\n\u202E]/);
	});
});
