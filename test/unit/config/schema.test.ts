import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { editorSchema } from '../../../scripts/configSchema/editorSchema.ts';
import { type JsonRecord, recordOf } from '../../../src/common/json.ts';
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

/** What is inserted by the suggestions of a schema. */
function bodiesOf({ defaultSnippets }: JsonRecord): readonly unknown[] {
	return list(defaultSnippets).map((snippet) => recordOf(snippet).body);
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
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

	test('completes a key whose text can be anything with an empty text, and describes the examples', () => {
		const { command } = file.definitions.server.properties;
		expect(command.examples).toBeUndefined();
		expect(bodiesOf(command)).toEqual(['$1']);
		expect(command.markdownDescription).toContain('For example: `"npx"`, `"node"`');
	});

	test('suggests only one name for each setting', () => {
		const server = file.definitions.server.properties;
		const hidden = [...Object.entries(file.properties), ...Object.entries(server)].flatMap(([key, schema]) =>
			(schema as { doNotSuggest?: boolean }).doNotSuggest ? [key] : [],
		);
		expect(hidden.toSorted()).toEqual(['lazy', 'lazy_mcp', 'mcpServers', 'mcp_servers', 'tools', 'type']);
	});

	/** VS Code matches suggestions by their JSON: a `{` that a person types would match, and Enter would accept one. */
	test('suggests no object or list, and has VS Code complete their keys with brackets', () => {
		const all = [...schemas(file)];
		const suggested = all.flatMap((one) => [...bodiesOf(one), ...list(one.examples), one.default ?? 0]);
		const isNested = (value: unknown) => /^\^?[[{]/.test(JSON.stringify(value).replace(/^"/, ''));
		expect(suggested.filter(isNested)).toEqual([]);
		const { properties } = file.definitions.server;
		for (const key of ['env', 'headers', 'tools']) expect(properties[key].properties).toEqual({});
		for (const key of ['args', 'enabled_tools']) expect(properties[key].items).toBeDefined();
		expect(properties.args.markdownDescription).toContain('For example: `["-y",');
	});
});
