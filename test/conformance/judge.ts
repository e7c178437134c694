import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnLeashed } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { playOf, type Revision, revisions } from './scenarios.ts';
import { type Check, type Verdict, verdictOf } from './verdict.ts';

const judge = path.join(PROJECT_ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** A bundle of `driver.ts`, because it starts fifty times. */
const driver = path.join(PROJECT_ROOT, 'dist/test/conformanceDriver.js');
/** The longest scenario waits half a second; the rest is room for a busy machine. */
const scenarioMs = 60_000;
/** Scenarios mostly wait, so several run at once. */
const scenariosAtOnce = 3;

/** The results of `@modelcontextprotocol/conformance` for our client. */
export interface Conformance {
	/** A scenario of both revisions runs once for each. */
	readonly verdicts: readonly Verdict[];
	/** Scenarios of a new release of the judge for which `scenarios.ts` has no play yet. */
	readonly undecided: readonly string[];
}

/** Runs every scenario that the revisions require of clients, several at once, each against the real pool in its own process. */
export async function judgeOurClient(): Promise<Conformance> {
	const required: { readonly revision: Revision; readonly scenario: string }[] = [];
	for (const revision of revisions)
		for (const scenario of await clientScenarios(revision)) required.push({ revision, scenario });
	const waiting = required.filter(({ scenario }) => playOf(scenario)).entries();
	const verdicts: Verdict[] = [];
	const play = async () => {
		for (const [at, { revision, scenario }] of waiting)
			verdicts[at] = await judgeScenario(scenario, revision);
	};
	await Promise.all(Array.from({ length: scenariosAtOnce }, play));
	return {
		verdicts,
		undecided: required.flatMap(({ scenario }) => (playOf(scenario) ? [] : [scenario])),
	};
}

/** Names of the scenarios that a revision requires of clients: `  - sse-retry`. */
async function clientScenarios(revision: Revision): Promise<string[]> {
	const { stdout } = await runJudge(['list', '--client', '--requirements', revision]);
	const [, clients = ''] = /^Client scenarios.*\n((?: +- .*\n)+)/m.exec(stdout) ?? [];
	const names = [...clients.matchAll(/- (\S+)/g)].map(([, name = '']) => name);
	if (names.length === 0) throw new Error(`The judge lists no scenario:\n${stdout}`);
	return names;
}

async function judgeScenario(scenario: string, revision: Revision): Promise<Verdict> {
	// The judge splits the command at spaces and passes it joined to a shell, so quoted paths stay intact.
	const command = `"${PROJECT_NODE}" "${driver}"`;
	const which = ['--scenario', scenario, '--spec-version', revision];
	const options = ['--command', command, ...which, '--timeout', `${scenarioMs}`, '--verbose'];
	const { stdout, stderr, exitCode } = await runJudge(['client', ...options]);
	return verdictOf(`${scenario} (${revision})`, readChecks(stdout, stderr), exitCode);
}

/** The judge writes its checks as JSON to stdout, and everything else to stderr. */
function readChecks(stdout: string, stderr: string): Check[] {
	try {
		return JSON.parse(stdout) as Check[];
	} catch (error) {
		throw new Error(`The judge did not list its checks:\n${stdout}${stderr}`, { cause: error });
	}
}

async function runJudge(args: readonly string[]) {
	const child = spawnLeashed(PROJECT_NODE, [judge, ...args], { output: 'pipe' });
	if (!child.stdout || !child.stderr) throw new Error('The judge has no output');
	const [stdout, stderr, [exitCode]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close') as Promise<[number | null]>,
	]);
	return { stdout, stderr, exitCode };
}
