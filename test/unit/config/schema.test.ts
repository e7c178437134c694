import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { editorSchema } from '../../../scripts/configSchema/editorSchema.ts';
import { configTemplate } from '../../../src/config/assist/templates.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { load } from './fixtures.ts';

test('a new configuration has discovery on, one deferred server and no problems', () => {
	const { config, problems } = load(configTemplate);
	expect(problems).toEqual([]);
	expect(config?.policy.enabled).toBe('auto');
	expect(config?.policy.servers.get('files')?.deferLoading).toBe(true);
	expect(config?.launches.get('files')).toMatchObject({
		command: 'npx',
		args: ['-y', '@modelcontextprotocol/server-filesystem', '/work space/project'],
	});
});

test('every key of the file has a description in its JSON Schema', () => {
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

const file = JSON.parse(readFileSync('media/casual_mcp_config.schema.json', 'utf8'));

/** Every keyword of JSON Schema draft 7 that can reject a file. */
const judging = new Set(
	'type enum const required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems contains minProperties maxProperties propertyNames patternProperties dependencies not if then else oneOf allOf deprecationMessage'.split(
		' ',
	),
);

/** Every schema within a schema, itself first. */
function* schemas(schema: Record<string, unknown>): Generator<Record<string, unknown>> {
	yield schema;
	const { properties = {}, definitions = {}, additionalProperties, items, anyOf = [] } = schema;
	const inner = [
		...Object.values(properties as object),
		...Object.values(definitions as object),
		...(anyOf as unknown[]),
		additionalProperties,
		items,
	];
	for (const one of inner)
		if (typeof one === 'object' && one !== null) yield* schemas(one as Record<string, unknown>);
}

/** What VS Code inserts for the body of a snippet. */
function inserted(body: unknown): unknown {
	if (Array.isArray(body)) return body.map(inserted);
	if (typeof body === 'object' && body !== null)
		return Object.fromEntries(Object.entries(body).map(([key, value]) => [inserted(key), inserted(value)]));
	if (typeof body !== 'string') return body;
	const text = body.replaceAll(/\$\{\d:([^{}]*)\}/g, '$1').replaceAll(/\\([$}\\])/g, '$1');
	return text.startsWith('^') ? JSON.parse(text.slice(1)) : text;
}

describe('the JSON Schema of the configuration file', () => {
	test('is what scripts/configSchema/main.ts generates from the loader’s schema', () => {
		expect(file).toEqual(JSON.parse(JSON.stringify(editorSchema())));
	});

	test('rejects nothing, because the extension reports every error itself', () => {
		const found = [...schemas(file)].flatMap((schema) =>
			Object.keys(schema).filter((key) => judging.has(key)),
		);
		expect(found).toEqual([]);
		expect([...schemas(file)].filter(({ additionalProperties }) => additionalProperties === false)).toEqual(
			[],
		);
	});

	test('has every key of the file, in all three server sections', () => {
		expect(Object.keys(file.properties)).toEqual(Object.keys(configSchema.shape));
		const refs = ['servers', 'mcpServers', 'mcp_servers'].map(
			(section) => file.properties[section].additionalProperties.$ref,
		);
		expect(new Set(refs)).toEqual(new Set(['#/definitions/server']));
	});

	test('describes every choice and the defaults', () => {
		const { transport } = file.definitions.server.properties;
		expect(transport.markdownDescription).toContain('- `"sse"`: HTTP with server-sent events');
		expect(transport.defaultSnippets.map(({ body }: { body: string }) => body)).toEqual([
			'streamable-http',
			'http',
			'sse',
		]);
		expect(file.properties.tool_discovery.properties.max_search_results.markdownDescription).toContain(
			'Default: `5`',
		);
	});

	test('suggests only one name for each setting', () => {
		const server = file.definitions.server.properties;
		const hidden = [...Object.entries(file.properties), ...Object.entries(server)].flatMap(([key, schema]) =>
			(schema as { doNotSuggest?: boolean }).doNotSuggest ? [key] : [],
		);
		expect(hidden.toSorted()).toEqual(['lazy', 'lazy_mcp', 'mcpServers', 'mcp_servers', 'tools', 'type']);
	});

	test('suggests snippets for new entries', () => {
		const others = { clients: { openai: { provider: 'openai' } }, servers: { server: { command: 'x' } } };
		for (const section of ['servers', 'mcpServers', 'mcp_servers', 'clients', 'models', 'tool_sets']) {
			const { $ref, ...own } = file.properties[section].additionalProperties;
			// VS Code ignores what is beside "$ref".
			const offered = ($ref === undefined ? own : file.definitions.server).defaultSnippets;
			expect(offered.length).toBeGreaterThan(0);
			for (const { body } of offered) {
				const entry = inserted(body);
				const text = JSON.stringify({
					...others,
					[section]: { ...others[section as 'clients'], new: entry },
				});
				expect(load(text, { API_KEY: 'k' }).problems).toEqual([]);
			}
		}
	});
});
