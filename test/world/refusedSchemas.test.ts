import { describe, expect, test } from 'vitest';
import { type DialectName, dialectOf } from '../../src/models/schemas/dialects.ts';
import { turn } from '../unit/chat/conversation.ts';
import { servers, sessionOf, tool } from '../unit/discovery/fixtures.ts';
import { type ChatBody, ChatEndpoint, saying, shownText } from './chatEndpoint.ts';

/** Names of models behind OpenAI's protocol, and whose schemas they take. */
const named: readonly (readonly [model: string, dialect: DialectName, from: string])[] = [
	['anthropic/claude-sonnet-4.5', 'anthropic', 'https://openrouter.ai/models'],
	[
		'eu.anthropic.claude-haiku-4-5-v1:0',
		'anthropic',
		'BerriAI/litellm: model_prices_and_context_window.json',
	],
	[
		'vertex_ai/claude-opus-4-1@20250805',
		'anthropic',
		'BerriAI/litellm: model_prices_and_context_window.json',
	],
	['sonnet', 'anthropic', 'anthropics/claude-code#31800'],
	['google/gemini-2.5-pro-preview', 'gemini', 'continuedev/continue#6510'],
	['gemini/gemini-3.1-pro-preview', 'gemini', 'openswarm-ai/openswarm#24'],
	['openai/gpt-5.4', 'openai', 'https://openrouter.ai/models'],
	['opusculum-7b', 'openai', 'https://huggingface.co/models'],
];

describe('whose schemas a model takes, by its name', () => {
	test.each(named)('%s: %s (%s)', (model, dialect) => {
		expect(dialectOf('openai', model)).toBe(dialect);
	});
});

/** Refusals of one tool of a model whose name says nothing. `broken`: whether a request is refused. */
interface Row {
	readonly what: string;
	/** The definition of `crm__list`, the second of three tools. */
	readonly schema: object;
	readonly says: object;
	/** Whether another form of the schema helps; otherwise the tool is left out. */
	readonly helps: boolean;
	readonly from: string;
}

const filter = { type: 'object', properties: { $filter: { type: 'string' }, top: { type: 'integer' } } };
const numbers = { type: 'object', properties: { phases: { type: 'integer', enum: [0, 1, 3] } } };

const rows: readonly Row[] = [
	{
		what: 'names of arguments, at Claude',
		schema: filter,
		says: {
			error: {
				type: 'invalid_request_error',
				message:
					"tools.1.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
			},
		},
		helps: true,
		from: 'anthropics/claude-code#586',
	},
	{
		what: 'an enumeration of numbers, at Gemini',
		schema: numbers,
		says: {
			error: {
				code: 400,
				status: 'INVALID_ARGUMENT',
				message:
					"Invalid value at 'request.tools[0].function_declarations[1].parameters.properties[0].value.enum[0]' (TYPE_STRING), 0",
			},
		},
		helps: true,
		from: 'google-gemini/gemini-cli#4127',
	},
	{
		what: 'the same within a list, from a gateway',
		schema: numbers,
		says: [
			{
				error: {
					code: 400,
					message:
						'* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[phases].enum[0]: cannot be empty',
					status: 'INVALID_ARGUMENT',
				},
			},
		],
		helps: true,
		from: 'cline/cline#7339',
	},
	{
		what: 'all schemas together, at llama.cpp',
		schema: { type: 'object', properties: { text: { type: 'string', maxLength: 900 } } },
		says: {
			error: {
				code: 400,
				message: 'Failed to initialize samplers: failed to parse grammar',
				type: 'invalid_request_error',
			},
		},
		helps: true,
		from: 'AtomicBot-ai/Atomic-Chat#272',
	},
	{
		what: 'a schema, at Claude, whatever is sent',
		schema: filter,
		says: {
			type: 'error',
			error: {
				type: 'invalid_request_error',
				message:
					'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).',
			},
		},
		helps: false,
		from: 'anthropics/claude-code#31800',
	},
	{
		what: 'a function by its name',
		schema: filter,
		says: {
			error: {
				type: 'invalid_request_error',
				message:
					"Invalid schema for function 'crm__list': 'any' is not valid under any of the given schemas.",
				param: 'tools[1].function.parameters',
				code: 'invalid_function_parameters',
			},
		},
		helps: false,
		from: 'blurrah/mcp-graphql#14',
	},
	{
		what: 'a function by its name, at Vertex',
		schema: numbers,
		says: {
			error: {
				code: 400,
				message:
					"Unable to submit request because crm__list functionDeclaration parameters.phases schema didn't specify the schema type field.",
			},
		},
		helps: false,
		from: 'google-gemini/gemini-cli#4400',
	},
	{
		what: 'a path into a schema, and what is missing there, at Moonshot',
		schema: { type: 'object', properties: { phases: { enum: ['text', 'raw'] } } },
		says: {
			error: {
				message:
					"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.phases': type is not defined>",
				type: 'invalid_request_error',
			},
		},
		helps: false,
		from: 'anomalyco/opencode#40127',
	},
	{
		what: 'a path into a schema, and what is wrong there, at Moonshot',
		schema: {
			type: 'object',
			properties: { skill: { type: 'string', anyOf: [{ minLength: 1 }, { maxLength: 9 }] } },
		},
		says: {
			error: {
				message:
					"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.skill': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
				type: 'invalid_request_error',
			},
		},
		helps: false,
		from: 'nicobailon/pi-subagents#127',
	},
	{
		what: 'the whole schema, at Moonshot',
		schema: { type: 'object', anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
		says: {
			error: {
				message:
					"tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
				type: 'invalid_request_error',
			},
		},
		helps: false,
		from: 'MoonshotAI/kimi-code#2661',
	},
];

function isPlain(body: ChatBody): boolean {
	const { properties = {} } =
		body.tools?.find((tool) => tool.function.name === 'crm__list')?.function.parameters ?? {};
	return !JSON.stringify(properties).match(/\$filter|"enum":\[0|"maxLength"/);
}

describe('a tool that the provider refuses', () => {
	test.each(rows)('$what ($from)', async ({ schema, says, helps }) => {
		const tools = servers({
			a: ['ok'],
			crm: [{ ...tool('crm', 'list', 'List'), inputSchema: { ...schema } }],
			z: ['ok'],
		});
		const session = sessionOf(tools, { enabled: false });
		await using endpoint = await ChatEndpoint.start((body) => {
			const has = body.tools?.some((tool) => tool.function.name === 'crm__list');
			return has && !(helps && isPlain(body)) ? { status: 400, body: says } : saying('done');
		});

		const { events, end } = await turn(endpoint.model, { session });
		expect(shownText(events)).toBe('done');
		expect(end).toEqual({ type: 'end', reason: 'answered' });
		const dropped = events.filter(({ type }) => type === 'toolDropped');
		expect(dropped).toMatchObject(helps ? [] : [{ name: 'crm__list' }]);
		expect(endpoint.bodies.at(-1)?.tools?.length).toBe(helps ? 3 : 2);

		// It is known from then on.
		const before = endpoint.bodies.length;
		await turn(endpoint.model, { session });
		expect(endpoint.bodies.length).toBe(before + 1);
	});
});
