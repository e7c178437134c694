import { describe, expect, test } from 'vitest';
import { callFrom, coerceArguments } from '../../src/models/wireCalls.ts';

/** Arguments as an endpoint sent them, and what they mean; `unclear`: the call must not run. */
interface Row {
	readonly what: string;
	readonly sent: unknown;
	readonly means: object | 'unclear';
	readonly from: string;
}

const fence = '```';

const rows: readonly Row[] = [
	{
		what: 'encoded twice',
		sent: JSON.stringify('{ "n": 2 }'),
		means: { n: 2 },
		from: 'quarkiverse/quarkus-langchain4j#2642',
	},
	{
		what: 'encoded twice',
		sent: JSON.stringify('{"city":"New York"}'),
		means: { city: 'New York' },
		from: 'huggingface/smolagents#1003',
	},
	{
		what: 'encoded three times',
		sent: JSON.stringify(JSON.stringify('{"city":"Bengaluru"}')),
		means: { city: 'Bengaluru' },
		from: 'tridz-dev/huf#676',
	},
	{ what: 'none, as JSON', sent: 'null', means: {}, from: 'AIDotNet/OpenDeepWiki#392' },
	{ what: 'none, as a conversion writes them', sent: 'null\n', means: {}, from: 'langroid/langroid#988' },
	{ what: 'none, as an empty text', sent: '', means: {}, from: 'brave/brave-browser#56601' },
	{ what: 'an object', sent: { path: 'a.txt' }, means: { path: 'a.txt' }, from: 'ollama/ollama#12413' },
	{
		what: 'after the empty ones with which a call began',
		sent: '{}{"city":"paris"}',
		means: { city: 'paris' },
		from: 'openai/openai-agents-js#712',
	},
	{
		what: 'in a fence',
		sent: `${fence}json\n{"city":"paris"}\n${fence}`,
		means: { city: 'paris' },
		from: 'earendil-works/pi#8858',
	},
	{
		what: 'in a fence without a language',
		sent: `${fence}\n{"city":"paris"}\n${fence}`,
		means: { city: 'paris' },
		from: 'agents-flex/agents-flex#64',
	},
	{
		what: 'words before a fence',
		sent: `Action Input: ${fence}json\n{"a":1}\n${fence}`,
		means: { a: 1 },
		from: 'agents-flex/agents-flex#64',
	},
	{
		what: 'half a fence',
		sent: `{"a":{"b":1}}\n${fence}`,
		means: { a: { b: 1 } },
		from: 'agentscope-ai/QwenPaw#6364',
	},
	{
		what: 'a tag of the template',
		sent: '{"a":1}</tool_call>',
		means: { a: 1 },
		from: 'agentscope-ai/QwenPaw#6364',
	},
	{
		what: 'a fence encoded again',
		sent: JSON.stringify(`${fence}json\n{"a":1}\n${fence}`),
		means: { a: 1 },
		from: 'tailcallhq/forgecode#2764',
	},
	{
		what: 'words after the object',
		sent: '{"path": "a.txt"} trailing text',
		means: { path: 'a.txt' },
		from: 'NousResearch/hermes-agent#79333',
	},
	{
		what: 'braces within a text',
		sent: 'Here: {"code":"if (a) { b[0] }"}',
		means: { code: 'if (a) { b[0] }' },
		from: 'NousResearch/hermes-agent#79333',
	},
	{
		what: 'line breaks and tabs within a text',
		sent: '{"message": "feat: add\n\n\tmore \\n of it", "all": true}',
		means: { message: 'feat: add\n\n\tmore \n of it', all: true },
		from: 'MoonshotAI/kimi-cli#1378',
	},
	{
		what: 'escapes between values',
		sent: '{"path": "/a\\n.py", "range": \\n[21, 22]\\n\\n}',
		means: { path: '/a\n.py', range: [21, 22] },
		from: 'OpenHands/software-agent-sdk#2488',
	},
	{
		what: 'a comma at the end',
		sent: '{"paths": ["a,]", "b",], "n": 1,\n}',
		means: { paths: ['a,]', 'b'], n: 1 },
		from: 'mozilla-ai/clawbolt#300',
	},
	{
		what: 'constants of Python',
		sent: '{"deep": True, "limit": None, "say": "None, True"}',
		means: { deep: true, limit: null, say: 'None, True' },
		from: 'NousResearch/atropos#479',
	},
	{
		what: 'a whole number with more digits than JavaScript keeps',
		sent: '{"id": 2512292042121000001, "n": [-9007199254740993], "half": 0.5}',
		means: {
			id: JSON.rawJSON('2512292042121000001'),
			n: [JSON.rawJSON('-9007199254740993')],
			half: 0.5,
		},
		from: 'earendil-works/pi#8943',
	},
	// Two calls in one text, parts of a call, and anything else that may be another call than was meant.
	{
		what: 'two objects',
		sent: '{"query": "Emma Bull"}{"query": "Virginia Woolf"}',
		means: 'unclear',
		from: 'huggingface/smolagents#1958',
	},
	{
		what: 'a program',
		sent: 'import csv\nmax_country=None',
		means: 'unclear',
		from: 'OpenHands/OpenHands#10187',
	},
	{
		what: 'cut off',
		sent: `${fence}json\n{"todos":[{"a":1}`,
		means: 'unclear',
		from: 'langchain-ai/langchain#33012',
	},
	{
		what: 'cut off within',
		sent: '{"files":[{"a":1}, {"b"',
		means: 'unclear',
		from: 'langchain-ai/langchain#33012',
	},
	{ what: 'a list', sent: '[{"a":1}]', means: 'unclear', from: 'huggingface/smolagents#1958' },
	{ what: 'a text', sent: '"paris"', means: 'unclear', from: 'openclaw/openclaw#40425' },
];

