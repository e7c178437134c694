import { expect, test } from 'vitest';
import { unsendableSchema } from '../../../unsendableSchema.ts';
import { parsed, providers, sendableTools, sent, tool } from './asking.ts';

const needsRewriting = { $schema: 'x', type: 'object', properties: { a: { const: 1, oneOf: [{}] } } };

test('the same definition gives the same object when it is prepared again', () => {
	const definition = tool(needsRewriting);
	const [first] = sendableTools([definition], 'openai').tools;
	const [second] = sendableTools([tool({ type: 'object' }), definition], 'openai').tools.slice(1);
	expect(second).toBe(first);
	expect(first).not.toBe(definition);
});

test('a new definition with the same schema keeps its own description', () => {
	const [first] = sendableTools([tool(needsRewriting, 'Before')], 'openai').tools;
	const [second] = sendableTools([tool(needsRewriting, 'After')], 'openai').tools;
	expect(second?.description).toBe('After');
	expect(second?.inputSchema).toBe(first?.inputSchema);
});

test('tools keep their order, and dropped ones are named', () => {
	const tools = ['c', 'a', 'b'].map((name) => ({
		...tool(name === 'a' ? unsendableSchema : { type: 'object' }),
		name,
	}));
	const { tools: sent, dropped } = sendableTools(tools, 'openai');
	expect(sent.map(({ name }) => name)).toEqual(['c', 'b']);
	expect(dropped.map(({ name }) => name)).toEqual(['a']);
});

test('a description is never empty, is valid Unicode, and has a maximum length', () => {
	const described = (description: string) =>
		sendableTools([tool({ type: 'object', properties: {} }, description)], 'openai').tools[0]?.description;
	expect(described(' ')).toBe('server__tool');
	expect(described('half \ud83d')).toBe('half \ufffd');
	expect(described('x'.repeat(40_000))).toHaveLength(32_768);
});

test('what a schema cannot express is appended to a description of any length', () => {
	const schema = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
	const [sent] = sendableTools([tool(schema, 'x'.repeat(40_000))], 'anthropic').tools;
	expect(sent?.description).toMatch(/\.\.\.\n\nTakes one of: \(1\) a; \(2\) b$/);
});

test.each(providers)('a schema that every provider accepts is sent to %s byte for byte', (provider) => {
	const schema = parsed(`{
		"type": "object",
		"properties": {
			"path": { "type": "string", "description": "Where it is" },
			"lines": { "type": "array", "items": { "type": "integer" } },
			"mode": { "type": "string", "enum": ["r", "w"] },
			"range": { "type": "object", "properties": { "from": { "type": ["integer", "null"] } }, "required": ["from"] },
			"any": {}
		},
		"required": ["path"],
		"additionalProperties": false
	}`);
	expect(JSON.stringify(sent(schema, provider).inputSchema)).toBe(JSON.stringify(schema));
});

test('a tool without parameters gets an object without properties', () => {
	for (const schema of [
		{},
		{ type: 'object' },
		{ type: 'OBJECT' },
		{ type: ['object', 'null'], properties: 3 },
	]) {
		expect(sent(schema).inputSchema).toEqual({ type: 'object', properties: {} });
	}
});

test('a schema that is not an object accepts any arguments, and is described in words', () => {
	const { inputSchema, description } = sent({ type: 'array', items: { type: 'string' } });
	expect(inputSchema).toEqual({ type: 'object', properties: {} });
	expect(description).toContain('Its schema: {"type":"array","items":{"type":"string"}}');
});

test.each(['anyOf', 'oneOf'])(
	'alternatives under top-level %s become one object and are described in words',
	(union) => {
		const circle = {
			type: 'object',
			properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
			required: ['kind', 'radius'],
		};
		const square = {
			type: 'object',
			title: 'A square',
			properties: { kind: { const: 'square' }, side: { type: 'number' }, tilt: { type: 'number' } },
			required: ['kind', 'side'],
		};
		const tool = sent({ [union]: [circle, square, { type: 'string' }] });
		const kind = { type: 'string', enum: ['circle', 'square'] };
		expect(tool.inputSchema).toEqual({
			type: 'object',
			properties: { kind, radius: { type: 'number' }, side: { type: 'number' }, tilt: { type: 'number' } },
			required: ['kind'],
		});
		expect(tool.description).toBe(
			'Does a thing.\n\nTakes one of: (1) kind = "circle", radius; (2) A square: kind = "square", side, optionally tilt',
		);
	},
);

test('when one of several arguments is required, then all are optional, and the description says so', () => {
	const schema = {
		type: 'object',
		properties: { id: { type: 'string' }, url: { type: 'string' }, mode: { type: 'string' } },
		required: ['mode'],
		anyOf: [{ required: ['id'] }, { required: ['url'] }],
	};
	const { inputSchema, description } = sent(schema);
	expect(inputSchema).toEqual({ type: 'object', properties: schema.properties, required: ['mode'] });
	expect(description).toContain('Takes one of: (1) id; (2) url');
});

test('the parts of a top-level allOf are merged, with what each requires', () => {
	const schema = {
		allOf: [
			{ properties: { a: { type: 'number', minimum: 1 } }, required: ['a'] },
			{ properties: { a: { type: 'integer', maximum: 5 }, b: { type: 'string' } }, required: ['b'] },
		],
	};
	expect(sent(schema).inputSchema).toMatchObject({
		type: 'object',
		properties: { a: { type: 'number', minimum: 1, maximum: 5 }, b: { type: 'string' } },
		required: ['a', 'b'],
	});
});

test('top-level keywords that no provider accepts are moved to the description', () => {
	const { inputSchema, description } = sent({
		type: 'object',
		properties: { a: { type: 'string' } },
		not: { required: ['a', 'b'] },
		if: { required: ['a'] },
		// biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word
		then: { required: ['b'] },
		enum: [{ a: 'x' }],
	});
	expect(Object.keys(inputSchema)).toEqual(['type', 'properties']);
	expect(description).toContain('not: {"required":["a","b"]}');
	expect(description).toContain('then: {"required":["b"]}');
});

test('an optional argument with a name that Anthropic rejects is moved to the description', () => {
	const schema = {
		type: 'object',
		properties: { 'filter[id]': { type: 'string' }, page: { type: 'integer' } },
		additionalProperties: false,
	};
	const { inputSchema, description } = sent(schema, 'anthropic');
	expect(inputSchema).toEqual({ type: 'object', properties: { page: { type: 'integer' } } });
	expect(description).toContain('Also takes "filter[id]": {"type":"string"}');
	expect(JSON.stringify(sent(schema, 'openai').inputSchema)).toBe(JSON.stringify(schema));
});

test('a required argument with such a name is described as required, and the tool is sent', () => {
	const schema = {
		type: 'object',
		properties: { 'Page ID': { type: 'string' }, text: { type: 'string' } },
		required: ['Page ID', 'text'],
	};
	const { inputSchema, description } = sent(schema, 'anthropic');
	expect(inputSchema).toEqual({
		type: 'object',
		properties: { text: { type: 'string' } },
		required: ['text'],
	});
	expect(description).toContain('Requires an argument by this exact name, "Page ID": {"type":"string"}');
	expect(JSON.stringify(sent(schema, 'openai').inputSchema)).toBe(JSON.stringify(schema));
	expect(
		sent({ properties: { 'Page ID': {} }, required: ['Page ID'] }, 'anthropic').inputSchema.required,
	).toEqual([]);
});
