import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answer, restoreDialogs } from './dialogs.ts';
import { configUri, eventually, newChat, serversListed, textOf, write } from './workspace.ts';

const token = 'a-token-that-nobody-may-see';

/** An MCP server that wants a token, and who gives one to everybody who comes with a browser; both at one address. */
class GuardedServer {
	readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
	revoked = 0;

	async listen(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}

	get origin(): string {
		const address = this.#server.address();
		return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url ?? '', this.origin);
		const send = (status: number, value: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		let body = '';
		for await (const chunk of request) body += chunk;
		switch (pathname) {
			case '/.well-known/oauth-protected-resource/mcp':
				return void send(200, {
					resource: `${this.origin}/mcp`,
					authorization_servers: [this.origin],
					scopes_supported: ['notes:read'],
				});
			case '/.well-known/oauth-authorization-server':
				return void send(200, {
					issuer: this.origin,
					authorization_endpoint: `${this.origin}/authorize`,
					token_endpoint: `${this.origin}/token`,
					registration_endpoint: `${this.origin}/register`,
					revocation_endpoint: `${this.origin}/revoke`,
					response_types_supported: ['code'],
					code_challenge_methods_supported: ['S256'],
				});
			case '/register':
				return void send(201, { ...JSON.parse(body), client_id: 'host-test' });
			case '/authorize': {
				const back = new URL(searchParams.get('redirect_uri') ?? '');
				back.searchParams.set('code', 'a code');
				back.searchParams.set('state', searchParams.get('state') ?? '');
				return void response.writeHead(302, { location: back.href }).end();
			}
			case '/token':
				return void send(200, { access_token: token, token_type: 'Bearer', expires_in: 3_600 });
			case '/revoke':
				this.revoked += 1;
				return void response.end();
			case '/mcp':
				return this.#mcp(request, response, body);
			default:
				response.writeHead(404).end();
		}
	}

	#mcp(request: IncomingMessage, response: ServerResponse, body: string): void {
		if (request.method !== 'POST') return void response.writeHead(405).end();
		if (request.headers.authorization !== `Bearer ${token}`) {
			const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
			response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
			return void response.writeHead(401).end();
		}
		const { id, method, params } = JSON.parse(body);
		if (id === undefined) return void response.writeHead(202).end();
		const results: Record<string, unknown> = {
			initialize: {
				protocolVersion: params?.protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: 'guarded', version: '1.0.0' },
			},
			'tools/list': { tools: [{ name: 'read_notes', inputSchema: { type: 'object' } }] },
		};
		const result = results[method];
		const answer = result ? { result } : { error: { code: -32601, message: 'none' } };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
	}
}

const row = { kind: 'server', status: { name: 'guarded' } };

describe('given a server that requires sign-in', () => {
	const guarded = new GuardedServer();
	const second = new GuardedServer();
	let original: string;
	/** Begins a sign-in, whose address the user copies. */
	const begin = async (name: string, origin: string) => {
		answer('showInformationMessage', 'Copy URL');
		await vscode.env.clipboard.writeText('');
		const done = vscode.commands.executeCommand(commands.signIn, { kind: 'server', status: { name } });
		const address = await eventually('the address to be copied', async () => {
			const copied = await vscode.env.clipboard.readText();
			return copied.startsWith(origin) ? copied : undefined;
		});
		const led = await fetch(address, { redirect: 'manual' });
		return { done, redirectUrl: led.headers.get('location') ?? '' };
	};
	const entries = (...servers: readonly string[]) =>
		write(configUri(), original.replace('"servers": {', `"servers": {\n${servers.join('\n')}`));
	const entryOf = (name: string, { origin }: GuardedServer) => `"${name}": { "url": "${origin}/mcp" },`;

	before(async () => {
		await guarded.listen();
		await second.listen();
		await serversListed();
		original = await textOf(configUri());
		await entries(entryOf('guarded', guarded), entryOf('second', second));
		await vscode.commands.executeCommand(commands.reviewServers);
	});
	afterEach(restoreDialogs);
	after(async () => {
		restoreDialogs();
		await write(configUri(), original);
		guarded.close();
		second.close();
		await newChat();
	});

	test('then the question says who asks for what, and declining opens nothing', async () => {
		await vscode.env.clipboard.writeText('untouched');
		const asked = answer('showInformationMessage', undefined);
		answer('showErrorMessage', undefined);
		await eventually('the question, once the server is approved', async () => {
			await vscode.commands.executeCommand(commands.signIn, row);
			return asked.length > 0;
		});
		const [title, options, ...buttons] = asked[0] ?? [];
		assert.match(String(title), /Sign in to guarded/);
		const { modal, detail } = options as vscode.MessageOptions;
		assert.equal(modal, true);
		for (const told of [new URL(guarded.origin).host, 'notes:read', `${guarded.origin}/authorize`])
			assert.ok(detail?.includes(told), `${told} in ${detail}`);
		assert.deepEqual(buttons, ['Open Browser', 'Copy URL']);
		assert.equal(await vscode.env.clipboard.readText(), 'untouched');
	});

	test('then two pending sign-ins each accept only their own redirect URL', async () => {
		const first = await begin('guarded', guarded.origin);
		const other = await begin('second', second.origin);
		const boxes = answer('showInputBox', undefined);
		const paste = async (text: string) => {
			await vscode.commands.executeCommand(commands.pasteSignInAddress);
			const [options] = boxes.at(-1) ?? [];
			return (options as vscode.InputBoxOptions).validateInput?.(text);
		};
		assert.match(
			String(await paste('http://127.0.0.1:1/callback?code=x&state=guessed')),
			/No pending sign-in/,
		);
		assert.equal(await paste(first.redirectUrl), undefined);
		await first.done;
		assert.equal(await paste(other.redirectUrl), undefined);
		await other.done;
	});

	test('then signing out revokes the tokens', async () => {
		for (const name of ['guarded', 'second'])
			await vscode.commands.executeCommand(commands.signOut, { kind: 'server', status: { name } });
		assert.deepEqual([guarded.revoked, second.revoked], [1, 1]);
	});

	test('then a sign-in ends when its server leaves the file', async () => {
		const { done } = await begin('second', second.origin);
		await entries(entryOf('guarded', guarded));
		await done;
	});
});
