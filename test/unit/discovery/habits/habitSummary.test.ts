import { expect, test } from 'vitest';
import { habitSummary } from '../../../../src/discovery/habits/habitSummary.ts';
import { noHabits } from '../../../../src/discovery/habits/habits.ts';
import { called, chat } from './chats.ts';

test('given chats, then calls are totalled per server and tool, and failed searches per query', () => {
	const habits = {
		chats: [
			chat(3, { calls: [called('files', 'read', 2, 1), called('git', 'log')], missed: ['bake a cake'] }),
			chat(5, { calls: [called('files', 'write'), { ...called('files', 'read'), totalMs: 60 }] }),
			chat(9, {
				calls: [{ ...called('git', 'log'), totalMs: 0 }],
				missed: ['fly', 'Bake a cake'],
			}),
		],
	};
	expect(habitSummary(habits)).toEqual({
		chats: 3,
		since: 3,
		servers: [
			{
				server: 'files',
				chats: 2,
				calls: 4,
				failures: 1,
				meanMs: 22.5,
				tools: [
					{ tool: 'read', chats: 2, calls: 3, failures: 1, meanMs: 80 / 3 },
					{ tool: 'write', chats: 1, calls: 1, failures: 0, meanMs: 10 },
				],
			},
			{
				server: 'git',
				chats: 2,
				calls: 2,
				failures: 0,
				meanMs: 5,
				tools: [{ tool: 'log', chats: 2, calls: 2, failures: 0, meanMs: 5 }],
			},
		],
		missed: [
			{ words: 'bake a cake', count: 2 },
			{ words: 'fly', count: 1 },
		],
	});
});

test('given no chats, then the summary is empty and has no mean duration', () => {
	expect(habitSummary(noHabits)).toEqual({ chats: 0, servers: [], missed: [] });
});
