import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AnswersInProgress, chatsUnderway } from '../../../src/chat/answersInProgress.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const answer = { prompt: 'write it', calls: ['files:write'] };

describe('an answer in progress', () => {
	test('is found by the next window after this one was interrupted', async () => {
		const folder = temporaryFolder();
		await new AnswersInProgress(folder).keep('c1', answer);
		expect(chatsUnderway(readdirSync(folder))).toEqual(['c1']);
		expect(await new AnswersInProgress(folder).get('c1')).toEqual(answer);
	});

	test('is removed once it is complete, even if its write is late', async () => {
		const folder = temporaryFolder();
		const answers = new AnswersInProgress(folder);
		const kept = answers.keep('c1', answer);
		await answers.remove('c1');
		await kept;
		expect(chatsUnderway(readdirSync(folder))).toEqual([]);
		expect(await answers.get('c1')).toBeUndefined();
	});

	test('is ignored when its file is malformed', async () => {
		const folder = temporaryFolder();
		await new AnswersInProgress(folder).keep('c1', answer);
		writeFileSync(join(folder, 'underway-c1'), '{"prompt": 1}');
		expect(await new AnswersInProgress(folder).get('c1')).toBeUndefined();
	});
});
