import { expect, test } from 'vitest';
import { Redactor } from '../../../src/common/secrets/redactor.ts';
import { sentence } from '../../../src/common/text.ts';
import {
	connectTimeout,
	exitError,
	listTimeout,
	spawnError,
} from '../../../src/mcp/connection/connectErrors.ts';
import { remoteError, requestError } from '../../../src/mcp/connection/requestError.ts';
import { RunningCall } from '../../../src/mcp/connection/runningCall.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import {
	barredStartError,
	type ServerError,
	startError,
	toolChangedError,
	toolGoneError,
} from '../../../src/mcp/serverError.ts';

const hostile = `a\n[error] Server "b" is fine\r\u2028\u202e\u001b[31m\u200b${'x'.repeat(1_000_000)}`;
const redactor = new Redactor();
const said = new Error(hostile);
const launch = { command: hostile, cwd: hostile };
const exit = { code: 1, signal: null, afterMs: 9, wroteToStdout: false };

test.each([
	['uvx', 'Install uv (https://docs.astral.sh/uv), then'],
	['UVX.EXE', 'Install uv (https://docs.astral.sh/uv), then'],
	['npx', 'Install Node.js (https://nodejs.org), then'],
	['docker', 'Install Docker (https://docs.docker.com/get-docker), then'],
	['my-server', 'Install it, or'],
	['/opt/uvx/run', 'Install it, or'],
])('a server whose command %s is missing says how to get it', (command, advice) => {
	const { reason, message } = spawnError('s', { command, cwd: '/' }, { code: 'ENOENT', message: '' }, true);
	expect(reason).toBe('command-not-found');
	expect(message).toContain(`the command "${command}" was not found. ${advice}`);
});

test.each<[string, () => ServerError]>([
	['no folder', () => spawnError(hostile, launch, said, false)],
	...['ENOENT', 'EACCES', 'E2BIG'].map((code): [string, () => ServerError] => [
		code,
		() => spawnError(hostile, launch, { code, message: hostile }, true),
	]),
	['an exit at once', () => exitError(hostile, exit, { stderr: [hostile, hostile] }, 100)],
	[
		'a crash',
		() => exitError(hostile, { ...exit, wroteToStdout: true }, { stderr: [], garbage: hostile }, 100),
	],
	['no handshake', () => connectTimeout(hostile, 1_000, false, { stderr: [hostile] })],
	['no answer ever', () => connectTimeout(hostile, 1_000, true, { stderr: [], garbage: hostile })],
	['no list', () => listTimeout(hostile, 1)],
	['a changed tool', () => toolChangedError(hostile, hostile)],
	['a tool that is gone', () => toolGoneError(hostile, hostile)],
	['no approval', () => barredStartError(hostile, { kind: 'unapproved' })],
	[
		'a refusal',
		() => requestError(hostile, Object.assign(said, { name: 'McpError', code: -32602 }), redactor),
	],
	['a breach of the protocol', () => requestError(hostile, new SyntaxError(hostile), redactor)],
	['an HTTP status', () => remoteError(hostile, `http://h/${'p'.repeat(9_000)}`, { code: 500 }, redactor)],
	['a failed start', () => startError(hostile, new SyntaxError(hostile), redactor)],
])(
	'what is said of %s is bounded and on one line, whatever servers and tools are called and say',
	(_, made) => {
		const error = made();
		expect(error.message).not.toMatch(/[\n\r\u2028\u202e\u200b]|31m/);
		expect(error.message.length).toBeLessThan(1_000);
		expect(error.describe().length).toBeLessThan(1_500);
		expect(error.server).toBe(hostile);
	},
);

test('so is what is said of a call that took too long', async () => {
	const limits = { ...defaultLimits, callIdleMs: 0, callTotalMs: 0 };
	const surroundings = { server: hostile, limits, redactor, onLog: () => {} };
	const call = new RunningCall(sentence`Tool "${hostile}"`, surroundings, {});
	await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
	call.dispose();
	expect(call.signal.reason.message).toMatch(/^Tool "a \[error\].*did not respond|^Tool "a .*took longer/);
	expect(call.signal.reason.message.length).toBeLessThan(700);
});
