import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { certifiedBy } from './certificates.ts';
import { node, program } from './launches.ts';
import { startedPool } from './poolFixture.ts';

/** No DNS resolves this name: only the proxy knows the address. */
const host = 'intranet.test';
const password = 'hunter2hunter2';

const server = node(program('surroundedServer'));

async function portOf(listening: Server): Promise<number> {
	listening.listen(0, '127.0.0.1');
	onTestFinished(() => void listening.close());
	await once(listening, 'listening');
	return (listening.address() as AddressInfo).port;
}

/** A company's network: a page behind a proxy with a password, and a certificate of the company's own authority. */
async function companyNetwork() {
	const { ca, server: certified } = certifiedBy('Company CA', host);
	const caFile = join(temporaryFolder(), 'company.pem');
	writeFileSync(caFile, ca);
	const pagePort = await portOf(
		createHttpsServer(certified, (_request, response) => response.end('the page')),
	);
	const proxy = createServer();
	proxy.on('connect', ({ headers }: IncomingMessage, client) => {
		const expected = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
		if (headers['proxy-authorization'] !== expected) {
			client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
			return;
		}
		const page = connect(pagePort, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			page.pipe(client).pipe(page);
		});
		for (const socket of [page, client]) socket.on('error', () => {});
	});
	return { caFile, proxy: `http://ada:${password}@127.0.0.1:${await portOf(proxy)}` };
}

async function textOf(pool: ServerPool, tool: string, args: Readonly<Record<string, string>> = {}) {
	return resultText(await pool.callTool('inner', tool, args));
}

/** Variables that the test's machine may have set. */
beforeEach(() => {
	for (const name of ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY']) {
		vi.stubEnv(name, undefined);
		vi.stubEnv(name.toLowerCase(), undefined);
	}
	return () => vi.unstubAllEnvs();
});

describe('a server behind a proxy whose company signs its own certificates', () => {
	test('reaches the network with VS Code’s proxy, and not without the authority', async () => {
		const { caFile, proxy } = await companyNetwork();
		const editorProxy = () => ({ proxy, noProxy: [] });
		const url = `https://${host}/`;
		const strict = await startedPool({ inner: server }, { editorProxy });
		expect(await textOf(strict, 'fetch', { url })).toContain('certificate');
		vi.stubEnv('NODE_EXTRA_CA_CERTS', caFile);
		const pool = await startedPool({ inner: server }, { editorProxy });
		expect(await textOf(pool, 'fetch', { url })).toBe('the page');
	});

	test('says the password of the proxy to nobody', async () => {
		vi.stubEnv('HTTPS_PROXY', `http://ada:${password}@127.0.0.1:9`);
		vi.stubEnv('PIP_INDEX_URL', 'https://__token__:pypi-tok-0011223344@pypi.test/simple');
		const pool = await startedPool({ inner: server });
		expect(await textOf(pool, 'say', { name: 'HTTPS_PROXY' })).toBe('http://ada:***@127.0.0.1:9');
		expect(await textOf(pool, 'say', { name: 'PIP_INDEX_URL' })).toBe('https://__token__:***');
		expect(JSON.stringify(pool.log('inner'))).not.toContain(password);
	});
});

test('a key that a server inherits because its entry names it is hidden in its answers', async () => {
	vi.stubEnv('NOTES_API_KEY', 'key-0011223344556677');
	vi.stubEnv('EDITOR_OF_MINE', 'ed');
	const pool = await startedPool({ inner: { ...server, inherits: ['NOTES_API_KEY'] } });
	expect(await textOf(pool, 'say', { name: 'NOTES_API_KEY' })).toBe('***');
	expect(await textOf(pool, 'say', { name: 'EDITOR_OF_MINE' })).toBe('not set');
});
