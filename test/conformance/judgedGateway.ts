import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { textResult } from '../../src/discovery/catalog/tool.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { mcpPath } from '../../src/gateway/windows.ts';

const token = 'token-of-the-judge';
const host = '127.0.0.1';

/** The gateway behind a proxy that adds the token, because the judge cannot be given one. Everything else passes as it is. */
export async function openJudgedGateway(): Promise<{ readonly url: string; readonly dispose: () => void }> {
	const gateway = await Gateway.open({
		tools: { services: async () => [], call: async () => textResult('done') },
		version: '1.0.0',
		token,
	});
	const proxy = createServer((incoming: IncomingMessage, response: ServerResponse) => {
		const { method, url: path, headers } = incoming;
		const toGateway = (text = '') => text.replace(`:${port}`, `:${gateway.port}`);
		const passed = {
			...headers,
			host: toGateway(headers.host),
			...(headers.origin !== undefined && { origin: toGateway(headers.origin) }),
			authorization: `Bearer ${token}`,
		};
		const outgoing = request({ host, port: gateway.port, method, path, headers: passed }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			pipeline(answer, response, () => {});
		});
		pipeline(incoming, outgoing, () => {});
	});
	proxy.listen(0, host);
	await once(proxy, 'listening');
	const { port } = proxy.address() as AddressInfo;
	return {
		url: `http://${host}:${port}${mcpPath}`,
		dispose: () => {
			proxy.close();
			proxy.closeAllConnections();
			gateway.dispose();
		},
	};
}
