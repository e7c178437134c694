import { expect, test } from 'vitest';
import { prefetchLine } from '../../../src/vscode/chat/prefetchLine.ts';
import { surfaceOf } from '../discovery/fixtures.ts';

test('what is loaded ahead is told in one line, with the reason', () => {
	const tools = surfaceOf().deferred.slice(0, 2);
	expect(prefetchLine({ type: 'prefetched', reason: 'prefetch', tools })).toBe(
		'$(search) Loaded for your words: `slack:send_message`, `slack:list_channels`',
	);
	expect(prefetchLine({ type: 'prefetched', reason: 'reference', tools: tools.slice(0, 1) })).toBe(
		'$(search) Loaded as you name it: `slack:send_message`',
	);
});
