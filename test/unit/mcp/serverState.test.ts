import { expect, test } from 'vitest';
import { StartAttempt, stateOf } from '../../../src/mcp/serverState.ts';

test.each([
	['npx', '', true],
	['npx', 'Stripe MCP Server running on stdio', false],
	['node', '', false],
])('the first start of %s, whose last output is “%s”, installs it: %s', (command, line, installs) => {
	const attempt = new StartAttempt();
	attempt.firstOf = { kind: 'stdio', command, args: ['server'], env: {}, cwd: '/' };
	attempt.lastLine = line;
	const state = stateOf({ kind: 'starting', attempt, done: new Promise(() => {}) }, String);
	expect(state).toMatchObject({ first: { installs } });
});
