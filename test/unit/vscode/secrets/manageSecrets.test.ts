import { describe, expect, test } from 'vitest';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import { manageSecrets } from '../../../../src/vscode/secrets/manageSecrets.ts';
import { answers, messages, questions } from '../editor.ts';
import { keyStore } from '../openConfiguration.ts';
import { openServers } from '../openServers.ts';

const TEXT = JSON.stringify({
	clients: { lm: { provider: 'openai', base_url: 'http://127.0.0.1:9/v1' } },
	models: { qwen: { client: 'lm', model: 'qwen3' } },
	servers: { acme: { command: 'node', env: { TOKEN: `\${env:ACME_TOKEN}`, REGION: `\${env:ACME_REGION}` } } },
});

/** A window on a configuration with a client and a server that reads two variables. */
async function openWindow() {
	const window = await openServers({ work: TEXT });
	const { configFile, secrets } = window;
	const keys = keyStore();
	const [file] = configFile.files;
	if (!file) throw new Error('there is no file');
	const services = { ...window, keys, modelLists: { stateOf: () => ({ models: [] }) as never } };
	return {
		...services,
		folder: file.folder,
		manage: (named?: unknown) => manageSecrets(services, named),
		/** The values of the server's variables, as it would get them. */
		values: () => secrets.values(file.folder),
	};
}

describe('given a client and a server that reads two variables', () => {
	test('then the list names every key and secret with its state, and shows no value', async () => {
		const { manage, secrets, folder, configFile } = await openWindow();
		await secrets.store(folder, [
			{ name: 'ACME_TOKEN', value: 'abc' },
			{ name: 'UNUSED', value: 'def' },
		]);
		await configFile.reload();
		await manage();
		expect(questions).toMatchInlineSnapshot(`
			[
			  "API Keys
			lm · no key · http://127.0.0.1:9/v1 · qwen
			Secrets for Servers
			ACME_REGION · not set, but a server reads it
			ACME_TOKEN · stored
			UNUSED · stored, but no server reads it
			Add Secret… · read by servers as \${env:NAME}",
			]
		`);
	});

	test('when a missing secret is chosen, then it is typed hidden and stored, and a server that failed without it can be started', async () => {
		const { manage, values, setStatus, serverModels } = await openWindow();
		setStatus('acme', { state: { kind: 'failed', error: new ServerError('acme', 'crashed', 'It ended.') } });
		answers.push('ACME_TOKEN', 'abc', 'Try Again');
		await manage();
		expect(questions.at(-1)).toBe('Enter Secret ACME_TOKEN (hidden)');
		expect(await values()).toEqual({ ACME_TOKEN: 'abc' });
		expect(messages).toEqual(['Discovery: ACME_TOKEN is stored. Servers that read it: acme. | Try Again']);
		await expect.poll(() => serverModels.server('acme')?.status.state.kind).toBe('ready');
	});

	test('when a stored secret is removed, then it is gone', async () => {
		const { manage, secrets, folder, values } = await openWindow();
		await secrets.store(folder, [{ name: 'ACME_TOKEN', value: 'abc' }]);
		answers.push('ACME_TOKEN', 'Remove');
		await manage();
		expect(await values()).toEqual({});
		expect(messages).toEqual(['Discovery: removed the secret ACME_TOKEN.']);
	});

	test('when the list or the input is closed, then nothing changes', async () => {
		const { manage, values } = await openWindow();
		await manage();
		answers.push('ACME_REGION');
		await manage();
		await manage('ACME_TOKEN');
		expect([await values(), messages]).toEqual([{}, []]);
	});

	test('when the command names a client, then only its key is asked for', async () => {
		const { manage, configFile } = await openWindow();
		const [client] = configFile.inForce?.config.clients ?? [];
		await manage(client && { file: client.file, name: client.name });
		expect(questions).toMatchInlineSnapshot(`
			[
			  "Set API Key of “lm” (hidden)",
			]
		`);
	});
});
