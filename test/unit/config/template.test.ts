import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { configSchema } from '../../../src/config/schema.ts';
import { configTemplate } from '../../../src/config/template.ts';
import { load } from './fixtures.ts';

test('a fresh configuration has discovery on and one deferred server, and no problem', () => {
	const { config, problems } = load(configTemplate);
	expect(problems).toEqual([]);
	expect(config?.policy.enabled).toBe(true);
	expect(config?.policy.servers.get('files')?.deferLoading).toBe(true);
	expect(config?.launches.get('files')).toMatchObject({
		command: 'npx',
		args: ['-y', '@modelcontextprotocol/server-filesystem', '/work space/project'],
	});
});

test('every key of the file is described in its JSON Schema', () => {
	const undescribed: string[] = [];
	const visit = (schema: unknown, path: string) => {
		const { properties, additionalProperties } = schema as {
			properties?: object;
			additionalProperties?: unknown;
		};
		for (const [key, inner] of Object.entries(properties ?? {})) {
			if (!inner.description) undescribed.push(`${path}.${key}`);
			visit(inner, `${path}.${key}`);
		}
		if (typeof additionalProperties === 'object') visit(additionalProperties, `${path}.*`);
	};
	visit(toJSONSchema(configSchema, { io: 'input' }), '');
	expect(undescribed).toEqual([]);
});
