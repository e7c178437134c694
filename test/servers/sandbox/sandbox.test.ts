import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isWithinBounds } from '../../../src/sandbox/job.ts';
import { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { isRunning } from '../processes.ts';
import { longDeadlines, sandboxForTests, shortDeadlines, workerScript } from './sandboxFixture.ts';

const endlessTemplate = '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}';
const overdue = { kind: 'failed', fault: 'rendering took longer than 250 ms' };

describe('given a sandbox', () => {
	const sandbox = sandboxForTests(longDeadlines);

	test('then it checks values', async () => {
		expect(await sandbox.validate({ type: 'string' }, 'x', 'server')).toEqual({ kind: 'valid' });
		expect(await sandbox.validate({ type: 'string' }, 1, 'server')).toEqual({
			kind: 'invalid',
			faults: ['expected string, not number'],
		});
	});

	test('then it renders templates', async () => {
		expect(await sandbox.render('Hello {{ name }}', { name: 'Ada' })).toEqual({
			kind: 'rendered',
			text: 'Hello Ada',
		});
		expect(await sandbox.render('{{', {})).toMatchObject({ kind: 'failed' });
	});

	test('then concurrent jobs each get their own outcome', async () => {
		const names = ['a', 'b', 'c', 'd'];
		const outcomes = await Promise.all(names.map((name) => sandbox.render('{{ name }}', { name })));
		expect(outcomes).toEqual(names.map((text) => ({ kind: 'rendered', text })));
	});

	test.each([
		['schema', { enum: Array(20_000).fill(0) }, 1, 'the schema is too large to check'],
		['value', {}, Array(20_000).fill(0), 'the value is too large to check'],
	])('then a %s that is too large is not checked', async (_what, schema, value, reason) => {
		expect(await sandbox.validate(schema, value, 'server')).toEqual({ kind: 'unchecked', reason });
	});
});

describe('given a job that runs forever, then it times out and the next job runs', () => {
	const sandbox = sandboxForTests(shortDeadlines);

	test('a pattern that backtracks', async () => {
		const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
		expect(await sandbox.validate(schema, { a: `${'a'.repeat(50)}!` }, 'server')).toEqual({
			kind: 'unchecked',
			reason: 'checking took longer than 250 ms',
		});
		expect(await sandbox.render('on', {})).toEqual({ kind: 'rendered', text: 'on' });
	});

	test('sixty bad schemas of one server delay the checks of other servers by only one of them', async () => {
		const sandbox = new Sandbox(workerScript, shortDeadlines);
		onTestFinished(() => sandbox.dispose());
		const evil = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
		const order: string[] = [];
		const check = async (server: string, schema: unknown) => {
			await sandbox.validate(schema, { a: `${'a'.repeat(50)}!` }, server);
			order.push(server);
		};
		void Promise.all(Array.from({ length: 60 }, () => check('evil', evil)));
		await Promise.all([
			check('good', {}),
			check('better', {}),
			sandbox.render('on', {}).then(() => order.push('template')),
		]);
		expect(order.filter((server) => server === 'evil')).toHaveLength(1);
		expect(order).toEqual(['evil', 'good', 'better', 'template']);
	});

	test('definitions that double at each level', async () => {
		const doubling = Array.from({ length: 40 }, (_, n) => [
			`d${n}`,
			{ anyOf: Array(2).fill({ $ref: `#/$defs/d${n + 1}` }) },
		]);
		const schema = { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(doubling), d40: { type: 'null' } } };
		expect(await sandbox.validate(schema, 1, 'server')).toMatchObject({ kind: 'unchecked' });
	});

	test('nested loops, with another job waiting', async () => {
		const outcomes = await Promise.all([sandbox.render(endlessTemplate, {}), sandbox.render('on', {})]);
		expect(outcomes).toEqual([overdue, { kind: 'rendered', text: 'on' }]);
	});
});

describe('given a job that exhausts memory, then only the sandbox process ends', () => {
	const sandbox = sandboxForTests(longDeadlines);
	const text = `{% set ns = namespace(s='xxxxxxxx') %}{% for i in range(25) %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s.replace('x', 'yyyyyyyy') }}`;

	test('a text that grows by replacement', async () => {
		expect(await sandbox.render(text, {})).toEqual({
			kind: 'failed',
			fault: 'the process that does it ended, mostly for want of memory',
		});
		expect(await sandbox.render('on', {})).toEqual({ kind: 'rendered', text: 'on' });
	});
});

describe('the sandbox’s process', () => {
	test('leaves values unchecked if it cannot start', async () => {
		const sandbox = new Sandbox(`${workerScript}.missing`);
		expect(await sandbox.validate({}, 1, 'server')).toMatchObject({ kind: 'unchecked' });
	});

	test('is not restarted after the sandbox is disposed', async () => {
		const sandbox = new Sandbox(workerScript);
		const running = sandbox.render(endlessTemplate, {});
		sandbox.dispose();
		expect(await running).toMatchObject({ kind: 'failed' });
		expect(await sandbox.render('x', {})).toMatchObject({ kind: 'failed' });
	});

	test('exits with our process, even if ours is killed during an endless job', async () => {
		const host = spawn(process.execPath, [
			'--input-type=module',
			'--eval',
			hostProgram(JSON.stringify(new URL('../../../src/sandbox/sandbox.ts', import.meta.url).href)),
		]);
		const [line] = await once(host.stdout.setEncoding('utf8'), 'data');
		const pid = Number(line);
		expect(isRunning(pid)).toBe(true);
		host.kill('SIGKILL');
		await expect.poll(() => isRunning(pid), { timeout: 10_000, interval: 20 }).toBe(false);
	});
});

/** Starts an endless job, and writes the id of the sandbox's process once the job runs. */
function hostProgram(sandboxModule: string): string {
	return `
		import childProcess from 'node:child_process';
		import { syncBuiltinESMExports } from 'node:module';
		const { fork } = childProcess;
		let started;
		childProcess.fork = (...args) => (started = fork(...args));
		syncBuiltinESMExports();
		const { Sandbox } = await import(${sandboxModule});
		const sandbox = new Sandbox(${JSON.stringify(workerScript)}, { validateMs: 60_000, renderMs: 60_000 });
		await sandbox.render('ready', {});
		sandbox.render(${JSON.stringify(endlessTemplate)}, {});
		setTimeout(() => console.log(started.pid), 50);
	`;
}

function nested(levels: number): unknown {
	let value: unknown = {};
	for (let level = 1; level < levels; level++) value = { a: value };
	return value;
}

describe('input limits', () => {
	test.each([
		['64 levels', nested(64), true],
		['65 levels', nested(65), false],
		['100,000 levels', nested(100_000), false],
		['20,000 nodes', Array(19_999).fill(0), true],
		['20,001 nodes', Array(20_000).fill(0), false],
		['512 k characters of text', 'a'.repeat(512 * 1024), true],
		['one more', ['a'.repeat(512 * 1024)], false],
		['512 k characters of names', { ['a'.repeat(512 * 1024 + 1)]: 0 }, false],
		['nothing', undefined, true],
	])('%s', (_what, value, isWithin) => {
		expect(isWithinBounds(value)).toBe(isWithin);
	});
});
