import { describe, expect, test } from 'vitest';
import { slashCommandHandlers } from '../../../src/chat/commands/slashCommands.ts';
import { ServerError, type ServerErrorReason } from '../../../src/mcp/serverError.ts';
import { serverLook } from '../../../src/vscode/ui/looks.ts';
import { readPage } from './markdown.ts';

/** Every reason: the compiler misses one that is not here. */
const reasons: Readonly<Record<ServerErrorReason, true>> = {
	'command-not-found': true,
	'not-executable': true,
	'folder-missing': true,
	'spawn-failed': true,
	'exited-at-once': true,
	crashed: true,
	'connect-timeout': true,
	'never-answered': true,
	unreachable: true,
	unauthorized: true,
	'signed-out': true,
	'more-rights': true,
	'sign-in-unavailable': true,
	'http-error': true,
	'session-lost': true,
	protocol: true,
	'list-timeout': true,
	'call-idle': true,
	'call-too-long': true,
	'stream-cut': true,
	'message-too-large': true,
	'request-refused': true,
	'question-refused': true,
	'address-unknown': true,
	stopped: true,
	'not-approved': true,
	disabled: true,
	forbidden: true,
	'tool-changed': true,
	'tool-gone': true,
	'unknown-server': true,
};

describe('the guide', () => {
	const { text } = readPage('docs/troubleshooting.md');

	test.each(Object.keys(reasons) as ServerErrorReason[])(
		'says what to do about a server that is %s',
		(reason) => {
			const error = new ServerError('files', reason, '');
			const { word } = serverLook({ state: { kind: 'failed', error } });
			expect(text).toContain(word.replace('Failed: ', ''));
		},
	);

	test('says what every state of a server means', () => {
		const states = [
			{ kind: 'disabled' },
			{ kind: 'forbidden', ban: { by: 'organization', text: '' } },
			{ kind: 'forbidden', ban: { by: 'settings', text: '' } },
			{ kind: 'stopped' },
			{ kind: 'starting' },
			{ kind: 'ready', since: 0 },
		] as const;
		for (const state of states) expect(text).toContain(`| ${serverLook({ state }).word}`);
	});

	test('tells every slash command', () => {
		const chat = readPage('docs/chat-and-agents.md').text;
		for (const name of Object.keys(slashCommandHandlers)) expect(chat).toContain(`| \`/${name}`);
	});
});
