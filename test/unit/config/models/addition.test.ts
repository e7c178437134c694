import { describe, expect, test } from 'vitest';
import {
	type ChosenEndpoint,
	clientFor,
	namedEndpoints,
	planModel,
	readEndpoint,
} from '../../../../src/config/models/addition.ts';
import { edited, load, scope } from '../fixtures.ts';

/** The provider and the URL of the most likely endpoint, and the other protocols that it may have. */
function read(text: string): string {
	const reading = readEndpoint(text);
	if (reading.kind !== 'endpoints') return reading.kind;
	const [first, ...others] = reading.endpoints;
	return [
		`${first?.name} ${first?.provider} ${first?.baseUrl}`,
		...others.map(({ provider }) => provider),
	].join(', ');
}

describe('an address', () => {
	test.each([
		['https://openrouter.ai/api/v1', 'openrouter openai https://openrouter.ai/api/v1'],
		['openrouter.ai', 'openrouter openai https://openrouter.ai/api/v1'],
		['curl https://api.openai.com/v1/chat/completions \\', 'openai openai https://api.openai.com/v1'],
		['https://api.anthropic.com/v1/messages', 'anthropic anthropic https://api.anthropic.com'],
		[
			'OPENAI_BASE_URL="http://localhost:1234/v1"',
			'local openai http://localhost:1234/v1, anthropic, ollama',
		],
		['localhost:8080', 'local openai http://localhost:8080/v1, anthropic, ollama'],
		['127.0.0.1:11434', 'ollama ollama http://127.0.0.1:11434'],
		['http://gpu.lan:11434/v1/', 'ollama ollama http://gpu.lan:11434'],
		['http://localhost:11434/api/chat', 'ollama ollama http://localhost:11434'],
		['https://api.deepseek.com/anthropic', 'deepseek.com anthropic https://api.deepseek.com/anthropic'],
		[
			'https://llm.example.com/team/v1/models?limit=5',
			'llm.example.com openai https://llm.example.com/team/v1, anthropic, ollama',
		],
		[
			'(see https://api.groq.com/openai/v1).',
			'groq.com openai https://api.groq.com/openai/v1, anthropic, ollama',
		],
		[
			'https://acme.openai.azure.com/',
			'acme.openai.azure.com openai https://acme.openai.azure.com/openai/v1',
		],
		['https://user:secret@example.com/v1', 'fault'],
		['openai', 'none'],
		['gpt-5.4', 'none'],
		['', 'none'],
	])('of %j is read as %s', (text, expected) => {
		expect(read(text)).toBe(expected);
	});
});

const chosen = (endpoint: ChosenEndpoint, model: string, isListed = true) => ({ endpoint, model, isListed });

/** The file after a model was added, and the name of the model's entry. */
function added(
	text: string | undefined,
	model: string,
	endpoint: ChosenEndpoint = namedEndpoints.openrouter,
) {
	const plan = planModel(chosen(endpoint, model), text, scope);
	return { ...plan, text: edited(text ?? '', plan?.edits) };
}

describe('adding a model', () => {
	test('to no file writes one with its client and the model, and no key', () => {
		const { text, name } = added(undefined, 'moonshotai/kimi-k2');
		expect(JSON.parse(text)).toEqual({
			clients: { openrouter: { provider: 'openai', base_url: 'https://openrouter.ai/api/v1' } },
			models: { 'kimi-k2': { client: 'openrouter', model: 'moonshotai/kimi-k2' } },
		});
		expect(name).toBe('kimi-k2');
		expect(load(text).problems).toEqual([]);
	});

	test('leaves out the URL of the provider itself', () => {
		expect(added('{}', 'gpt-5.4', namedEndpoints.openai).text).toContain(
			'"openai": { "provider": "openai" }',
		);
	});

	const file = `{
	// mine
	"clients": { "router": { "provider": "openai", "base_url": "\${env:ROUTER}" }, "openai": { "provider": "ollama" } },
	"models": {
		"kimi-k2": { "client": "router", "model": "a/kimi-k2" }, // the old one
	},
}`;

	test.each([
		[
			'uses the client that has the address already, and a free name',
			namedEndpoints.openrouter,
			'b/kimi-k2',
			'"kimi-k2-2": { "client": "router", "model": "b/kimi-k2" }',
		],
		[
			'gives a new client a free name',
			namedEndpoints.openai,
			'gpt-5.4',
			'"gpt-5.4": { "client": "openai-2", "model": "gpt-5.4" }',
		],
	] as const)('%s', (_, endpoint, model, entry) => {
		const inFile = { ...scope, env: { ROUTER: 'https://openrouter.ai/api/v1/' } };
		const text = edited(file, planModel(chosen(endpoint, model), file, inFile)?.edits);
		expect(text.replaceAll(/\s+/g, ' ')).toContain(entry);
		expect(text).toContain('// mine');
		expect(text).toContain('// the old one');
	});

	test('that is there already changes nothing', () => {
		const { text } = added('{}', 'x/y');
		expect(added(text, 'x/y')).toMatchObject({ state: 'present', name: 'y', text });
	});

	test('that its client offers with all others adds no entry, which would hide the others', () => {
		const offersAll =
			'{ "clients": { "router": { "provider": "openai", "base_url": "https://openrouter.ai/api/v1" } } }';
		expect(added(offersAll, 'x/y')).toMatchObject({ state: 'present', text: offersAll });
		const typed = planModel(chosen(namedEndpoints.openrouter, 'x/y', false), offersAll, scope);
		expect(typed).toMatchObject({ state: 'new', name: 'y' });
	});

	test('uses a client of the user’s own file', () => {
		const users = clientFor(namedEndpoints.openai, '{}', scope);
		const elsewhere = { servers: [], clients: users ? [{ ...users, name: 'mine' }] : [] };
		const plan = planModel(chosen(namedEndpoints.openai, 'gpt-5.4'), '{}', {
			...scope,
			elsewhere,
		} as typeof scope);
		expect(JSON.parse(edited('{}', plan?.edits))).toEqual({
			models: { 'gpt-5.4': { client: 'mine', model: 'gpt-5.4' } },
		});
	});

	test.each(['{', '[]', '{ "models": [] }', '{ "clients": "none" }'])(
		'to a file that cannot be changed is refused: %s',
		(text) => {
			expect(planModel(chosen(namedEndpoints.openai, 'gpt-5.4'), text, scope)).toBeUndefined();
		},
	);
});
