import { afterAll, describe, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { LoopbackProvider } from './loopbackProvider.ts';
import { configText, openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

const storedKey = 'sk-vault-0123456789abcdef';
const borrowedKey = 'sk-bazaar-fedcba9876543210';
const vault = await LoopbackProvider.start({ key: storedKey });
const bazaar = await LoopbackProvider.start({ key: borrowedKey });
afterAll(async () => {
	await vault[Symbol.asyncDispose]();
	await bazaar[Symbol.asyncDispose]();
});

const test = workbenchTest(() =>
	openFiles({
		'casual_mcp_config.json': configText({
			clients: {
				vault: { provider: 'anthropic', base_url: vault.url },
				bazaar: { provider: 'openai', base_url: `${bazaar.url}/v1` },
			},
			models: {
				Keeper: { client: 'vault', model: 'claude-sonnet-4-5' },
				Trader: { client: 'bazaar', model: 'gpt-4.1' },
			},
		}),
		'.env': `OPENAI_API_KEY=${borrowedKey}\nLOG_LEVEL=debug\n`,
	}),
);

describe('a person talks to a model that wants a key', () => {
	test('has none: is told so, sets it with a button, and is answered', async ({ workbench }) => {
		const { chat, page } = workbench;
		await chat.pickModel('Keeper');
		await chat.send('open up');
		await chat.waitForIdle();
		expect(await chat.responseText()).toMatch(new RegExp(`${vault.host}.*API key`));
		await workbench.screenshot('key-missing');

		await chat.pressInAnswer('Set API Key…');
		const input = page.locator('.quick-input-widget', { hasText: 'Set API Key of “vault”' });
		await input.filter({ hasText: vault.host }).waitFor();
		await input.locator('input[type=password]').waitFor();
		await workbench.screenshot('key-input');
		vault.willSay({ content: 'It is open.' });
		await workbench.answerInput(storedKey);
		await eventually(async () => (await workbench.notifications()).join()).toContain('Models: Keeper.');
		await workbench.screenshot('key-stored');
		// The message that failed is sent again; what is being typed stays.
		await workbench.answerNotification('stored the key of “vault”', 'Try Again');
		await eventually(() => chat.responseText()).toBe('It is open.');
		await chat.waitForIdle();
		expect(vault.keys).toEqual([undefined, storedKey]);
	});

	test('has it in .env for somebody else: is asked before it is sent there, and only once', async ({
		workbench,
	}) => {
		const { chat, page } = workbench;
		await chat.pickModel('Trader');
		bazaar.willSay({ content: 'What may it be?' }, { content: 'Two for one.' });
		await chat.send('good morning');
		const dialog = page.locator('.monaco-dialog-box', { hasText: `http://${bazaar.host}` });
		await dialog.getByText('OPENAI_API_KEY').waitFor();
		await workbench.screenshot('key-question');
		expect(bazaar.keys).toEqual([undefined]);
		await workbench.answerDialog('OPENAI_API_KEY', 'Send Key');
		await chat.waitForIdle();
		expect(await chat.responseText()).toBe('What may it be?');

		await chat.send('apples');
		await chat.waitForIdle();
		expect(await chat.responseText()).toBe('Two for one.');
		expect(bazaar.keys).toEqual([undefined, borrowedKey, borrowedKey]);
		expect(bazaar.requests).toHaveLength(2);
	});

	test('finds the keys neither in what is shown nor in what is written', async ({ workbench }) => {
		const shown = await workbench.page.content();
		expect(shown).toContain('Two for one.');
		expect(shown).not.toContain(storedKey);
		expect(shown).not.toContain(borrowedKey);
		// The requests are in the log, which shows that this is a place where keys would be found.
		expect(workbench.filesWith('Keeper: 1 messages')).toEqual([expect.stringMatching(/Discovery\.log$/)]);
		expect(workbench.filesWith(storedKey)).toEqual([]);
		expect(workbench.filesWith(borrowedKey)).toEqual(['.env']);
	});
});
