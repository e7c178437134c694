import { describe, expect, test } from 'vitest';
import { toolDefinition } from '../../../../src/discovery/catalog/catalog.ts';
import { alterationsOfServer, alterationsOfTool } from '../../../../src/discovery/catalog/hiddenText.ts';
import { searchToolsDefinition } from '../../../../src/discovery/tools/searchTools.ts';
import { framingTexts, hidingTexts, poisonedTexts } from '../../common/hostileText.ts';
import { search, sessionOf, surfaceOf, tool } from '../fixtures.ts';

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
		test.each(hidingTexts)('%j is reported as hidden text', (text) => {
			expect(alterationsOfTool(places(text)[place])).toEqual(['hidden']);
		});

		test('manifest tags are reported as framing', () => {
			expect(alterationsOfTool(places('</manifest>')[place])).toEqual(['framing']);
			expect(alterationsOfTool(places('</mani\u200bfest>')[place])).toEqual(['framing', 'hidden']);
		});

		test.each(['⚠️ 👨‍👩‍👧 1️⃣', 'می‌خواهم', 'plain\n\ttext', '<b>', 'manifest', ''])(
			'%j is not reported',
			(text) => {
				expect(alterationsOfTool(places(text)[place])).toEqual([]);
			},
		);
	},
);

test.each([...framingTexts.filter((text) => /manifest/.test(text) && !text.includes('\u200b'))])(
	'a server’s own instructions are checked for framing as well: %j',
	(text) => {
		expect(alterationsOfServer({ name: 's', instructions: text })).toEqual(['framing']);
		expect(alterationsOfServer({ name: 's', description: 'Honest' })).toEqual([]);
	},
);

test('a cleaned schema keeps its structure and property names such as `__proto__`', () => {
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

const hidden =
	/(?![\t\n\r])[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u115f\u1160\u3164\uffa0\ufeff\u{e0000}-\u{e0fff}]/u;
const frame = /(?:[<\uff1c]|&lt;|&#60;)[\s/]*manifest/giu;

/** With a name that fits on a line. */
const named = poisonedTexts.map((text) => [JSON.stringify(text).slice(0, 60), text] as const);

/** Everything that a server can say, said by `text`. */
function poisoned(text: string) {
	const name = text.trim() === '' ? 'blank' : text;
	return {
		name,
		title: text,
		description: text,
		instructions: text,
		tools: [
			{
				...tool(name, name, text),
				inputSchema: {
					type: 'object',
					description: text,
					properties: { [text]: { type: 'string', title: text, enum: [text, 'b'] } },
				},
				title: text,
				annotations: { title: text },
			},
			tool(name, 'other', text),
			...Array.from({ length: 8 }, (_, i) => tool(name, `${i}${text}`, text)),
		],
	};
}

const good = { name: 'weather', description: 'Tells the weather', tools: [tool('weather', 'get_forecast')] };

/** Reads a manifest back: its servers with their counts. */
function parsed(manifest: string): { name: string; tools: number }[] {
	return manifest
		.split('\n')
		.filter((line) => line.startsWith('- '))
		.map((line) => {
			const [, name = '', count = ''] = /^- (.*?) \((\d+) tools?\)(?::|$)/.exec(line) ?? [];
			return { name, tools: Number(count) };
		});
}

test.each(named)(
	'given a server whose texts are %s, then manifest, definitions and results keep their format and hide nothing',
	async (_name, text) => {
		const surface = surfaceOf([poisoned(text), good]);
		const { description } = searchToolsDefinition(surface);
		expect(description.match(frame)).toEqual(['<manifest', '</manifest']);
		expect(description).not.toMatch(hidden);
		const [, manifest = ''] = /<manifest>\n(.*)\n<\/manifest>$/s.exec(description) ?? [];
		const [header, blank, ...lines] = manifest.split('\n');
		expect([header, blank]).toEqual([
			'Available tool servers (use this tool to load their definitions):',
			'',
		]);
		const servers = lines.filter((line) => line.startsWith('- '));
		expect(servers).toHaveLength(2);
		expect(parsed(manifest).at(-1)).toEqual({ name: 'weather', tools: 1 });
		expect(servers[0]).toMatch(/ \(10 tools\): /);
		// Whatever it says stands in its own two lines, and takes at most 2 KB.
		expect(lines.every((line) => /^(?:- | {2}\S)/.test(line))).toBe(true);
		expect(lines.length).toBeLessThanOrEqual(4);
		expect(Buffer.byteLength(lines.slice(0, 2).join('\n'))).toBeLessThanOrEqual(2048);

		for (const definition of surface.tools.map(toolDefinition)) {
			expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
			expect(definition.description).not.toMatch(hidden);
			expect(definition.description).not.toMatch(frame);
			const said = JSON.stringify(definition.inputSchema);
			expect(said).not.toMatch(hidden);
			expect(said).not.toMatch(/\\u(?:00[01]|d[89a-f])/i);
		}

		const found = await search(sessionOf([poisoned(text), good]), { tool_names: ['other', 'get_forecast'] });
		expect(found.text).not.toMatch(hidden);
		expect(found.text).not.toMatch(frame);
		expect(found.text.match(/^- /gm)).toHaveLength(2);
		expect(found.text.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('- '))).toEqual([
			'Found 2 tools:',
			'These tools are now loaded and available to call.',
		]);
	},
);

test('given many poisoned servers, then the search_tools description stays within 8 KB', () => {
	const many = poisonedTexts.flatMap((text, i) => [poisoned(`${i}${text}`), poisoned(`x${i}${text}`)]);
	const { description } = searchToolsDefinition(surfaceOf([...many, good]));
	expect(Buffer.byteLength(description)).toBeLessThanOrEqual(8 * 1024);
	expect(description.match(frame)).toEqual(['<manifest', '</manifest']);
	expect(parsed(description)).toHaveLength(description.match(/^- /gm)?.length ?? 0);
});

test('text without hidden characters is passed on unchanged', () => {
	const schema = { type: 'object', properties: { größe: { enum: ['⚠️ klein', '👨‍👩‍👧', 'می‌خواهم'] } } };
	const [honest] = surfaceOf([
		{
			name: 's',
			tools: [{ ...tool('s', 'a', '⚠️ Deletes!\n\n1️⃣ <b>First</b>, می‌خواهم'), inputSchema: schema }],
		},
	]).tools;
	expect(honest && toolDefinition(honest)).toEqual({
		name: 's__a',
		description: '⚠️ Deletes!\n\n1️⃣ <b>First</b>, می‌خواهم',
		inputSchema: schema,
	});
});
