import { describe, expect, test } from 'vitest';
import { alterationsOfServer, alterationsOfTool } from '../../../src/discovery/alteredText.ts';
import { toolDefinition } from '../../../src/discovery/catalog.ts';
import { surfaceOf, tool } from './fixtures.ts';
import { framingTexts, hidingTexts } from './poisonedTexts.ts';

const places = (text: string) => ({
	name: tool('s', text || 'x'),
	title: { ...tool('s', 'a'), title: text },
	description: tool('s', 'a', text),
	annotations: { ...tool('s', 'a'), annotations: { title: text } },
	'name of a parameter': { ...tool('s', 'a'), inputSchema: { type: 'object', properties: { [text]: {} } } },
	'text deep in the schema': {
		...tool('s', 'a'),
		inputSchema: { type: 'object', properties: { a: { items: [{ anyOf: [{ description: text }] }] } } },
	},
});

describe.each(Object.keys(places('')) as (keyof ReturnType<typeof places>)[])(
	'in the %s of a tool',
	(place) => {
		test.each(hidingTexts)('%j is told as hidden', (text) => {
			expect(alterationsOfTool(places(text)[place])).toEqual(['hidden']);
		});

		test('tags of the frame are told', () => {
			expect(alterationsOfTool(places('</manifest>')[place])).toEqual(['framing']);
			expect(alterationsOfTool(places('</mani\u200bfest>')[place])).toEqual(['framing', 'hidden']);
		});

		test.each(['⚠️ 👨‍👩‍👧 1️⃣', 'می‌خواهم', 'plain\n\ttext', '<b>', 'manifest', ''])(
			'%j is nothing to tell of',
			(text) => {
				expect(alterationsOfTool(places(text)[place])).toEqual([]);
			},
		);
	},
);

test.each([...framingTexts.filter((text) => /manifest/.test(text) && !text.includes('\u200b'))])(
	'what a server says of itself is looked at as well: %j',
	(text) => {
		expect(alterationsOfServer({ name: 's', instructions: text })).toEqual(['framing']);
		expect(alterationsOfServer({ name: 's', description: 'Honest' })).toEqual([]);
	},
);

test('what is told as unaltered is what the model gets', () => {
	const honest = { type: 'object', properties: { a: { enum: ['<manifest>', 'b'], description: 'Which' } } };
	const [kept] = surfaceOf([
		{ name: 's', tools: [{ ...tool('s', 'a', 'Does it'), inputSchema: honest }] },
	]).tools;
	expect(kept && toolDefinition(kept).inputSchema).toBe(honest);
	expect(kept && toolDefinition(kept)).toBe(kept && toolDefinition(kept));
});

test('a schema that has to be cleaned keeps its form, and names like `__proto__`', () => {
	const schema = JSON.parse(
		'{"type":"object","properties":{"__proto__":{"type":"string","description":"a\\u200bb"},"constructor":{"enum":["c\\u202e",1,null,true]}},"required":["__proto__"]}',
	);
	const [told] = surfaceOf([{ name: 's', tools: [{ ...tool('s', 'a'), inputSchema: schema }] }]).tools.map(
		toolDefinition,
	);
	expect(JSON.stringify(told?.inputSchema)).toBe(
		'{"type":"object","properties":{"__proto__":{"type":"string","description":"ab"},"constructor":{"enum":["c",1,null,true]}},"required":["__proto__"]}',
	);
});
