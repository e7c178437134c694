import { describe, expect, test } from 'vitest';
import { autoWords } from '../../../src/chat/autoWords.ts';
import { context } from '../../../src/chat/commands/context.ts';
import type { ChatSessions } from '../../../src/chat/sessions.ts';
import { contextReport } from '../../../src/discovery/report.ts';
import { tilesOf } from '../../../src/vscode/context/page/tiles.ts';
import { chatState } from '../../../src/vscode/context/page/words.ts';
import { statusLabel } from '../../../src/vscode/ui/statusLabels.ts';
import { sessionsWith, toolOf } from './fixtures.ts';

const many = Array.from({ length: 60 }, (_, i) => `tool_${i}`);

function shownIn(sessions: ChatSessions) {
	const { discovery } = sessions.currentOrNext();
	const report = contextReport(discovery);
	const { text, tooltip } = statusLabel(sessions.currentSurface, discovery);
	const page = chatState(report);
	const agents = async () => ({ agents: [], faults: [] });
	const slash = context('', {
		session: discovery,
		toolsets: new Map(),
		chooseToolset: () => undefined,
		agents,
	});
	return { text, all: [tooltip, page, slash], report };
}

describe('given "enabled": "auto"', () => {
	test('when discovery saves tokens, then every place that shows it says “on” and how much it saves', () => {
		const sessions = sessionsWith(many, {}, { enabled: 'auto' });
		const { auto } = sessions.policy;
		if (auto?.kind !== 'saves') throw new Error('so many tools are deferred');
		expect(autoWords(auto)).toMatch(/^auto: on, because it saves \d\d%$/);
		for (const text of shownIn(sessions).all) expect(text).toContain(autoWords(auto));
	});

	test('when all tools fit in a request, then every place that shows discovery says “off” and why', () => {
		const sessions = sessionsWith(['read', 'write'], {}, { enabled: 'auto' });
		const { text, all } = shownIn(sessions);
		expect(text).toMatchSnapshot();
		for (const shown of all) expect(shown).toMatch(/auto: off, because all 2 tools need just \d+ tokens/);
	});
});

describe('the tokens that discovery saves', () => {
	/** `−58%` in the status bar, `58% saved` on the page. */
	function figures(sessions: ChatSessions) {
		const { text, report } = shownIn(sessions);
		return {
			inStatusBar: Number(/−(\d+)%/.exec(text)?.[1]),
			onPage: Number(/^(\d+)%/.exec(tilesOf(report)[0]?.share?.words ?? '')?.[1]),
		};
	}

	test('are the same figure in the status bar and on the page, whatever else a request contains', () => {
		const sessions = sessionsWith(many, { pinned: ['tool_0'] }, { inspectionTools: true });
		const first = figures(sessions);
		expect(first.onPage).toBe(first.inStatusBar);
		const chat = sessions.open(undefined);
		const hosted = [{ name: 'run_agent', description: 'word '.repeat(200), inputSchema: { type: 'object' } }];
		chat.discovery.beginTurn({ model: 'gpt', loading: 'append', hosted }, { role: 'user', text: 'hello' });
		chat.discovery.nextRequest();
		const before = figures(sessions);
		expect(before.onPage).toBe(before.inStatusBar);
		chat.discovery.load(['tool_1', 'tool_2'].map((name) => toolOf(chat, name)));
		const after = figures(sessions);
		expect(after.onPage).toBe(after.inStatusBar);
		expect(after.onPage).toBeLessThan(before.onPage);
	});
});
