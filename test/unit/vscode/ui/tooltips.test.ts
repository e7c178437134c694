import { expect, test } from 'vitest';
import { tooltipOf } from '../../../../src/vscode/ui/tooltips.ts';
import { ended } from '../../discovery/fixtures.ts';
import { modelsOf, sessionsWith, toolOf } from '../fixtures.ts';

test('the tooltip of a tool says how often the last used chat has called it', () => {
	const sessions = sessionsWith(['read', 'write']);
	const chat = sessions.open(undefined);
	const called = () =>
		modelsOf(sessions).servers[0]?.tools.map((node) => /Called .*/.exec(tooltipOf(node))?.[0]);
	expect(called()).toEqual([undefined, undefined]);
	ended(chat.discovery, toolOf(chat, 'read'));
	expect(called()).toEqual(['Called once in this chat.', undefined]);
	ended(chat.discovery, toolOf(chat, 'read'));
	expect(called()).toEqual(['Called 2 times in this chat.', undefined]);
});
