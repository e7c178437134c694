import { describe, expect, test } from 'vitest';
import { filtered, toolFilter, withStateToggled } from '../../../../src/vscode/servers/toolFilter.ts';
import { rowOf } from '../../../../src/vscode/servers/treeRows.ts';
import { serverWith, shownIn } from './nodes.ts';

const servers = [
	serverWith('git', {
		git_log: { description: 'Shows the commits', state: 'activated' },
		git_show: { description: 'Shows one commit', state: 'pinned' },
	}),
	serverWith(
		'memory',
		{
			read: { title: 'Read the Log' },
			write: { unsent: { model: 'gpt', reason: 'Too large.' }, state: 'loaded' },
		},
		{ description: 'A knowledge graph' },
	),
];

function shown(typed: string): readonly string[] {
	const filter = toolFilter(typed);
	return shownIn(filter ? filtered(servers, filter) : servers);
}

describe('a filter', () => {
	test('wants every word, in name, title or description of the tool, or in the name of its server', () => {
		expect(shown('log')).toEqual(['git:git_log', 'memory:read']);
		expect(shown(' LOG  git ')).toEqual(['git:git_log']);
		expect(shown('memory log')).toEqual(['memory:read']);
		expect(shown('commit')).toEqual(['git:git_log', 'git:git_show']);
		expect(shown('pizza')).toEqual([]);
	});

	test('that a server says of itself shows all its tools', () => {
		expect(shown('knowledge')).toEqual(['memory:read', 'memory:write']);
	});

	test('wants one of the states that are named', () => {
		expect(shown('@pinned')).toEqual(['git:git_show']);
		expect(shown('@loaded')).toEqual(['git:git_log', 'git:git_show', 'memory:write']);
		expect(shown('@deferred @pinned')).toEqual(['git:git_show', 'memory:read']);
		expect(shown('@unsent')).toEqual(['memory:write']);
		expect(shown('log @loaded')).toEqual(['git:git_log']);
	});

	test('of nothing is none', () => {
		expect(toolFilter('  ')).toBeUndefined();
	});

	test('leaves the counts of a server whole, and says how many of them are shown', () => {
		const filter = toolFilter('show one');
		const [git] = filter ? filtered(servers, filter) : [];
		expect(git && rowOf(git)).toMatchObject({
			description: expect.stringMatching(/^1 of 2 tools · 2 loaded · ≈\d+ tokens$/),
			contextValue: expect.stringMatching(/^server\.running\.open\b/),
		});
	});
});

test('a button adds a state to what was typed, and takes it out again', () => {
	expect(withStateToggled('git', 'pinned')).toBe('git @pinned');
	expect(withStateToggled('git @Pinned log', 'pinned')).toBe('git log');
	expect(withStateToggled('', 'unsent')).toBe('@unsent');
});
