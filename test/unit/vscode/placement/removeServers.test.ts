import { expect, test } from 'vitest';
import { removeServers } from '../../../../src/vscode/placement/removeServers.ts';
import { answers, EditedDocument, messages, shown, workspace } from '../editor.ts';
import { openServers } from '../openServers.ts';

const reads = (...names: readonly string[]) => ({
	command: 'node',
	env: Object.fromEntries(names.map((name) => [name, `\${env:${name}}`])),
});
const TEXT = JSON.stringify({
	servers: {
		acme: reads('ACME_TOKEN', 'SHARED'),
		other: reads('SHARED'),
		gone: { url: 'https://gone.example/mcp' },
	},
});

/** A window on approved servers with secrets and a rule, one of which is disabled in this workspace. */
async function openWindow() {
	const window = await openServers({ work: TEXT }, { acme: ['post'] });
	const { configFile, secrets, approvals, permissions, switches } = window;
	const [file] = configFile.files;
	if (!file) throw new Error('there is no file');
	await secrets.store(file.folder, [
		{ name: 'ACME_TOKEN', value: 'abc' },
		{ name: 'SHARED', value: 'def' },
	]);
	await configFile.reload();
	await approvals.approve(new Map(configFile.inForce?.config.launches), false);
	const always = { definition: '', scope: { kind: 'workspace' }, since: 0 } as const;
	await permissions.keep({ server: 'acme', tool: 'post', decision: 'never', ...always });
	await switches.changing([[{ server: 'acme' }, true]]).take();
	const state = async () => ({
		text: window.textOf('work'),
		secrets: await secrets.names(file.folder),
		approved: approvals.launches.map(([server]) => server).toSorted(),
		rules: permissions.rulesOf('acme').length,
		isOff: switches.get({ server: 'acme' }),
	});
	return { ...window, state };
}

test('when a server is removed, then what belongs to it alone goes with it, and Undo brings all of it back', async () => {
	const window = await openWindow();
	const before = await window.state();
	expect(before).toMatchObject({ rules: 1, isOff: true, secrets: ['ACME_TOKEN', 'SHARED'] });
	const change = await removeServers(window, ['acme']);
	const after = await window.state();
	expect(Object.keys(JSON.parse(after.text).servers)).toEqual(['other', 'gone']);
	expect({ ...after, text: '' }).toEqual({
		text: '',
		secrets: ['SHARED'],
		approved: ['gone', 'other'],
		rules: 0,
		isOff: undefined,
	});
	expect(messages).toEqual(['Discovery: removed acme, with everything that was stored for it. | Undo']);
	await change?.undo();
	expect(await window.state()).toEqual(before);
	expect(change?.canUndo?.()).toBe(false);
});

test('when several servers are removed, then a secret that all of them read goes, too', async () => {
	const window = await openWindow();
	await removeServers(window, ['acme', 'other']);
	expect((await window.state()).secrets).toEqual([]);
});

test('when Undo of the notification is pressed, then everything is as it was', async () => {
	const window = await openWindow();
	const before = await window.state();
	answers.push('Undo');
	await removeServers(window, ['gone']);
	await expect.poll(window.state).toEqual(before);
});

test('when a part of it cannot be removed, then nothing is', async () => {
	const window = await openWindow();
	const before = await window.state();
	const failing = { changing: () => ({ take: () => Promise.reject(new Error('The disk is full.')) }) };
	await expect(removeServers({ ...window, switches: failing as never }, ['acme'])).rejects.toThrow(
		'disk is full',
	);
	expect(await window.state()).toEqual(before);
	expect(messages).toEqual([]);
});

test('when the file has unsaved changes, then it is saved first, or nothing is removed', async () => {
	const window = await openWindow();
	const { approved, secrets } = await window.state();
	const document = new EditedDocument(window.uriOf('work') as never, `${TEXT}\n`);
	shown.push(document);
	workspace.textDocuments = [document] as never;
	await removeServers(window, ['gone']);
	expect(await window.state()).toMatchObject({ text: TEXT, approved, secrets });
	answers.push('Save and Remove');
	await removeServers(window, ['gone']);
	const { text, approved: left } = await window.state();
	expect([Object.keys(JSON.parse(text).servers), left]).toEqual([
		['acme', 'other'],
		['acme', 'other'],
	]);
	expect(text).toMatch(/\n$/);
	expect(messages).toEqual([
		'casual_mcp_config.json has unsaved changes. Save them before the server is removed? | Save and Remove',
		'casual_mcp_config.json has unsaved changes. Save them before the server is removed? | Save and Remove',
		'Discovery: removed gone, with everything that was stored for it. | Undo',
	]);
});
