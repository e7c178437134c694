import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatsUnderway, UnderwayAnswers } from '../../../src/chat/underway.ts';
import { temporaryFolder } from '../../servers/poolFixture.ts';

const answer = { prompt: 'write it', calls: ['files:write'] };

describe('an answer that is being given', () => {
	it('is found by the next window, where the end of this one has interrupted it', async () => {
		const folder = temporaryFolder();
		await new UnderwayAnswers(folder).keep('c1', answer);
		expect(chatsUnderway(readdirSync(folder))).toEqual(['c1']);
		expect(await new UnderwayAnswers(folder).get('c1')).toEqual(answer);
	});

	it('is gone once it is complete, however late it was written', async () => {
		const folder = temporaryFolder();
		const answers = new UnderwayAnswers(folder);
		void answers.keep('c1', answer);
		await answers.remove('c1');
		expect(chatsUnderway(readdirSync(folder))).toEqual([]);
		expect(await answers.get('c1')).toBeUndefined();
	});

	it('is none where its file is damaged', async () => {
		const folder = temporaryFolder();
		await new UnderwayAnswers(folder).keep('c1', answer);
		writeFileSync(join(folder, 'underway-c1'), '{"prompt": 1}');
		expect(await new UnderwayAnswers(folder).get('c1')).toBeUndefined();
	});
});