describe('arguments of calls', () => {
	test.each(rows)('$what ($from)', ({ sent, means }) => {
		const { input, fault } = callFrom('1', 'files__read', sent);
		expect(fault === undefined ? input : 'unclear').toEqual(means);
	});
});

const todos = { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } };

/** Values within arguments, and what they are where the schema of a tool allows no text. */
const values: readonly {
	readonly what: string;
	readonly asked: object;
	readonly sent: unknown;
	readonly means: unknown;
	readonly from: string;
}[] = [
	{
		what: 'a list as a text',
		asked: todos,
		sent: '[{"title":"a"}]',
		means: [{ title: 'a' }],
		from: 'MoonshotAI/kimi-cli#2513',
	},
	{
		what: 'an object as a text',
		asked: { type: 'object' },
		sent: '{"a":1}',
		means: { a: 1 },
		from: 'MoonshotAI/kimi-cli#2513',
	},
	{
		what: 'a number as a text',
		asked: { type: 'integer' },
		sent: '5',
		means: 5,
		from: 'google-gemini/gemini-cli#3780',
	},
	{
		what: 'a text that looks like a number',
		asked: { type: 'string' },
		sent: '42',
		means: '42',
		from: 'MoonshotAI/kimi-cli#2513',
	},
	{
		what: 'a number where a text is asked for',
		asked: { type: 'string' },
		sent: 42,
		means: '42',
		from: 'openclaw/mcporter#63',
	},
	{
		what: 'a number that may have been a version',
		asked: { type: 'string' },
		sent: 1.1,
		means: 1.1,
		from: 'openclaw/mcporter#63',
	},
	{
		what: 'a long number as a text',
		asked: { type: 'integer' },
		sent: '2512292042121000001',
		means: JSON.rawJSON('2512292042121000001'),
		from: 'iswalle/getnote-mcp#15',
	},
	{
		what: 'a long number where a text is asked for',
		asked: { type: 'string' },
		sent: JSON.rawJSON('1917043659912705296'),
		means: '1917043659912705296',
		from: 'iswalle/getnote-mcp#15',
	},
	{
		what: 'a constant of Python as a text',
		asked: { type: 'boolean' },
		sent: 'True',
		means: true,
		from: 'NousResearch/atropos#479',
	},
	{
		what: 'a text or a list',
		asked: { type: ['string', 'array'] },
		sent: '[1]',
		means: '[1]',
		from: 'MoonshotAI/kimi-cli#2513',
	},
	{
		what: 'a word where a list is asked for',
		asked: { type: 'array' },
		sent: 'light',
		means: 'light',
		from: 'HunorLaczko/ha-groq-cloud-api#20',
	},
	{
		what: 'broken JSON',
		asked: { type: 'object' },
		sent: '{oops}',
		means: '{oops}',
		from: 'MoonshotAI/kimi-cli#2513',
	},
];

describe('values within arguments', () => {
	test.each(values)('$what ($from)', ({ asked, sent, means }) => {
		const schema = { type: 'object', properties: { value: asked } };
		expect(coerceArguments({ value: sent }, schema, schema)).toEqual({ value: means });
	});
});

/** Optional values that models send as `null` or as an empty text, and whether they are left out. */
const unset: readonly (readonly [
	what: string,
	asked: object,
	sent: null | '',
	isLeftOut: boolean,
	from: string,
])[] = [
	['null for a text', { type: 'string' }, null, true, 'danny-avila/LibreChat#11905'],
	['null for a list', { type: 'array' }, null, true, 'docker/docker-agent#1696'],
	[
		'null where it is allowed',
		{ anyOf: [{ type: 'string' }, { type: 'null' }] },
		null,
		false,
		'openclaw/openclaw#96729',
	],
	['null where a list of types has it', { type: ['string', 'null'] }, null, false, 'openclaw/openclaw#96729'],
	['null where anything is allowed', {}, null, false, 'openclaw/openclaw#96729'],
	['an empty text for a number', { type: 'integer' }, '', true, 'coder/xum#3893'],
	['an empty text', { type: 'string' }, '', false, 'coder/xum#3893'],
];

describe('optional values that are not set', () => {
	test.each(unset)('%s (%j, %j)', (_what, asked, sent, isLeftOut) => {
		const schema = { type: 'object', properties: { value: asked, other: asked }, required: ['other'] };
		const given = { value: sent, other: sent };
		expect(coerceArguments(given, schema, schema)).toEqual(isLeftOut ? { other: sent } : given);
	});
});
