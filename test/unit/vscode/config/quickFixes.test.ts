import { describe, expect, onTestFinished, test } from 'vitest';
import type * as vscode from 'vscode';
import { QuickFixes } from '../../../../src/vscode/config/quickFixes.ts';
import type { KeyStore } from '../../../../src/vscode/core/keyStore.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import {
	answers,
	type CodeAction,
	EditedDocument,
	messages,
	Range,
	registered,
	shown,
	workspace,
} from '../editor.ts';
import { openServers } from '../openServers.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const withServer = (env: Readonly<Record<string, string>>, more = '') =>
	`{\n\t"servers": {\n\t\t"acme": { "command": "node", "env": ${JSON.stringify(env)} }\n\t}${more}\n}\n`;

/** A configuration file in an editor, with unsaved changes. */
async function openEditor(text: string) {
	const window = await openServers({ work: text });
	const document = new EditedDocument(window.uriOf('work') as never, text);
	shown.push(document);
	workspace.textDocuments = [document] as never;
	const keys = {} as KeyStore;
	const fixes = new QuickFixes({ ...window, keys });
	onTestFinished(() => fixes.dispose());
	const all = new Range(0, 0, 99, 0) as unknown as vscode.Range;
	return {
		...window,
		document,
		/** The fixes that the light bulb offers somewhere in the file. */
		offered: () =>
			fixes.provideCodeActions(document as never, all, {
				diagnostics: [],
			} as never) as unknown as CodeAction[],
		/** Chooses a fix that does more than an edit. */
		apply: async ({ command }: CodeAction) =>
			registered.get(ids.applyFix)?.(...((command?.arguments ?? []) as never[])),
	};
}

const titles = (actions: readonly CodeAction[]) => actions.map(({ title }) => title);
const first = (actions: readonly CodeAction[], title: RegExp) => {
	const found = actions.find((action) => title.test(action.title));
	if (!found) throw new Error(`no ${title} among ${titles(actions)}`);
	return found;
};

describe('given a configuration in an editor', () => {
	test('when a key is misspelt, then the fix is an edit that VS Code makes itself', async () => {
		const { offered } = await openEditor(withServer({}, ',\n\t"tool_discover": {}'));
		const action = first(offered(), /tool_discovery/);
		expect([action.command, action.edit?.replaced.map(({ text }) => text).join()]).toEqual([undefined, 'y']);
	});

	test('when a secret is written in it, then the fix stores it before it leaves the text, which stays unsaved', async () => {
		const { offered, apply, document, configFile, secrets, textOf } = await openEditor(
			withServer({ GITHUB_TOKEN: SECRET }),
		);
		await apply(first(offered(), /secret storage/));
		expect(document.getText()).toContain(`"GITHUB_TOKEN":"\${env:GITHUB_TOKEN}"`);
		expect(await secrets.values(configFile.files[0]?.folder as vscode.Uri)).toEqual({ GITHUB_TOKEN: SECRET });
		expect(textOf('work')).toContain(SECRET);
		expect(messages).toEqual(['Discovery: stored: GITHUB_TOKEN.']);
	});

	test('when the text has changed since, then nothing is stored or changed, and the user is told', async () => {
		const { offered, apply, document, configFile, secrets } = await openEditor(
			withServer({ GITHUB_TOKEN: SECRET }),
		);
		const action = first(offered(), /secret storage/);
		document.replace(new Range(0, 0, 0, 0), ' ');
		await apply(action);
		expect(document.getText()).toContain(SECRET);
		expect(await secrets.names(configFile.files[0]?.folder as vscode.Uri)).toEqual([]);
		expect(messages.join()).toContain('the file has changed. Select the fix again.');
	});

	test('when the variable has got another value meanwhile, then the secret stays where it is', async () => {
		const { offered, apply, document, configFile, secrets } = await openEditor(
			withServer({ GITHUB_TOKEN: SECRET }),
		);
		const action = first(offered(), /secret storage/);
		await secrets.store(configFile.files[0]?.folder as vscode.Uri, [
			{ name: 'GITHUB_TOKEN', value: 'another' },
		]);
		await configFile.reload();
		await apply(action);
		expect(document.getText()).toContain(SECRET);
		expect(messages.join()).toContain('GITHUB_TOKEN has been set in the meantime');
	});

	test('when a variable is not set, then the fix asks for it, and is gone once it is', async () => {
		const { offered, apply, configFile } = await openEditor(
			withServer({ TOKEN: `\${env:NOT_SET_ANYWHERE}` }),
		);
		answers.push('abc');
		await apply(first(offered(), /NOT_SET_ANYWHERE/));
		await configFile.reload();
		expect(titles(offered()).filter((title) => title.includes('NOT_SET_ANYWHERE'))).toEqual([]);
	});

	test('when the editor asks for other actions only, or the file is another, then nothing is offered', async () => {
		const { offered, document } = await openEditor(withServer({}, ',\n\t"tool_discover": {}'));
		expect(offered().length).toBeGreaterThan(0);
		const other = new EditedDocument({ toString: () => 'file:///other.json' } as never, document.getText());
		const fixes = new QuickFixes({ configFile: { fileAt: () => undefined } } as never);
		expect(fixes.provideCodeActions(other as never, new Range(0, 0, 9, 0) as never, {} as never)).toEqual([]);
		const only = { contains: () => false };
		expect(
			fixes.provideCodeActions(other as never, new Range(0, 0, 9, 0) as never, { only } as never),
		).toEqual([]);
		fixes.dispose();
	});
});
