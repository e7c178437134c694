import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { spawnLeashed } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { type Revision, revisions } from './scenarios.ts';
import { type Check, type Verdict, verdictOf } from './verdict.ts';

const judge = path.join(PROJECT_ROOT, 'node_modules/@modelcontextprotocol/conformance');
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
	const verdicts: Verdict[] = [];
	for (const revision of revisions) verdicts.push(...(await judgeRevision(revision)));
	return verdicts;
}

async function judgeRevision(revision: Revision): Promise<readonly Verdict[]> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mcp-conformance-'));
	try {
		// The judge splits the command at spaces and passes it joined to a shell, so quoted paths stay intact.
		const command = `"${PROJECT_NODE}" "${driver}"`;
		const options = ['--command', command, '--requirements', revision, '--timeout', `${scenarioMs}`];
		const child = spawnLeashed(
			PROJECT_NODE,
			[path.join(judge, 'dist/index.js'), 'client', ...options, '--output-dir', folder],
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
		return requiredScenarios(revision).map((scenario) => {
			const [result] = globSync(`${scenario}-20*T*Z`, { cwd: folder });
			if (result === undefined) throw new Error(`The judge did not run ${scenario}:\n${stdout}${stderr}`);
			const read = (file: string) => readFileSync(path.join(folder, result, file), 'utf8');
			const checks = JSON.parse(read('checks.json')) as Check[];
			return verdictOf(`${scenario} (${revision})`, checks, read('stdout.txt'), read('stderr.txt'));
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The scenarios that a revision requires of clients. The judge runs others too, such as those of extensions. */
function requiredScenarios(revision: Revision): readonly string[] {
	const file = path.join(judge, `requirements/${revision}.yaml`);
	const { client } = parse(readFileSync(file, 'utf8')) as { client: readonly string[] };
	if (client.length === 0) throw new Error(`${file} requires nothing of clients`);
	return client;
}
