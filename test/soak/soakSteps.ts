import type { LoopEnd, LoopEvent } from '../../src/chat/loopEvent.ts';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import { planner, type Round, type SoakModel } from './soakModel.ts';
import type { SoakWindow } from './soakWindow.ts';

/** What a step does its work with; `round` counts how often all steps have been taken. */
export interface SoakGround {
	readonly window: SoakWindow;
	readonly model: SoakModel;
	readonly launches: ReadonlyMap<string, ServerLaunch>;
	readonly folder: string;
	readonly round: number;
}

/** One thing that happens in a window in the course of a day. Throws if it does not end as it must. */
export interface SoakStep {
	readonly name: string;
	run(ground: SoakGround): Promise<void>;
}

/** Results longer than this become files. */
const longText = 'Lorem ipsum dolor sit amet. '.repeat(400);

export const soakSteps: readonly SoakStep[] = [
	{
		name: 'the offline planner echoes',
		run: async ({ window, round }) => {
			expectEnd(await window.say(`echo "round ${round}"`, planner()), 'answered');
		},
	},
	{
		name: 'write and read a long file',
		run: async (ground) => {
			const path = `${ground.folder}/notes-${ground.round % 10}.txt`;
			await converse(
				ground,
				['files:write_file', 'files:read_text_file'],
				[
					call('files__write_file', { path, content: `${ground.round}\n${longText}` }),
					call('files__read_text_file', { path }),
				],
			);
		},
	},
	{
		name: 'remember and forget',
		run: (ground) => {
			const name = `Person ${ground.round}`;
			const entity = { name, entityType: 'person', observations: ['was here'] };
			return converse(
				ground,
				['memory:create_entities', 'memory:search_nodes', 'memory:delete_entities'],
				[
					call('memory__create_entities', { entities: [entity] }),
					call('memory__search_nodes', { query: name }),
					call('memory__delete_entities', { entityNames: [name] }),
				],
			);
		},
	},
	{
		name: 'think, and look at a repository',
		run: (ground) => {
			const thought = { thought: 'So be it.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
			return converse(
				ground,
				['thinking:sequentialthinking', 'git:git_status'],
				[
					[
						...call('thinking__sequentialthinking', thought),
						...call('git__git_status', { path: ground.folder }),
					],
				],
			);
		},
	},
	{
		name: 'several calls at once, over HTTP and stdio, one of them with wrong arguments',
		run: (ground) =>
			converse(
				ground,
				['remote:echo', 'remote:trigger-long-running-operation', 'everything:get-sum'],
				[
					[
						...call('remote__echo', { message: `round ${ground.round}` }),
						...call('remote__trigger-long-running-operation', { duration: 0.1, steps: 2 }),
						...call('everything__get-sum', { a: ground.round, b: 1 }),
						...call('everything__get-sum', { a: 'two' }),
						...call('nowhere__nothing', {}),
					],
				],
			),
	},
	{
		name: 'garbage and split characters',
		run: (ground) =>
			converse(
				ground,
				['noisy:fault', 'noisy:work', 'garbled:fault'],
				[[...call('noisy__fault', {}), ...call('garbled__fault', {})], call('noisy__work', {})],
			),
	},
	{
		name: 'stop a call',
		run: async (ground) => {
			const slow = call('everything__trigger-long-running-operation', { duration: 60, steps: 2 });
			const search = find('everything:trigger-long-running-operation');
			const isCall = ({ type }: LoopEvent) => type === 'toolStarted';
			expectEnd(await stopped(ground, [search, slow, 'unreachable'], isCall), 'cancelled');
		},
	},
	{
		name: 'stop an answer',
		run: async (ground) => {
			expectEnd(await stopped(ground, [longText], ({ type }) => type === 'text'), 'cancelled');
		},
	},
	{
		name: 'a server crashes in a call, and works in the next',
		run: (ground) =>
			converse(
				ground,
				['crashing:crash', 'crashing:work'],
				[call('crashing__crash', {}), call('crashing__work', {})],
			),
	},
	{
		name: 'a list changes; in the end it is what it was',
		run: async (ground) => {
			const { window, round } = ground;
			await converse(
				ground,
				['changing:grow', 'changing:count'],
				[call('changing__grow', {}), call('changing__count', {})],
			);
			if (round % 4 === 3) await window.pool.restart('changing');
		},
	},
	{
		name: 'stop and start servers by hand',
		run: async ({ window: { pool }, round }) => {
			const name = ['memory', 'files', 'noisy', 'paging', 'remote'][round % 5] ?? 'files';
			await pool.stop(name);
			await pool.start(name);
			await pool.start('dying').then(
				() => Promise.reject(new Error('dying has started')),
				() => {},
			);
		},
	},
	{
		name: 'the configuration changes, and back',
		run: async ({ window, launches, round }) => {
			const others = new Map([...launches].filter(([name]) => name !== 'paging'));
			window.configure(others);
			const changed = launches.get('crashing');
			if (changed?.kind === 'stdio') {
				others.set('crashing', { ...changed, env: { ...changed.env, ROUND: String(round) } });
			}
			window.configure(others);
			window.configure(launches);
			await window.pool.refresh();
		},
	},
	{
		name: 'a new chat',
		run: async ({ window }) => window.newChat(),
	},
];

/** A turn that loads these tools, makes the calls, round by round, and ends with an answer. */
async function converse(
	{ window, model, round }: SoakGround,
	tools: readonly string[],
	calls: readonly Round[],
): Promise<void> {
	model.script([find(...tools), ...calls, `That was round ${round}.`]);
	expectEnd(await window.say(`Please do number ${round}.`, model.model), 'answered');
}

/** A turn that the user stops as soon as `when` is seen. */
async function stopped(
	{ window, model, round }: SoakGround,
	rounds: readonly Round[],
	when: (event: LoopEvent) => boolean,
): Promise<LoopEnd['reason']> {
	const stop = new AbortController();
	model.script(rounds);
	return window.say(`Please begin number ${round}.`, model.model, stop, (event) => {
		if (when(event)) stop.abort();
	});
}

function find(...tools: readonly string[]) {
	return call('search_tools', { tool_names: tools });
}

function call(name: string, input: object) {
	return [{ name, input }];
}

function expectEnd(reason: LoopEnd['reason'], expected: LoopEnd['reason']): void {
	if (reason !== expected) throw new Error(`the turn ended as ${reason}, not as ${expected}`);
}
