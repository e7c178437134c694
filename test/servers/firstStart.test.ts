import { describe, expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { ListingWait } from '../../src/mcp/listing/listingWait.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { stdio } from './launches.ts';
import { eventually, newPool, statusOf } from './poolFixture.ts';
import { slowRegistry } from './slowRegistry.ts';

/** npm asks the registry at least twice: for the package's versions, then for the package. */
const registryDelayMs = 2_000;
/** Installing from that registry takes longer. */
const connectMs = 3_000;

function failed(pool: Awaited<ReturnType<typeof newPool>>, name: string) {
	const state = stateOf(pool, name);
	if (state.kind !== 'failed') throw new Error(`${name} is ${state.kind}`);
	return state;
}

function stateOf(pool: Awaited<ReturnType<typeof newPool>>, name: string) {
	return statusOf(pool, name).state;
}

describe('given a server that npx installs from a slow registry', () => {
	test('its first start may take longer than the connect limit, and is one start', async () => {
		await using registry = await slowRegistry(temporaryFolder(), registryDelayMs);
		const pool = await newPool({ limits: { connectMs, firstListMs: 1_000 } });
		let starts = 0;
		pool.onDidLog(({ line }) => {
			if (line === 'starting') starts += 1;
		});
		const begun = performance.now();
		pool.setLaunches(new Map([['slow', registry.npx()]]));
		await eventually(() => stateOf(pool, 'slow').kind === 'starting');
		expect(stateOf(pool, 'slow')).toMatchObject({ first: { installs: true } });

		const late = await new ListingWait(pool).wait(() => {}, AbortSignal.timeout(30_000));

		expect(late).toEqual(['slow']);
		expect(stateOf(pool, 'slow').kind).toBe('starting');
		await eventually(() => stateOf(pool, 'slow').kind !== 'starting');
		expect(stateOf(pool, 'slow').kind).toBe('ready');
		expect(performance.now() - begun).toBeGreaterThan(connectMs);
		expect(starts).toBe(1);
		expect(resultText(await pool.callTool('slow', 'greet', {}))).toBe('hello');
	});

	test('Cancel ends it at once, and starting it again installs it', async () => {
		await using registry = await slowRegistry(temporaryFolder(), registryDelayMs);
		const pool = await newPool();
		pool.setLaunches(new Map([['slow', registry.npx()]]));
		await eventually(() => registry.requests > 0);

		await pool.stop('slow');

		expect(stateOf(pool, 'slow')).toEqual({ kind: 'stopped', byUser: true });
		registry.delayMs = 0;
		await pool.start('slow');
		expect(stateOf(pool, 'slow').kind).toBe('ready');
	});

	test('and does not get there, its error and its state name the reason that npm gives', async () => {
		await using registry = await slowRegistry(temporaryFolder(), 0);
		const pool = await newPool({ limits: { restartDelaysMs: [] } });
		pool.setLaunches(new Map([['missing', registry.npx('no-such-mcp-server')]]));
		await eventually(() => stateOf(pool, 'missing').kind === 'failed');
		const { error } = failed(pool, 'missing');
		expect(error.details.explanation).toMatch(/^404 Not Found - GET http:.*no-such-mcp-server/);
		expect(error.message).toContain(': 404 Not Found - GET');
	});
});

test('a program that prints anything but MCP shows its last line, is stopped when the first start must have ended, and is not tried again', async () => {
	const chatter = 'setInterval(() => console.log("\\x1b[31mWelcome\\x1b[0m to the shell\\u200b"), 50)';
	const limits = { connectMs: 500, firstStartMs: 1_500, restartDelaysMs: [10] };
	const pool = await newPool({ limits });
	pool.setLaunches(new Map([['chatter', stdio(process.execPath, ['-e', chatter])]]));
	await eventually(() => {
		const state = stateOf(pool, 'chatter');
		return state.kind === 'starting' && state.first?.lastOutput?.includes('Welcome to the shell') === true;
	});
	await eventually(() => stateOf(pool, 'chatter').kind === 'failed');
	const { error, nextAttemptAt } = failed(pool, 'chatter');
	expect(error).toMatchObject({ reason: 'never-answered', details: { explanation: 'Welcome to the shell' } });
	expect(error.message).toContain('than an MCP message to stdout: "Welcome to the shell"');
	expect(nextAttemptAt).toBeUndefined();
});
