import { expect, test } from 'vitest';
import { changeWords, outcomeWords, unloadWords } from '../../../../src/vscode/commands/placementWords.ts';
import { serverWith } from '../servers/nodes.ts';

const { tools } = serverWith('git', { git_log: {}, git_show: {} });
const [log] = tools.filter(({ tool }) => tool.name === 'git_log');
if (!log) throw new Error('it has that tool');
const server = { kind: 'server', status: { name: 'git' } } as const;

test('one is named, several are counted', () => {
	expect(changeWords('pin', [log])).toBe('pin git:git_log');
	expect(changeWords('defer', [server])).toBe('defer git');
	expect(changeWords('load', tools)).toBe('load 2 tools');
	expect(changeWords('pin', [log, server])).toBe('pin 2 servers and tools');
	expect(unloadWords(['git:git_log'])).toBe('unload git:git_log');
	expect(unloadWords(['git:git_log', 'git:git_show', 'a:b'])).toBe('unload 3 tools');
});

test('what has become of them agrees with how many they are', () => {
	expect(outcomeWords('pin', [log])).toBe('git:git_log is pinned: every chat has it.');
	expect(outcomeWords('pin', tools)).toBe('2 tools are pinned: every chat has them.');
	expect(outcomeWords('unload', tools)).toBe('2 tools are unloaded from this chat.');
});
