import { expect, test } from 'vitest';
import { sessionOf } from './fixtures.ts';

test('a chat adds up what providers report and what it calls, and keeps it', () => {
	const session = sessionOf();
	let changes = 0;
	session.onDidChange(() => changes++);
	session.recordAnswer({ inputTokens: 100, outputTokens: 5 });
	session.recordAnswer({ inputTokens: 150, outputTokens: 7, cachedInputTokens: 90 });
	const [first, second] = session.surface.tools;
	for (const tool of [first, second, first]) if (tool) session.recordCall(tool);

	const usage = {
		measuredAnswers: 2,
		inputTokens: 250,
		cachedInputTokens: 90,
		outputTokens: 12,
		calls: [
			{ server: 'slack', tool: 'send_message', calls: 2 },
			{ server: 'slack', tool: 'list_channels', calls: 1 },
		],
	};
	expect(session.usage).toEqual(usage);
	expect(sessionOf(undefined, undefined, JSON.parse(JSON.stringify(session.state))).usage).toEqual(usage);
	expect(changes).toBe(5);
	session.reset();
	expect(session.usage.calls).toEqual([]);
});

test('a session that an earlier version kept has used nothing yet', () => {
	const { usage: _, ...old } = sessionOf().state;
	expect(sessionOf(undefined, undefined, old).usage.measuredAnswers).toBe(0);
});
