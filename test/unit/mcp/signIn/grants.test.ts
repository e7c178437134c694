import { expect, test } from 'vitest';
import { type Grant, Grants } from '../../../../src/mcp/signIn/grants.ts';
import { SharedSecrets } from '../../../servers/signIn/sharedSecrets.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

const grant: Grant = {
	id: 'a sign-in',
	authorizationServer: {
		issuer: 'https://login.example',
		authorization_endpoint: 'https://login.example/authorize',
		token_endpoint: 'https://login.example/token',
		response_types_supported: ['code'],
	},
	client: { client_id: 'us' },
	access_token: 'first',
	refresh_token: 'first refresh',
	receivedAt: 0,
};

test('who signs out while a token is renewed is told what came of that, to take it back', async () => {
	const secrets = new SharedSecrets();
	const grants = new Grants(secrets.window(), temporaryFolder(), 'https://mcp.example/mcp', '');
	await grants.change(async () => grant);
	const asked = Promise.withResolvers<void>();
	const answered = Promise.withResolvers<void>();
	const renewing = grants.change(async (latest) => {
		asked.resolve();
		await answered.promise;
		return latest && { ...latest, access_token: 'second', refresh_token: 'second refresh' };
	});
	await asked.promise;
	const removing = grants.change(async () => undefined);
	answered.resolve();
	expect(await removing).toMatchObject({
		access_token: 'second',
		refresh_token: 'second refresh',
	});
	await renewing;
	expect([...secrets.texts.keys()]).toEqual([]);
});
