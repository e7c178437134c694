import { describe, expect, test } from 'vitest';
import type { Habits } from '../../../../src/discovery/habits/habits.ts';
import { tooltipOf, useLabel } from '../../../../src/vscode/ui/tooltips.ts';
import { ended } from '../../discovery/fixtures.ts';
import { hubWith, modelsOf, toolOf } from '../fixtures.ts';

describe('the number of calls of a tool', () => {
	const calls = [{ server: 'files', tool: 'read', calls: 3, failures: 0, totalMs: 3, lastMs: 1 }];
	const chat = { requests: 1, missed: [], servers: [], always: [], pinned: [] };
	const habits: Habits = {
		chats: [
			{ ...chat, id: 'a', at: Date.UTC(2026, 0, 5), calls },
			{ ...chat, id: 'b', at: Date.UTC(2026, 0, 9), calls },
		],
	};

	test('is summed over all chats, and shown in the tooltip with the time of the last call', () => {
		const sessions = hubWith(['read', 'write']);
		const chat = sessions.open(undefined);
		ended(chat.discovery, toolOf(chat, 'read'));
		const [files] = modelsOf(sessions, undefined, habits).servers;
		const [read, write] = files?.tools ?? [];
		expect(read?.use?.past).toEqual({ calls: 6, chats: 2, last: Date.UTC(2026, 0, 9) });
		expect(read && tooltipOf(read).replaceAll('\\', '')).toContain(
			'Called once in this chat. Called 6 times in 2 chats in total. Last call: ',
		);
		expect(write?.use).toBeUndefined();
	});

	test('is shown as a sentence', () => {
		expect(useLabel({ calls: 1 })).toBe('Called once in this chat.');
		expect(useLabel({ calls: 1, past: { calls: 1, chats: 1, last: 0 } })).toBe('Called once in this chat.');
		expect(useLabel({ calls: 2, past: { calls: 5, chats: 1, last: 0 } })).toBe(
			'Called 2 times in this chat. Called 5 times in 1 chat in total.',
		);
	});
});
