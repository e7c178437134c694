import { expect, test } from 'vitest';
import { changeLabel, outcomeLabel } from '../../../../src/vscode/placement/toolActions.ts';
import { serverWith } from '../fixtures.ts';

const { tools } = serverWith('git', { git_log: {}, git_show: {} });
const [log] = tools.filter(({ tool }) => tool.name === 'git_log');
if (!log) throw new Error('it has that tool');
const server = { kind: 'server', status: { name: 'git' } } as const;

test('the label of a change names a single tool or server, and counts several', () => {
	expect(changeLabel('pin', [log])).toBe('pin git:git_log');
	expect(changeLabel('defer', [server])).toBe('defer git');
	expect(changeLabel('load', tools)).toBe('load 2 tools');
	expect(changeLabel('pin', [log, server])).toMatchSnapshot();
});

test('the message after a change uses singular or plural', () => {
	expect(outcomeLabel('disable', [log])).toMatchSnapshot();
	expect(outcomeLabel('enable', tools)).toMatchSnapshot();
});
