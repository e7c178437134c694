import { expect, test } from 'vitest';
import { Redactor } from '../../../src/common/secrets/redactor.ts';
import type { ServerLaunch } from '../../../src/config/servers/launch.ts';
import { launchSecrets } from '../../../src/config/servers/launch.ts';
import { type LogLine, ServerLog } from '../../../src/mcp/serverLog.ts';
import { FakeClock } from './fakeClock.ts';

function redactorOf(launch: ServerLaunch): (text: string) => string {
	const redactor = new Redactor(launchSecrets(launch));
	return (text) => redactor.hide(text);
}

function newLog(redact = (text: string) => text) {
	const heard: LogLine[] = [];
	const clock = new FakeClock();
	const limits = { logBytes: 1_000, logLinesPerSecond: 3 };
	return {
		heard,
		clock,
		log: new ServerLog({ limits, clock, redact, onLine: (entry) => heard.push(entry) }),
	};
}

test('the latest lines are kept, up to the limit', () => {
	const { log } = newLog();
	for (let i = 0; i < 100_000; i += 1) log.write('info', `line ${i}`);
	const kept = log.lines.map(({ line }) => line);
	expect(kept.at(-1)).toBe('line 99999');
	expect(kept.join('\n').length).toBeLessThanOrEqual(1_000);
	expect(kept.join('\n').length).toBeGreaterThan(450);
});

test('the first lines of each second are forwarded, with a note that there were more', async () => {
	const { log, heard, clock } = newLog();
	for (let i = 0; i < 10; i += 1) log.write('info', `line ${i}`);
	await clock.pass(1_000);
	log.write('info', 'later');
	expect(heard.map(({ line }) => line)).toEqual([
		'line 0',
		'line 1',
		'line 2',
		'… (more lines are not shown)',
		'later',
	]);
});

test('secrets of a launch are hidden, but not words and short values', () => {
	const { log, heard } = newLog(
		redactorOf({
			kind: 'remote',
			url: 'https://example.com/mcp',
			transport: 'sse',
			headers: { authorization: 'Bearer abcdefgh12345', 'x-mode': 'fast' },
		}),
	);
	log.write('error', 'refused abcdefgh12345 in mode fast');
	expect(heard).toEqual([{ level: 'error', line: 'refused *** in mode fast' }]);
	expect(log.lines).toEqual(heard);
});

test('a key is hidden, whatever its variable is called', () => {
	const env = { K: 'abcdefgh12345', FOLDER: '/home/ada/notes' };
	const reads = {
		OPENAI_API_KEY: { value: 'abcdefgh12345', isStored: false },
		NOTES_FOLDER: { value: '/home/ada/notes', isStored: false },
	};
	const { log, heard } = newLog(redactorOf({ kind: 'stdio', command: 'c', args: [], env, cwd: '/', reads }));
	log.write('info', 'got abcdefgh12345 in /home/ada/notes');
	expect(heard).toEqual([{ level: 'info', line: 'got *** in /home/ada/notes' }]);
});

test('terminal escapes and invisible characters are removed, and a secret that contained them is hidden', () => {
	const { log, heard } = newLog(
		redactorOf({ kind: 'stdio', command: 'c', args: [], env: { API_KEY: 'abcdefgh12345' }, cwd: '/' }),
	);
	log.write('info', '\u001b]0;title\u0007\u001b[31mred\u001b[0m \u202eGrüße\u200b 🙂 abcd\u001b[1mefgh12345');
	expect(heard).toEqual([{ level: 'info', line: 'red Grüße 🙂 ***' }]);
	expect(log.lines).toEqual(heard);
});
