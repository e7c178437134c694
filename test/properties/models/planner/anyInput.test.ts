import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import type { ToolDefinition } from '../../../../src/discovery/catalog/tool.ts';
import { errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { answerText, callsOf, plainAnswer } from '../../../../src/models/answerParts.ts';
import { decide, OfflinePlanner } from '../../../../src/models/planner/offlinePlanner.ts';
import { runs } from '../../../effort.ts';
import { expectLinear } from '../../../linear.ts';
import { linkTexts, poisonedTexts } from '../../../unit/common/hostileText.ts';
import { allLoaded, Conversation } from '../../../unit/models/planner/conversation.ts';
import { workspaceFolder } from '../../../unit/models/planner/requests.ts';
import { activeTokens } from '../../../unit/vscode/markedTokens.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const key = fc.constantFrom(
	'type',
	'properties',
	'required',
	'items',
	'enum',
	'const',
	'default',
	'anyOf',
	'$ref',
	'path',
	'__proto__',
	'constructor',
);
const schemaLike = fc.letrec((tie) => ({
	schema: fc.dictionary(
		key,
		fc.oneof(
			{ depthSize: 'small' },
			json,
			tie('schema'),
			fc.array(tie('schema'), { maxLength: 3 }),
			fc.constantFrom('string', 'number', 'array', 'object', '#', '#/properties/path', ['path', 'nothing']),
		),
		{ maxKeys: 6 },
	),
})).schema;
const property = fc.constantFrom<unknown>(
	{ type: 'string' },
	{ type: 'integer' },
	{ type: ['boolean', 'null'] },
	{ enum: ['a', null, 3, {}] },
	{ type: 'array', items: { type: 'number' } },
	{ type: 'object' },
	{ $ref: '#' },
	{ anyOf: [{ type: 'number' }, { const: 'x' }] },
	true,
	7,
	null,
);
const sane = fc.record({
	type: fc.constant('object'),
	properties: fc.dictionary(
		fc.oneof(fc.string(), fc.constantFrom('path', 'content', 'a', '__proto__')),
		property,
	),
	required: fc.array(fc.constantFrom('path', 'content', 'a', 'b')),
});
const schema = fc.oneof(schemaLike, sane, json.filter(isRecord)) as fc.Arbitrary<JsonSchema>;
const words = fc.constantFrom(
	'create',
	'a',
	'file',
	'called',
	'x.txt',
	'with',
	'the',
	'text',
	'path',
	'content:',
	'a=1',
	'"q',
	"'w'",
	'[1, 2]',
	'{',
	'and then',
	'https://x.y',
	'7',
	'true',
	'```',
	'tool',
	'one__tool',
);
const prompt = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.array(words).map((all) => all.join(' ')),
);

function isRecord(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const planner = new OfflinePlanner(() => workspaceFolder, String);

test('for any schema and prompt, the planner ends with a text or a complete call of an offered tool', async () => {
	await fc.assert(
		fc.asyncProperty(schema, prompt, prompt, async (inputSchema, first, second) => {
			const tools: ToolDefinition[] = [{ name: 'one__tool', description: 'creates a file', inputSchema }];
			const messages: ChatMessage[] = [];
			for (const text of [first, second]) {
				messages.push({ role: 'user', text });
				await answer(messages, tools);
			}
		}),
		{ numRuns: runs(25), examples: [[{}, '❶', '']] },
	);
});

async function answer(messages: ChatMessage[], tools: readonly ToolDefinition[]): Promise<void> {
	for (let round = 0; round <= 5; round++) {
		const { signal } = new AbortController();
		const parts = await planner.answer({ system: '', messages, tools }, signal, () => undefined);
		const calls = callsOf(parts);
		const text = answerText(parts);
		expect(calls.length > 0 || text.trim() !== '').toBe(true);
		messages.push(plainAnswer(text, calls));
		if (calls.length === 0) return;
		for (const call of calls) {
			const tool = tools.find(({ name }) => name === call.name);
			const required: unknown = tool?.inputSchema.required;
			expect(tool).toBeDefined();
			for (const name of Array.isArray(required) ? required.filter((item) => typeof item === 'string') : []) {
				expect(Object.hasOwn(call.input, name)).toBe(true);
			}
		}
		messages.push({
			role: 'tool',
			results: calls.map(({ id }) => ({ callId: id, result: { content: [], isError: false } })),
		});
	}
	expect.unreachable('the turn did not end');
}

const sampleTools = new Conversation(undefined, allLoaded).session.nextHead.tools;

test.each([
	' ',
	'.',
	'", "',
	'«',
	'\n- read a',
	'saying x then read ',
	' in docs',
	' path=',
	' called ',
	' 1',
	'```',
	'a',
])('the planner reads a long run of %j in time proportional to its length', (sign) => {
	expectLinear(sign, (text) =>
		decide(
			{ messages: [{ role: 'user', text: `read a.txt${text}` }], tools: sampleTools },
			workspaceFolder,
			String,
		),
	);
});

test.each([...linkTexts, ...poisonedTexts].map((text) => [JSON.stringify(text).slice(0, 60), text] as const))(
	'the result %s is reported as inert text that neither fetches nor runs anything',
	(_name, text) => {
		for (const result of [textResult(text), errorResult(text), textResult(JSON.stringify({ a: text }))]) {
			const messages: ChatMessage[] = [
				{ role: 'user', text: 'echo "hello there"' },
				plainAnswer('', [{ id: 'c', name: 'everything__echo', input: { message: 'hello there' } }]),
				{ role: 'tool', results: [{ callId: 'c', result }] },
			];
			const report = decide({ messages, tools: [] }, workspaceFolder, String);
			expect(report.kind).not.toBe('call');
			expect(activeTokens(report.kind === 'call' ? '' : report.text)).toEqual([]);
		}
	},
);
