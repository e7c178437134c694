import { expect, onTestFinished, test } from 'vitest';
import { withoutEscapes } from '../../../../src/common/markdown.ts';
import { refOfClient } from '../../../../src/config/models/clientDefinition.ts';
import { explanationOf } from '../../../../src/models/http/explanation.ts';
import { failureOf } from '../../../../src/models/http/failure.ts';
import { openConfig } from '../../../../src/vscode/config/configCommands.ts';
import { ChatRenderer } from '../../../../src/vscode/participant/chatRenderer.ts';
import { manageSecrets } from '../../../../src/vscode/secrets/manageSecrets.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { questions, shown } from '../editor.ts';
import { keyStore } from '../openConfiguration.ts';
import { openServers } from '../openServers.ts';
import { chatStream } from './chatStream.ts';

/** Shows what a client of the configuration says in place of an answer, and does what the button below it does. */
async function afterRefusal(baseUrl: string, status: number, body: object) {
	const clients = { lm: { provider: 'openai', base_url: baseUrl } };
	const text = JSON.stringify({ clients, models: { m: { client: 'lm', model: 'm' } } });
	const window = await openServers({ work: text });
	const [client] = window.configFile.inForce?.config.clients ?? [];
	if (!client) throw new Error('there is no client');
	const error = failureOf({ ...client, name: 'lm' }, { ...explanationOf(body), status });
	const { stream, lines, buttons } = chatStream();
	const asked = { client: refOfClient(client), baseUrl: client.baseUrl, message: 'hello' };
	const renderer = new ChatRenderer(stream, 's', asked);
	onTestFinished(() => renderer.dispose());
	renderer.render({ type: 'end', reason: 'failed', error });
	const [button, ...others] = buttons;
	expect(others).toEqual([]);
	const [first, second] = button?.arguments ?? [];
	const keys = keyStore();
	const modelLists = { stateOf: () => ({ models: [] }) as never };
	if (button?.command === commands.manageSecrets)
		await manageSecrets({ ...window, keys, modelLists }, first, second);
	if (button?.command === commands.openConfig) await openConfig(window, first as never);
	return {
		said: withoutEscapes(lines.join('')),
		leadsTo: [button?.command, String(first ?? '')],
		file: client.file,
	};
}

const unknownKey = { error: { message: 'Incorrect API key provided: nope.', code: 'invalid_api_key' } };

test('when a key is wrong, then the button asks for the key of that client', async () => {
	const { said } = await afterRefusal('https://models.example/v1', 401, unknownKey);
	expect(said).toContain('Set the key with the command “Discovery: Set API Key or Secret…”.');
	expect(questions).toEqual(['Set API Key of “lm” (hidden)']);
});

test('when the model or the address is unknown, then the button opens the file at that client', async () => {
	const body = { error: { message: 'The model `m` does not exist', code: 'model_not_found' } };
	const { said, file } = await afterRefusal('https://models.example/v1', 404, body);
	expect(said).toContain('Check "model" and "base_url" of the client “lm” in the configuration file.');
	expect(shown.map(({ uri }) => uri.toString())).toEqual([file]);
});

/** What a refusal says, the advice below it, and the command and place that its button leads to. The bodies are rows of `test/world/refusals`. */
const pages: readonly (readonly [what: string, string, number, string, advice: string, string, string])[] = [
	[
		'there is no credit',
		'https://openrouter.ai/api/v1',
		402,
		'This request requires more credits, or fewer max_tokens.',
		'Add credit there, or pick another model.',
		'vscode.open',
		'https://openrouter.ai/settings/credits',
	],
	[
		'the organization is not verified',
		'https://api.openai.com/v1',
		400,
		'Your organization must be verified to stream this model.',
		'Verify your organization there, or pick another model.',
		'vscode.open',
		'https://platform.openai.com/settings/organization/general',
	],
	[
		'no endpoint calls tools',
		'https://openrouter.ai/api/v1',
		404,
		'No endpoints found that support tool use.',
		'Pick a model that can.',
		'workbench.action.chat.openModelPicker',
		'',
	],
	[
		'the quota of the day is used up',
		'https://api.groq.com/openai/v1',
		429,
		'Limit of requests per day was reached.',
		'Wait until it is renewed, raise it there, or pick another model.',
		'vscode.open',
		'https://console.groq.com/settings/billing',
	],
];

test.each(pages)('when %s, then the button leads where that is changed', async (...row) => {
	const [, baseUrl, status, message, advice, command, place] = row;
	const { said, leadsTo } = await afterRefusal(baseUrl, status, { error: { message } });
	expect(said).toContain(advice);
	expect(leadsTo).toEqual([command, place]);
});
