import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';
import type { CallProgress } from '../../src/mcp/connection/connectOptions.ts';
import { ServerError } from '../../src/mcp/serverError.ts';
import { node, program } from './launches.ts';
import { eventually, startedPool, statusOf } from './poolFixture.ts';

const password = 'acme-9f8e7d6c5b4a3928';
const stored = 'kept-0011223344556677';

function echoing(args: readonly string[], env: Readonly<Record<string, string>>): StdioLaunch {
	const launch = node(program('echoingServer'), ...args);
	return { ...launch, env: { ...env, NAMES: JSON.stringify(Object.keys(env)) } };
}

describe('a server that says its secrets back, wherever it can', () => {
	const launch: StdioLaunch = {
		...echoing(['--api-key', password], {
			GITHUB_PAT: 'github_pat-in-its-environment',
			DB_PASS: 'pw1',
			DATABASE_URL: 'postgres://ada:hunter2hunter2@db.test/x',
			THING: stored,
			MODE: 'fast-and-plain',
		}),
		reads: { STORED: { value: stored, isStored: true } },
	};
	const secret = /acme-|9f8e7d|3928|kept-|5566|github_pat|pw1|hunter2/;

	test('has them nowhere: log, tail of stderr, tools, result, progress, error', async () => {
		const pool = await startedPool({ telling: launch });
		const progress: CallProgress[] = [];
		const result = await pool.callTool('telling', 'say', {}, { onProgress: (one) => progress.push(one) });
		const refusal = await pool.callTool('telling', 'refuse', {}).catch((error: unknown) => error);
		const death = await pool.callTool('telling', 'die', {}).catch((error: unknown) => error);
		if (!(refusal instanceof ServerError && death instanceof ServerError)) throw new Error('they fail');
		const log = pool.log('telling').map(({ line }) => line);
		const [tool] = statusOf(pool, 'telling').tools;

		const masked = '--api-key *** *** *** postgres://ada:***@db.test/x *** fast-and-plain';
		expect(result).toMatchObject({ content: [{ type: 'text', text: `got ${masked}` }] });
		expect(progress).toMatchObject([{ message: `with ${masked}` }]);
		expect(tool?.description).toBe(`Says ${masked}`);
		expect(refusal.message).toContain(`not valid: ${masked}`);
		expect(death.describe()).toContain(`dying of ${masked}`);
		expect(log).toContain(`given ${masked}`);
		expect(log).toContain(`pieces ${masked}`);
		expect(log.some((line) => line.endsWith('… (cut)'))).toBe(true);
		expect(inspect([refusal, death], { depth: 10 })).not.toMatch(secret);
		expect(JSON.stringify([result, progress, tool, refusal.describe(), death.describe(), log])).not.toMatch(
			secret,
		);
	});

	test('a server has them in no encoding, and what was stored stays hidden once it is not read any more', async () => {
		const said = [
			Buffer.from(`ada:${stored}:x`).toString('base64'),
			Buffer.from(stored).toString('hex'),
			`${stored.slice(0, 6)}\u200b${stored.slice(6)}`,
			encodeURIComponent(stored),
		];
		const finding = echoing(said, {});
		const pool = await startedPool({ telling: launch, finding });
		pool.setLaunches(new Map([['finding', finding]]));
		const result = JSON.stringify(await pool.callTool('finding', 'say', {}));
		expect(result).toContain('***');
		for (const text of said) expect(result).not.toContain(text);
		expect(JSON.stringify(pool.log('finding'))).not.toMatch(/kept-|5566|6b657074/);
	});

	test('nor does another server that comes upon what is stored, or half of a key at the end of a cut line', async () => {
		const pool = await startedPool({
			telling: launch,
			finding: echoing([stored, 'plain'], {}),
			cutting: echoing([password.slice(0, 20) + password], { A_TOKEN: password.slice(0, 20) + password }),
		});
		await eventually(() => pool.log('cutting').some(({ line }) => line.endsWith('… (cut)')));
		expect(JSON.stringify(await pool.callTool('finding', 'say', {}))).toContain('got *** plain');
		expect(JSON.stringify([pool.log('finding'), pool.log('cutting')])).not.toMatch(secret);
	});
});
