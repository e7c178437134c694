import { expect, test } from 'vitest';
import { turnToSpawn } from '../../../../src/mcp/stdio/stdioTransport.ts';

test('of processes that are to start together, each starts in a turn of its own', async () => {
	const happened: string[] = [];
	const starts = ['a', 'b', 'c'].map(async (name) => {
		await turnToSpawn();
		happened.push(name);
		setImmediate(() => happened.push('other work'));
	});
	await Promise.all(starts);
	expect(happened).toEqual(['a', 'other work', 'b', 'other work', 'c']);
});
