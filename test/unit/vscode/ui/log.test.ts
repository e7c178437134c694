import { describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { failureText } from '../../../../src/vscode/ui/labelText.ts';
import { Log, shownLevel } from '../../../../src/vscode/ui/log.ts';

/** As `vscode.LogLevel` counts. */
const channel = { off: 0, debug: 2, info: 3, warn: 4 };

describe('given LOG_LEVEL', () => {
	test('when it is not set, then the level of the channel applies', () => {
		expect(shownLevel('debug', undefined, channel.info)).toBe('debug');
	});

	test('when it is lower than the level of the channel, then messages are raised to a visible level', () => {
		expect(shownLevel('debug', 'debug', channel.info)).toBe('info');
		expect(shownLevel('debug', 'trace', channel.info)).toBe('info');
		expect(shownLevel('debug', 'debug', channel.debug)).toBe('debug');
		expect(shownLevel('warn', 'debug', channel.info)).toBe('warn');
	});

	test('when it is higher than the level of the channel, then messages below it are not written', () => {
		expect(shownLevel('debug', 'info', channel.debug)).toBeUndefined();
		expect(shownLevel('warn', 'error', channel.info)).toBeUndefined();
		expect(shownLevel('error', 'error', channel.info)).toBe('error');
	});

	test('when the user has raised the level of the channel, then messages keep their level', () => {
		expect(shownLevel('debug', 'debug', channel.warn)).toBe('debug');
		expect(shownLevel('debug', 'debug', channel.off)).toBe('debug');
	});
});

describe('given a message that contains a secret', () => {
	const lines: string[] = [];
	const write = (line: string) => void lines.push(line);
	const log = new Log({
		logLevel: channel.info,
		warn: write,
		error: write,
	} as unknown as vscode.LogOutputChannel);

	test('when the secret is known or looks like one, then the log masks it in every encoding', () => {
		log.hide(['kept-0011223344']);
		log.hide(['other-5566778899']);
		log.warn('postgres://ada:hunter2@db refused kept-0011223344');
		log.error(`?token=abc123 ${Buffer.from('kept-0011223344').toString('base64')} other-5566778899`);
		expect(lines).toEqual(['postgres://ada:***@db refused ***', '?token=*** *** ***']);
	});

	test('when a notification shows the message, then the secret is masked, too', () => {
		expect(failureText(new Error('PASSWORD=hunter2 is wrong'))).toBe('PASSWORD=*** is wrong');
	});
});
