import { expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { serve, startedPool, statusOf } from '../servers/poolFixture.ts';
import { loopbackServer } from './loopbackServer.ts';

/**
 * How servers and gateways redirect a POST to `/mcp`. `to`: the `Location`; `ELSEWHERE` is another origin. `said`: how the failure is described;
 * absent: the call works. `from`: where it was seen.
 */
interface Row {
	readonly what: string;
	readonly status: number;
	readonly to: string | undefined;
	readonly said?: string;
	readonly from: string;
}

const elsewhere =
	', on another site. It is not followed, because what is sent here belongs here. If you trust that site, set "url" to its URL.';

const rows: readonly Row[] = [
	{ what: 'a slash at the end', status: 307, to: '/mcp/', from: 'modelcontextprotocol/python-sdk#732' },
	{
		what: 'a whole URL',
		status: 307,
		to: 'ORIGIN/mcp/',
		from: 'opensearch-project/opensearch-mcp-server-py#271',
	},
	{ what: 'for good', status: 308, to: '/mcp/', from: 'statamic/docs#1820' },
	{
		what: 'for good, by nginx',
		status: 301,
		to: '/mcp/',
		from: 'agentic-community/mcp-gateway-registry#1610',
	},
	{ what: 'to a path of the version', status: 302, to: 'v2/mcp', from: 'BerriAI/litellm#23688' },
	{
		what: 'to an internal port',
		status: 301,
		to: 'ELSEWHERE/registry/server/',
		said: `ORIGIN/mcp answered with HTTP 301, a redirect to ELSEWHERE/registry/server/${elsewhere}`,
		from: 'agentic-community/mcp-gateway-registry#1606',
	},
	{
		what: 'to another host with the method kept',
		status: 307,
		to: 'ELSEWHERE/mcp?key=abc',
		said: `ORIGIN/mcp answered with HTTP 307, a redirect to ELSEWHERE/mcp${elsewhere}`,
		from: 'modelcontextprotocol/modelcontextprotocol#2755',
	},
	{
		what: 'to a page that tells more',
		status: 303,
		to: '/docs',
		said: 'ORIGIN/mcp answered with HTTP 303, a redirect to ORIGIN/docs. It is not followed, because this status asks for another request. If that is the server, set "url" to this URL.',
		from: 'https://www.rfc-editor.org/rfc/rfc9110 (section 15.4.4)',
	},
	{
		what: 'to a sign-in page that takes no POST',
		status: 302,
		to: '/login',
		said: 'ORIGIN/mcp (redirected to ORIGIN/login) answered with HTTP 405: the URL takes no such request. Check "url" and "transport".',
		from: 'tadata-org/fastapi_mcp#262',
	},
	{
		what: 'in a circle',
		status: 307,
		to: '/mcp',
		said: 'ORIGIN/mcp answered with HTTP 307, a redirect to ORIGIN/mcp. It is not followed: there are too many redirects, or the URL has other credentials. Set "url" to the final URL.',
		from: 'PrefectHQ/fastmcp#1867',
	},
	{
		what: 'to nowhere',
		status: 302,
		to: undefined,
		said: 'ORIGIN/mcp answered with HTTP 302, a redirect without a usable target. Ask whoever runs it.',
		from: 'https://www.rfc-editor.org/rfc/rfc9110 (section 15.4)',
	},
	{
		what: 'though nothing was asked that could be unchanged',
		status: 304,
		to: undefined,
		said: 'ORIGIN/mcp answered with HTTP 304. Try again, or ask whoever runs it.',
		from: 'https://www.rfc-editor.org/rfc/rfc9110 (section 15.4.5)',
	},
	{
		what: 'to several places, and prefers none',
		status: 300,
		to: undefined,
		said: 'ORIGIN/mcp answered with HTTP 300. Try again, or ask whoever runs it.',
		from: 'https://www.rfc-editor.org/rfc/rfc9110 (section 15.4.1)',
	},
];

test.each(rows)('HTTP $status $what ($from)', async ({ status, to, said }) => {
	const asked: string[] = [];
	const other = await serve((request, response) => {
		asked.push(String(request.url));
		response.end();
	});
	let origin = '';
	const filled = (text: string) => text.replaceAll('ORIGIN', origin).replaceAll('ELSEWHERE', other);
	const launch = await loopbackServer(({ request, response }) => {
		if (request.url === '/login') response.writeHead(405).end();
		else if (request.url === '/mcp')
			response.writeHead(status, to === undefined ? {} : { location: filled(to) }).end();
		else return false;
		return true;
	});
	origin = new URL(launch.url).origin;
	const pool = await startedPool({ s: launch }, { limits: { restartDelaysMs: [] } });
	if (said === undefined) expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
	else {
		const { state } = statusOf(pool, 's');
		expect(state.kind === 'failed' && state.error.message).toContain(filled(said));
	}
	expect(asked).toEqual([]);
});
