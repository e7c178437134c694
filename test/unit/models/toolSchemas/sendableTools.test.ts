import { expect, test } from 'vitest';
import { sendableTools } from '../../../../src/models/toolSchemas/sendableTools.ts';
import { providers, tool } from './asking.ts';

const needsRewriting = { $schema: 'x', type: 'object', properties: { a: { const: 1, oneOf: [{}] } } };

test.each(providers)('a definition asked for again gives %s the same object', (provider) => {
	const definition = tool(needsRewriting);
	const [first] = sendableTools([definition], provider).tools;
	const [second] = sendableTools([tool({ type: 'object' }), definition], provider).tools.slice(1);
	expect(second).toBe(first);
	expect(first).not.toBe(definition);
});

test('a definition made anew with the same schema has its own name and description', () => {
	const [first] = sendableTools([tool(needsRewriting, 'Before')], 'openai').tools;
	const [second] = sendableTools([tool(needsRewriting, 'After')], 'openai').tools;
	expect(second?.description).toBe('After');
	expect(second?.inputSchema).toBe(first?.inputSchema);
});

test('each provider has its own', () => {
	const definition = tool({ type: 'object', properties: { a: { const: 1 } } });
	const [openai, anthropic, ollama] = providers.map(
		(provider) => sendableTools([definition], provider).tools[0],
	);
	expect(anthropic).toBe(definition);
	expect(openai?.inputSchema).toEqual(ollama?.inputSchema);
	expect(openai).not.toBe(definition);
});

test('the order stays, and what is dropped is named', () => {
	const tools = ['c', 'a', 'b'].map((name) => ({
		...tool({ type: name === 'a' ? 'string' : 'object' }),
		name,
	}));
	const { tools: sent, dropped } = sendableTools(tools, 'openai');
	expect(sent.map(({ name }) => name)).toEqual(['c', 'b']);
	expect(dropped.map(({ name }) => name)).toEqual(['a']);
});

test('a description is never empty, is Unicode, and has an end', () => {
	const described = (description: string) =>
		sendableTools([tool({ type: 'object', properties: {} }, description)], 'openai').tools[0]?.description;
	expect(described(' ')).toBe('server__tool');
	expect(described('half \ud83d')).toBe('half \ufffd');
	expect(described('x'.repeat(40_000))).toHaveLength(32_768);
});

test('what a schema cannot say has its place behind a description of any length', () => {
	const schema = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
	const [sent] = sendableTools([tool(schema, 'x'.repeat(40_000))], 'anthropic').tools;
	expect(sent?.description).toMatch(/\.\.\.\n\nTakes one of: \(1\) a; \(2\) b$/);
});
