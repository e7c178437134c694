import { describe, expect, test } from 'vitest';
import { resourceReader } from '../../../../src/chat/resources.ts';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { callChoices, questionText } from '../../../../src/vscode/participant/callQuestion.ts';

const tools = new Catalog(
	[
		{
			name: 'files',
			tools: [
				{ server: 'files', name: 'write', inputSchema: {} },
				{ server: 'files', name: 'move', inputSchema: {} },
				{ server: 'files', name: 'wipe', inputSchema: {}, annotations: { destructiveHint: true } },
			],
		},
	],
	1,
).tools;
const [write, , wipe] = tools as readonly [CatalogTool, CatalogTool, CatalogTool];

const waiting = (tool: CatalogTool, args = {}) => ({ tool, args, flows: [], chat: 'this' });
const facts = { canAllow: true, isDoubted: false, tools };
const labels = (...args: Parameters<typeof callChoices>) => callChoices(...args).map(({ label }) => label);

describe('given a call that waits for the user', () => {
	test('then once and in this chat are in sight, and the rest in the menu', () => {
		expect(labels(waiting(write), facts)).toEqual([
			'Allow Once',
			'Allow in This Chat',
			'Skip',
			'Always Allow in This Workspace',
			'Allow All Tools of files in This Chat, Except Destructive Ones',
			'Always Allow All Tools of files, Except Destructive Ones',
			'Never Allow in This Workspace',
		]);
	});

	test('then of a tool that may destroy, permission for the others of its server is not offered', () => {
		expect(labels(waiting(wipe), facts).join()).not.toContain('All Tools');
	});

	test('then in a chat of which nothing is known, nothing is offered for it, and no is in sight', () => {
		expect(labels({ ...waiting(write), chat: undefined }, facts).slice(0, 2)).toEqual(['Allow Once', 'Skip']);
		expect(labels({ ...waiting(write), chat: undefined }, facts).join()).not.toContain('This Chat');
	});

	test('then no permission is offered that would not count', () => {
		expect(labels(waiting(write), { ...facts, canAllow: false })).toEqual([
			'Allow Once',
			'Skip',
			'Never Allow in This Workspace',
		]);
	});

	test('then a server that says that its tool only reads can be believed', () => {
		const choices = callChoices(waiting(write), { ...facts, isDoubted: true });
		expect(choices.find(({ choice }) => choice.kind === 'trust')?.label).toBe(
			'Trust Read-Only Marks of files',
		);
		expect(questionText(waiting(write), true)).toContain('Marked read-only by files');
	});

	test('then the agent that asks for it is named', () => {
		expect(questionText({ ...waiting(write), agent: 'cl`erk' }, false)).toContain(
			'The agent cl\\`erk asks for this call.',
		);
		expect(questionText(waiting(write), false)).not.toContain('agent');
	});

	test('then of our own tool that reads resources, nothing is put into the mouth of its server', () => {
		const text = questionText(waiting(resourceReader('library')), true);
		expect(text).toContain('MCP Discovery adds this tool to read resources of library.');
		expect(text).not.toContain('says');
	});

	test('then a rule about a name that is too long to be kept is not offered', () => {
		const endless = { ...write, name: 'x'.repeat(5_000) };
		expect(labels(waiting(endless), facts)).toEqual(['Allow Once', 'Skip']);
	});

	test('then no server can give one button the words of another', () => {
		const names = ['Skip', 'Allow Once', 'files in This Chat, Except Destructive Ones', '$(check) ok'];
		for (const server of names) {
			const shown = labels({ ...waiting({ ...write, server }) }, { ...facts, isDoubted: true });
			expect(new Set(shown).size).toBe(shown.length);
			expect(shown.join()).not.toContain('$(check)');
		}
	});
});

describe('given the arguments of a call', () => {
	test('then short ones stand in a list, and long ones and those of several lines whole in blocks', () => {
		const content = `first line\n${'x'.repeat(300)}\nlast line`;
		const text = questionText(waiting(write, { path: 'a.txt', content }), false);
		expect(text).toContain('- path: `a.txt`');
		expect(text).toContain(`content:\n\n\`\`\`\n${content}\n\`\`\``);
	});

	test('then what is too long is counted', () => {
		const text = questionText(waiting(write, { content: 'x'.repeat(10_000) }), false);
		expect(text).toContain('… and 6000 more characters');
		expect(text.length).toBeLessThan(5_000);
		const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`a${i}`, i]));
		expect(questionText(waiting(write, many), false)).toContain('… and 20 more arguments');
	});

	test('then nothing in them ends its block', () => {
		const text = questionText(waiting(write, { content: 'a\n```\n[x](command:y)\n```\nb' }), false);
		expect(text).toMatch(/\n\ncontent:\n\n````\n/);
		expect(text).toMatch(/\n````$/);
	});

	test('then none is said', () => {
		expect(questionText(waiting(wipe), false)).toBe(
			'`files:wipe`\n\nMay delete or overwrite data.\n\nIt gets no arguments.',
		);
	});
});
