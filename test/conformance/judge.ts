import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { spawnLeashed } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { openJudgedGateway } from './judgedGateway.ts';
import { gatewayScenarios, type Revision, revisions } from './scenarios.ts';
import { type Check, endedWell, type Verdict, verdictOf } from './verdict.ts';

const judgeFolder = path.join(PROJECT_ROOT, 'node_modules/@modelcontextprotocol/conformance');
const keepConnections = new URL('keepConnections.mjs', import.meta.url);
/** A bundle of `driver.ts`, because it starts fifty times. */
const driver = path.join(PROJECT_ROOT, 'dist/test/conformanceDriver.js');
/** The longest scenario waits half a second. But all of a revision run at once, and the machine may be busy. */
const scenarioMs = 120_000;

/**
 * Runs every scenario that the revisions require of clients, each against the real pool in its own process. One judge runs all scenarios of a
 * revision side by side: the judge takes longer to start than most scenarios take. A scenario of both revisions runs once for each.
 */
export async function judgeOurClient(): Promise<readonly Verdict[]> {
	// The judge splits the command at spaces and passes it joined to a shell, so quoted paths stay intact.
	const options = ['--command', `"${PROJECT_NODE}" "${driver}"`];
	const verdicts: Verdict[] = [];
	for (const revision of revisions)
		verdicts.push(...(await judge('client', revision, options, requiredScenarios(revision))));
	return verdicts;
}

/** Runs the scenarios for servers that apply to what other agents connect to. */
export async function judgeOurGateway(): Promise<readonly Verdict[]> {
	const { url, dispose } = await openJudgedGateway();
	try {
		const verdicts: Verdict[] = [];
		for (const revision of revisions)
			verdicts.push(...(await judge('server', revision, ['--url', url], gatewayScenarios[revision])));
		return verdicts;
	} finally {
		dispose();
	}
}

/** Runs all scenarios of a revision, and reads the results of some. */
async function judge(
	side: 'client' | 'server',
	revision: Revision,
	options: readonly string[],
	scenarios: readonly string[],
): Promise<readonly Verdict[]> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mcp-conformance-'));
	try {
		const shared = ['--requirements', revision, '--timeout', `${scenarioMs}`, '--output-dir', folder];
		const child = spawnLeashed(
			PROJECT_NODE,
			[path.join(judgeFolder, 'dist/index.js'), side, ...options, ...shared],
			{
				output: 'pipe',
				env: {
					NODE_COMPILE_CACHE: path.join(tmpdir(), 'mcp-conformance-drivers'),
					NODE_OPTIONS: `--import=${keepConnections}`,
				},
			},
		);
		if (!child.stdout || !child.stderr) throw new Error('The judge has no output');
		const [stdout, stderr] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			once(child, 'close'),
		]);
		return scenarios.map((scenario) => {
			const [result] = globSync(`${side === 'server' ? 'server-' : ''}${scenario}-20*T*Z`, { cwd: folder });
			if (result === undefined) throw new Error(`The judge did not run ${scenario}:\n${stdout}${stderr}`);
			const read = (file: string) => readFileSync(path.join(folder, result, file), 'utf8');
			const checks = JSON.parse(read('checks.json')) as Check[];
			const endedBadly = side === 'client' && !read('stdout.txt').includes(endedWell);
			return verdictOf(`${scenario} (${revision})`, checks, endedBadly ? read('stderr.txt') : undefined);
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The scenarios that a revision requires of clients. The judge runs others too, such as those of extensions. */
function requiredScenarios(revision: Revision): readonly string[] {
	const file = path.join(judgeFolder, `requirements/${revision}.yaml`);
	const { client } = parse(readFileSync(file, 'utf8')) as { client: readonly string[] };
	if (client.length === 0) throw new Error(`${file} requires nothing of clients`);
	return client;
}
