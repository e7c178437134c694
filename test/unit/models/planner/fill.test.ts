import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import { fill as fillTool } from '../../../../src/models/planner/fill.ts';
import { readSentence } from '../../../../src/models/planner/sentence.ts';
import { workspaceFolder } from './requests.ts';

/** What a prompt gives a tool of these properties, of which all are required. */
function fill(prompt: string, properties: Record<string, JsonSchema>, more: JsonSchema = {}, reads = false) {
	const inputSchema = { type: 'object', properties, required: Object.keys(properties), ...more };
	const tool = { name: 'any__do', description: '', inputSchema };
	const { input, missing, guesses } = fillTool(tool, readSentence(prompt), { workspaceFolder, reads });
	return { input, missing, guesses };
}

const string = { type: 'string' };

test.each<[string, Record<string, JsonSchema>, Record<string, unknown>]>([
	['do n=3', { n: { type: 'integer' } }, { n: 3 }],
	['do called 7', { name: string }, { name: '7' }],
	['do n="3"', { n: { type: 'number' } }, { n: 3 }],
	['do id=007', { id: string }, { id: '007' }],
	['do flag=false', { flag: { type: 'boolean' } }, { flag: false }],
	['do tags=\'["a","b"]\'', { tags: { type: 'array', items: string } }, { tags: ['a', 'b'] }],
	['do ids=[1,2]', { ids: { type: 'array', items: { type: 'number' } } }, { ids: [1, 2] }],
	['do options=\'{"a": 1}\'', { options: { type: 'object' } }, { options: { a: 1 } }],
	['do level=HIGH', { level: { enum: ['low', 'high'] } }, { level: 'high' }],
	['do value=true', { value: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }, { value: true }],
	['do value=3', { value: { $ref: '#/$defs/n' } }, { value: 3 }],
	['do with the text 7', { content: string }, { content: '7' }],
	['do with the text No', { content: string }, { content: 'No' }],
	['do with the text a.md.', { content: string }, { content: 'a.md' }],
	['fetch https://x.y/z?a=b.', { url: string }, { url: 'https://x.y/z?a=b' }],
	['do __proto__=x', JSON.parse('{"__proto__": {"type": "string"}}'), JSON.parse('{"__proto__": "x"}')],
	[
		'write "a" to c.md, title="b.md"',
		{ content: string, path: string, title: string },
		{ content: 'a', path: 'c.md', title: 'b.md' },
	],
])('"%s" gives values of the expected types', (prompt, properties, input) => {
	expect(fill(prompt, properties, { $defs: { n: { type: 'integer' } } })).toEqual({
		input,
		missing: [],
		guesses: [],
	});
});

test.each<[string, Record<string, JsonSchema>]>([
	['do n=3.5', { n: { type: 'integer' } }],
	['do n=12345678901234567890', { n: { type: 'integer' } }],
	['do level=medium', { level: { enum: ['low', 'high'] } }],
	['do tags=a,b', { tags: { type: 'array', items: string } }],
	['do ids=a', { ids: { type: 'array', items: { type: 'number' } } }],
	['do options=none', { options: { type: 'object' } }],
	['do', { text: string }],
	// Filling in a constant would confirm what nobody has said.
	['do', { confirmRisk: { const: true }, size: { type: 'number', default: 5 } }],
	['read the config file', { path: string }],
	['do "a" and "b"', { one: string, other: string }],
	['do with the text below', { content: string }],
	['do with the text this', { content: string }],
	['do with the text of mine', { content: string }],
	['do called new folder', { name: string }],
	['do "Buy milk"', { task_id: string }],
	['delete 2 messages', { message_number: { type: 'number' } }],
	['mail bob@x.com ann@y.org', { email: string, replyEmail: string }],
])('"%s" gives no value instead of a wrong one', (prompt, properties) => {
	expect(fill(prompt, properties)).toEqual({ input: {}, missing: Object.keys(properties), guesses: [] });
});

test.each<[string, Record<string, JsonSchema>, Record<string, unknown>]>([
	['move a.md to b.md', { source: string, destination: string }, { source: 'a.md', destination: 'b.md' }],
	[
		'move a.md into the archive folder',
		{ source: string, destination: string },
		{ source: 'a.md', destination: 'archive' },
	],
	['what is in the release-notes folder?', { path: string }, { path: 'release-notes' }],
	['show the orders table', { tableName: string }, { tableName: 'orders' }],
	['list this folder', { path: string }, { path: '.' }],
	['show the files of my project', { path: string }, { path: '.' }],
])('"%s" gives values that are probably meant, marked as guesses', (prompt, properties, input) => {
	const filled = fill(prompt, properties, {}, true);
	expect(filled).toMatchObject({ input, missing: [] });
	expect(filled.guesses).not.toEqual([]);
});

test.each<[string, Record<string, JsonSchema>]>([
	['create a new folder', { path: string }],
	['list folder', { path: string }],
	['show the last 5 days', { id: { type: 'integer' } }],
	['delete the branch', { branch: string }],
])('"%s" gives nothing to guess', (prompt, properties) => {
	expect(fill(prompt, properties, {}, true).input).toEqual({});
});
