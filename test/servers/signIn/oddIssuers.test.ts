import { expect, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { statusOf } from '../poolFixture.ts';
import { startLiar, type Ways } from './liar.ts';
import { openWindow, sendJson, serverName, startProtectedServer } from './signInGround.ts';

/** Servers and authorization servers that a client has to get along with. `from`: where they were seen. */
interface Row extends Ways {
	readonly what: string;
	readonly from: string;
	readonly metadata?: (metadata: Record<string, unknown>, origin: string, path: string) => unknown;
	readonly resource?: (metadata: Record<string, unknown>) => unknown;
	/** The header of a refusal. `metadata`: where the metadata really is. */
	readonly challenge?: (metadata: string, origin: string) => string;
	/** Where that is; absent: where only the challenge leads. */
	readonly place?: string;
}

const token = (members: Record<string, unknown>) => ({
	status: 200,
	body: JSON.stringify({ access_token: 'good', token_type: 'Bearer', ...members }),
});

const rows: readonly Row[] = [
	{
		what: 'has an issuer with a slash at the end, which the server names without',
		from: 'anomalyco/opencode#50036, expo/expo#49053',
		metadata: (metadata, origin) => ({ ...metadata, issuer: `${origin}/` }),
	},
	{
		what: 'is named with a slash that its issuer lacks',
		from: 'github/copilot-cli#4606, SparkDevNetwork/Rock#6974',
		resource: ({ authorization_servers: servers, ...metadata }) => ({
			...metadata,
			authorization_servers: [`${servers}/`],
		}),
	},
	{
		what: 'has null for endpoints that it does not have',
		from: 'modelcontextprotocol/typescript-sdk#1923',
		metadata: (metadata) => ({ ...metadata, introspection_endpoint: null, scopes_supported: null }),
	},
	{
		what: 'is named in metadata with null members',
		from: 'open-metadata/OpenMetadata#30642',
		resource: (metadata) => ({ ...metadata, resource_signing_alg_values_supported: null }),
	},
	{
		what: 'publishes only a document of OpenID Connect, without what concerns ID tokens',
		from: 'juspay/juspay-mcp#122',
		metadata: (metadata, _, path) => (path.endsWith('openid-configuration') ? metadata : undefined),
	},
	{
		what: 'does not say that it takes codes',
		from: 'anthropics/claude-code#17274',
		metadata: ({ response_types_supported: _, ...metadata }) => metadata,
	},
	{
		what: 'registers no address of 127.0.0.1, only of localhost',
		from: 'NousResearch/hermes-agent#29875',
		registers: (answer) => (String(answer.redirect_uris).includes('//localhost:') ? answer : undefined),
	},
	{
		what: 'grants tokens as a form',
		from: 'langgenius/dify#28294, QwenLM/qwen-code#5355',
		grants: () => ({
			status: 200,
			type: 'application/x-www-form-urlencoded',
			body: 'access_token=good&token_type=bearer&expires_in=3600',
		}),
	},
	{
		what: 'insists on the resource as its server writes it, an origin without a slash',
		from: 'agentconnect-md/agentconnect#2119, anthropics/claude-code#52871',
		resource: ({ resource, ...metadata }) => ({ ...metadata, resource: new URL(String(resource)).origin }),
		grants: (request) =>
			request.get('resource')?.endsWith('/')
				? { status: 400, body: '{"error":"invalid_target"}' }
				: undefined,
	},
	{
		what: 'registers clients with null for what they have not',
		from: 'modelcontextprotocol/typescript-sdk#1923, in another answer',
		registers: (answer) => ({ ...answer, client_secret: null, client_uri: null, scope: null }),
	},
	{
		what: 'answers with a token without a type, and with null members',
		from: 'dust-tt/dust#22773',
		grants: () => token({ token_type: undefined, scope: null, refresh_token: null }),
	},
	{
		what: 'is found by a challenge that names two documents, the first of which is missing',
		from: 'getsentry/sentry-mcp#939',
		place: '/.well-known/oauth-protected-resource/mcp',
		challenge: (metadata, origin) =>
			`Bearer realm="OAuth", resource_metadata="${origin}/.well-known/oauth-protected-resource", error="invalid_token", resource_metadata="${metadata}"`,
	},
	{
		what: 'is found by a challenge with spaces around its signs, behind another one',
		from: 'QwenLM/qwen-code#5343, Cloudgeni-ai/opengeni#2193',
		challenge: (metadata) => `Basic realm="a, b", Bearer resource_metadata = "${metadata}"`,
	},
];

test.each(rows)('an authorization server that $what can be signed in to ($from)', async (row) => {
	const { metadata = (told) => told, resource = (told) => told, challenge } = row;
	const issuer = await startLiar(metadata, row);
	const server = await startProtectedServer(issuer, async () => ({ id: 'ada', scope: '' }));
	const { place = challenge ? '/metadata/of/the/resource' : '/.well-known/oauth-protected-resource/mcp' } =
		row;
	server.intercept = (request, response) => {
		if (request.url?.startsWith('/.well-known/') || request.url === place) {
			const told = {
				resource: server.url,
				authorization_servers: [issuer],
				scopes_supported: ['tools:read'],
			};
			if (request.url === place) sendJson(response, 200, resource(told));
			else response.writeHead(404).end();
			return true;
		}
		if (!challenge || request.headers.authorization !== undefined) return false;
		response
			.writeHead(401, { 'www-authenticate': challenge(`${server.origin}${place}`, server.origin) })
			.end();
		return true;
	};
	const { pool, signInAs } = await openWindow(server.url);
	await signInAs('ada');
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

/** Answers to a refresh. */
const refreshes: readonly {
	readonly what: string;
	readonly from: string;
	readonly grants: NonNullable<Ways['grants']>;
	readonly ends: 'called' | 'signed-out';
}[] = [
	{
		what: 'does not know the parameter `resource` then',
		from: 'dust-tt/dust#22773',
		grants: (request) =>
			request.has('resource')
				? { status: 400, body: '{"error":"invalid_request","error_description":"unknown parameter"}' }
				: token({ access_token: 'new' }),
		ends: 'called',
	},
	{
		what: 'refuses with words of its own',
		from: 'dust-tt/dust#22773',
		grants: () => ({ status: 400, body: '{"message":"Invalid refresh token"}' }),
		ends: 'signed-out',
	},
	{
		what: 'refuses with another code than specified',
		from: 'metabase/metabase#80389',
		grants: () => ({ status: 400, body: '{"error":"invalid_request"}' }),
		ends: 'signed-out',
	},
];

test.each(refreshes)(
	'when a token is refused and the authorization server $what, then the call is $ends ($from)',
	async ({ grants, ends }) => {
		const issuer = await startLiar((told) => told, {
			grants: (request) =>
				request.get('grant_type') === 'refresh_token' ? grants(request) : token({ refresh_token: 'again' }),
		});
		const server = await startProtectedServer(issuer, async () => ({ id: 'ada', scope: '' }));
		const { pool, signInAs } = await openWindow(server.url);
		await signInAs('ada');
		expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for ada');
		server.refused.add('good');
		const call = pool.callTool(serverName, 'read', {});
		if (ends === 'called') expect(resultText(await call)).toBe('read for ada');
		else await expect(call).rejects.toMatchObject({ reason: 'signed-out' });
		expect(statusOf(pool, serverName).state.kind).toBe(ends === 'called' ? 'ready' : 'signed-out');
	},
);
