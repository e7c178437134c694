import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptReads } from '../../../../src/chat/results/keptReads.ts';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { OWNERS_FILE } from '../../../fileModes.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

const secret = 'Meeting with Ada about the merger, Tuesday at nine';
const key = 'k3y-A1b2C3d4';

/** A window that has read something, in `@discovery` or in another chat. */
async function windowThatRead(folder: string, chat: string | undefined, text: string): Promise<void> {
	const kept = new KeptReads(folder);
	const writing: Promise<void>[] = [];
	const keep: KeptReads['keep'] = (read) => {
		writing.push(kept.keep(read));
		return Promise.all(writing).then(() => undefined);
	};
	new ReadTexts({ keep, all: () => kept.all() }).addResult(chat, ['calendar'], textResult(text));
	await Promise.all(writing);
}

async function nextWindow(folder: string): Promise<ReadTexts> {
	const reads = new ReadTexts(new KeptReads(folder));
	await reads.restored();
	return reads;
}

const input = { body: `${secret} ${key}` };

test.each([
	['`@discovery`', 'a', secret],
	['other chats', undefined, secret],
	['other chats, also a short key', undefined, key],
])('what %s read is found in calls after a reload', async (_whose, chat, text) => {
	const folder = temporaryFolder();
	await windowThatRead(folder, chat, text);
	const reads = await nextWindow(folder);
	expect(reads.flowsInto({ chat, server: 'mail', input })).toMatchObject([{ server: 'calendar' }]);
	expect(reads.flowsInto({ server: 'mail', input })).toHaveLength(1);
	expect(reads.flowsInto({ chat: 'b', server: 'mail', input })).toHaveLength(chat === undefined ? 1 : 0);
	const [file = ''] = readdirSync(folder);
	expect(statSync(join(folder, file)).mode & 0o777).toBe(OWNERS_FILE);
});

test('two windows add to what the next one finds', async () => {
	const folder = temporaryFolder();
	await Promise.all([windowThatRead(folder, 'a', secret), windowThatRead(folder, undefined, key)]);
	const reads = await nextWindow(folder);
	expect(reads.serversOf('a')).toEqual(['calendar']);
	expect(reads.flowsInto({ server: 'mail', input: { key } })).toHaveLength(1);
});

test.each([
	['is cut off', '{"servers":["calendar"],"forms":"meet'],
	['is of another form', '{"servers":"calendar"}'],
	['is empty', ''],
	['has `__proto__`', '{"__proto__":{"servers":["calendar"]}}'],
])('a file that %s makes calls ask, and the others still count', async (_how, content) => {
	const folder = temporaryFolder();
	await windowThatRead(folder, 'a', secret);
	writeFileSync(join(folder, 'result-0'), content);
	const reads = await nextWindow(folder);
	expect(reads.flowsInto({ chat: 'a', server: 'mail', input })).toMatchObject([
		{ kind: 'text', server: 'calendar' },
		{ kind: 'uncompared', why: 'unreadable' },
	]);
	expect(reads.flowsInto({ server: 'calendar', input: { page: 1 } })).toEqual([]);
});

test('a folder that cannot be read makes calls ask', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'file'), '');
	const reads = await nextWindow(join(folder, 'file'));
	expect(reads.flowsInto({ server: 'mail', input })).toEqual([{ kind: 'uncompared', why: 'unreadable' }]);
});

test('a window that has read nothing finds nothing', async () => {
	const reads = await nextWindow(join(temporaryFolder(), 'reads'));
	expect(reads.flowsInto({ server: 'mail', input })).toEqual([]);
});
