import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { spawnLeashed } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { playedScenarios, reasonToLeaveOut } from './scenarios.ts';
import { type Check, type Verdict, verdictOf } from './verdict.ts';

const judge = path.join(PROJECT_ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const driver = fileURLToPath(new URL('driver.ts', import.meta.url));
/** The longest scenario waits half a second; the rest is room for a busy machine. */
const scenarioMs = 60_000;

/** What `@modelcontextprotocol/conformance` says of our client. */
export interface Conformance {
	readonly verdicts: readonly Verdict[];
	readonly leftOut: readonly { readonly scenario: string; readonly reason: string }[];
	/** Scenarios of the judge that are neither played nor left out for a reason: a new release has brought them. */
	readonly undecided: readonly string[];
}

/** Plays every scenario that applies to us, one after the other, against the real pool in a process of its own. */
export async function judgeOurClient(): Promise<Conformance> {
	const scenarios = await clientScenarios();
	const verdicts: Verdict[] = [];
	for (const scenario of playedScenarios.keys()) verdicts.push(await judgeScenario(scenario));
	const others = scenarios.filter((scenario) => !playedScenarios.has(scenario));
	const leftOut = others.flatMap((scenario) => {
		const reason = reasonToLeaveOut(scenario);
		return reason === undefined ? [] : [{ scenario, reason }];
	});
	const undecided = others.filter((scenario) => reasonToLeaveOut(scenario) === undefined);
	return { verdicts, leftOut, undecided };
}

/** Names of all scenarios for clients: `  - sse-retry [2025-11-25]`. */
async function clientScenarios(): Promise<string[]> {
	const { stdout } = await runJudge(['list', '--client']);
	const names = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
	if (names.length === 0) throw new Error(`The judge lists no scenario:\n${stdout}`);
	return names;
}

async function judgeScenario(scenario: string): Promise<Verdict> {
	// The judge splits the command at spaces and gives it to a shell joined by spaces: quoted paths stay whole.
	const command = `"${PROJECT_NODE}" "${driver}"`;
	const options = ['--command', command, '--scenario', scenario, '--timeout', `${scenarioMs}`, '--verbose'];
	const { stdout, stderr, exitCode } = await runJudge(['client', ...options]);
	return verdictOf(scenario, readChecks(stdout, stderr), exitCode);
}

/** The judge writes the checks as JSON to stdout, and all else to stderr. */
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
