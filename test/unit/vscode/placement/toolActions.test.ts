import { expect, test } from 'vitest';
import type { ToolState } from '../../../../src/chat/sessions.ts';
import { nextAction } from '../../../../src/vscode/actions/nextAction.ts';
import { changeLabel, outcomeLabel } from '../../../../src/vscode/placement/toolActions.ts';
import { unloadLabel } from '../../../../src/vscode/placement/undo.ts';
import { serverWith } from '../fixtures.ts';

const next: Readonly<Record<ToolState, readonly [own: string | undefined, editors: string | undefined]>> = {
	deferred: ['load', 'load'],
	activated: ['pin', 'unload'],
	pinned: ['defer', 'defer'],
	loaded: ['pin', undefined],
	outside: [undefined, undefined],
	held: [undefined, undefined],
	disabled: [undefined, undefined],
};

test('a tool goes from deferred to loaded to pinned and back; one of the editor is never pinned', () => {
	for (const [state, [own, editors]] of Object.entries(next) as [ToolState, (typeof next)[ToolState]][]) {
		expect(nextAction({ state })).toBe(own);
		expect(nextAction({ state, isOfEditor: true })).toBe(editors);
	}
});

const { tools } = serverWith('git', { git_log: {}, git_show: {} });
const [log] = tools.filter(({ tool }) => tool.name === 'git_log');
if (!log) throw new Error('it has that tool');
const server = { kind: 'server', status: { name: 'git' } } as const;

test('one is named, several are counted', () => {
	expect(changeLabel('pin', [log])).toBe('pin git:git_log');
	expect(changeLabel('defer', [server])).toBe('defer git');
	expect(changeLabel('load', tools)).toBe('load 2 tools');
	expect(changeLabel('pin', [log, server])).toBe('pin 2 servers and tools');
	expect(unloadLabel(['git:git_log'])).toBe('unload git:git_log');
	expect(unloadLabel(['git:git_log', 'git:git_show', 'a:b'])).toBe('unload 3 tools');
});

test('what has become of them agrees with how many they are', () => {
	expect(outcomeLabel('pin', [log])).toBe('git:git_log is pinned: every chat has it.');
	expect(outcomeLabel('pin', tools)).toBe('2 tools are pinned: every chat has them.');
	expect(outcomeLabel('unload', tools)).toBe('2 tools are unloaded from this chat.');
});
