import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemPromptIn } from '../../../src/chat/systemPrompt.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { sessionOf } from '../discovery/fixtures.ts';

/** A folder whose configuration file has the template `brief`. */
function folderWith(text: string): string {
	const folder = temporaryFolder();
	mkdirSync(path.join(folder, 'prompt-templates'));
	writeFileSync(path.join(folder, 'prompt-templates', 'brief.j2'), text);
	return folder;
}

let rendered = 0;
/** Templates without expressions stay what they are. */
const sandbox = {
	render: async (text: string) => {
		rendered++;
		return { kind: 'rendered', text } as const;
	},
};

test('given two files with a template of the same name, each model gets its own file’s prompt, which is rendered once', async () => {
	const [users, workspaces] = [
		folderWith('You work for the user.'),
		folderWith('You work for the workspace.'),
	];
	const session = sessionOf([]);
	rendered = 0;
	for (const _ of ['at first', 'and again']) {
		expect(await systemPromptIn(session, { folder: workspaces, template: 'brief', sandbox })).toEqual({
			kind: 'ok',
			text: 'You work for the workspace.',
		});
		expect(await systemPromptIn(session, { folder: users, template: 'brief', sandbox })).toEqual({
			kind: 'ok',
			text: 'You work for the user.',
		});
	}
	expect(rendered).toBe(2);
});
