import { describe, expect, test } from 'vitest';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { AnswerNotes } from '../../../../src/vscode/participant/answerNotes.ts';
import { Readiness } from '../../../../src/vscode/participant/readiness.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { sessionsWith, statusOf } from '../fixtures.ts';
import { launchOf, reviewedServers } from '../reviewedServers.ts';
import { chatStream } from './chatStream.ts';

const error = new ServerError('files', 'crashed', 'Server "files" crashed.');

describe('given a server that failed during a call', () => {
	test.each<[string, ServerState, readonly string[]]>([
		['waits to be restarted', { kind: 'failed', error, nextAttemptAt: 1 }, [commands.showServerLog]],
		['is being restarted', { kind: 'starting' }, [commands.showServerLog]],
		['runs again', { kind: 'ready', since: 1 }, [commands.showServerLog]],
		['asks to sign in', { kind: 'signed-out', error }, [commands.signIn]],
		['stays down', { kind: 'failed', error }, [commands.startServer, commands.showServerLog]],
	])(
		'when it %s, then the answer offers what helps: its log, its start only if nothing else starts it, or signing in',
		async (_, state, expected) => {
			const window = await reviewedServers({ files: 'node' });
			await window.approvals.approve(new Map([['files', launchOf('node')]]), false);
			const pool = { server: () => statusOf('files', { state }) };
			const sessions = sessionsWith(['read']);
			const { stream, buttons } = chatStream();
			const readiness = new Readiness({ ...window, pool: pool as never });
			const notes = new AnswerNotes(sessions, readiness, sessions.open(undefined), stream);
			notes.failed.add('files');
			notes.show();
			expect(buttons.map(({ command }) => command)).toEqual(expected);
		},
	);
});

test('given a server that failed and so was not searched, then the answer says why it failed', async () => {
	const window = await reviewedServers({ files: 'node' });
	const sessions = sessionsWith(['read']);
	const { stream, lines } = chatStream();
	const pool = { server: () => statusOf('files', { state: { kind: 'failed', error } }) };
	const readiness = new Readiness({ ...window, pool: pool as never });
	const notes = new AnswerNotes(sessions, readiness, sessions.open(undefined), stream);
	notes.unsearched = { servers: [{ name: 'files', why: 'failed' }] };
	notes.showSearch();
	expect(lines.join()).toContain('- `files`: Failed: crashed');
});

test('given a server that needs approval, then the answer says so unless another server’s tool was called', async () => {
	const window = await reviewedServers({ files: 'node', web: 'deno' });
	await window.approvals.approve(new Map([['files', launchOf('node')]]), false);
	const sessions = sessionsWith(['read']);
	const buttonsAfter = (called: readonly string[]) => {
		const { stream, buttons } = chatStream();
		const readiness = new Readiness({ ...window, pool: { server: () => undefined } as never });
		const notes = new AnswerNotes(sessions, readiness, sessions.open(undefined), stream);
		for (const name of called) notes.called.add(name);
		notes.show();
		return buttons.map(({ command }) => command);
	};
	expect(buttonsAfter([])).toEqual([commands.reviewServers]);
	expect(buttonsAfter(['files__read'])).toEqual([]);
});

test('given a tool that a search found and whose change waits for the user, then the answer says so beside the button', async () => {
	const window = await reviewedServers({ files: 'node' });
	const sessions = sessionsWith(['read']);
	const session = sessions.open(undefined);
	const { stream, lines } = chatStream();
	const readiness = new Readiness({ ...window, pool: { server: () => undefined } as never });
	const notes = new AnswerNotes(sessions, readiness, session, stream);
	notes.called.add('files__write');
	notes.addChanged(session.discovery.surface.tools);
	notes.show();
	expect(lines).toEqual([
		'⚙ $(shield) `files:read` matches, but its change needs your approval.',
		'button Review Change to files:read',
	]);
});
