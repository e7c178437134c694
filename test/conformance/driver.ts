/**
 * The client that the judge starts: the pool of the extension with the judge's server as its only one. The judge appends
 * the server's address to the command and names the scenario in the environment. Ends with code 1 if anything fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/common/clock.ts';
import type { RemoteLaunch, SignInOptions } from '../../src/config/servers/launch.ts';
import { ServerError } from '../../src/mcp/serverError.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { SignIns } from '../../src/mcp/signIn/signIns.ts';
import type { SignInPerson } from '../../src/mcp/signIn/visit.ts';
import { openPool } from '../servers/openPool.ts';
import { SharedSecrets } from '../servers/signIn/sharedSecrets.ts';
import { type Play, playOf, type ScenarioCall } from './scenarios.ts';
import { endedWell } from './verdict.ts';

const server = 'judge';
/** The judge runs thirty clients at once, so each may be slow. */
const limits = { connectMs: 60_000, probeMs: 30_000 };
/** Longest sign-in: in some scenarios the browser never comes back. */
const signInMs = 20_000;
const mostSignIns = 3;

/** Where the judge expects the metadata of clients that publish some. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** What the judge provides with some scenarios. */
interface Context {
	/** The id of a client that is already registered. */
	readonly client_id?: string;
	readonly client_secret?: string;
	readonly toolCalls?: readonly { readonly name: string; readonly arguments: ScenarioCall['args'] }[];
}

async function run(url: string, play: Play, context: Context): Promise<void> {
	const { calls, reads, mayFail } = play;
	const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
	const signIns = new SignIns({ secrets: new SharedSecrets().window(), folder, clock: systemClock });
	const pool = await openPool(folder, {
		limits,
		// A user who accepts every question and fills in nothing.
		ask: async () => ({ action: 'accept', content: {} }),
		signIns,
	});
	const launch: RemoteLaunch = {
		kind: 'remote',
		url,
		transport: 'streamable-http',
		headers: {},
		oauth: oauthOf(play, context),
	};
	try {
		const signIn = await signIns.of(launch);
		const signInNow = () => signIn.signIn(willingPerson, AbortSignal.timeout(signInMs));
		pool.setLaunches(new Map([[server, launch]]));
		// A server that has moved to another authorization server requires two sign-ins.
		for (let signedIn = 0; (await startOf(pool)) === 'signed-out'; signedIn += 1) {
			if (signedIn === mostSignIns) throw new Error('it wants to be signed in to again and again');
			await signInNow();
		}
		// The result of the call tells how the sign-in ended.
		const onSignIn = () => void signInNow().catch(() => {});
		for (const { tool, args } of callsOf(calls, context, pool)) {
			const { isError } = await pool.callTool(server, tool, args, { onSignIn });
			if (isError) throw new Error(`${tool} failed`);
		}
		if (reads) await readAll(pool);
	} catch (error) {
		if (!mayFail) throw error;
	} finally {
		await pool.dispose();
		signIns.dispose();
		await rm(folder, { recursive: true, force: true });
	}
}

async function startOf(pool: ServerPool): Promise<'ready' | 'signed-out'> {
	try {
		await pool.start(server);
		return 'ready';
	} catch (error) {
		if (error instanceof ServerError && error.reason === 'signed-out') return 'signed-out';
		throw error;
	}
}

/** What the user has configured for signing in. */
function oauthOf(
	{ hasMetadataUrl }: Play,
	{ client_id: clientId, client_secret: clientSecret }: Context,
): SignInOptions {
	return {
		...(hasMetadataUrl && { clientMetadataUrl }),
		...(clientId !== undefined && { clientId }),
		...(clientSecret !== undefined && { clientSecret }),
	};
}

/** A user who agrees to everything, and whose browser follows every redirect. */
const willingPerson: SignInPerson = {
	pages: { received: 'received', denied: 'denied', refused: 'refused' },
	clientName: 'MCP Discovery',
	reachable: async (address) => address,
	ask: async () => async (address) => {
		void fetch(address).catch(() => {});
		return true;
	},
};

function callsOf(
	calls: Play['calls'],
	{ toolCalls = [] }: Context,
	pool: ServerPool,
): readonly ScenarioCall[] {
	if (calls === 'context') return toolCalls.map(({ name, arguments: args }) => ({ tool: name, args }));
	if (calls !== 'listed') return calls;
	return pool.catalogServers().flatMap(({ tools }) => tools.map(({ name }) => ({ tool: name, args: {} })));
}

async function readAll(pool: ServerPool): Promise<void> {
	await pool.withClient(server, async (offered, its) => {
		const { resources } = await offered.resources(its.signal);
		for (const { uri } of resources) await offered.readResource(uri, its);
		const { prompts } = await offered.prompts(its.signal);
		for (const { name } of prompts) await offered.getPrompt(name, {}, its);
	});
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const played = playOf(scenario);
if (!played) throw new Error(`scenarios.ts must say what our client does in ${scenario}`);
await run(process.argv.at(-1) ?? '', played, JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));
console.log(endedWell);
