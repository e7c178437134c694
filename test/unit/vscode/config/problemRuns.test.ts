import { expect, test } from 'vitest';
import { dismissWarnings, moveKeys } from '../../../../src/vscode/config/problemRuns.ts';
import { DismissedWarnings } from '../../../../src/vscode/core/dismissedWarnings.ts';
import { KeyStore } from '../../../../src/vscode/core/keyStore.ts';
import { undoLast } from '../../../../src/vscode/placement/placement.ts';
import type { FileProblem, ProblemNode } from '../../../../src/vscode/ui/nodes.ts';
import { answers, messages } from '../editor.ts';
import { storage } from '../fixtures.ts';
import { secretStorage } from '../openConfiguration.ts';
import { openServers } from '../openServers.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const TEXT = JSON.stringify({
	clients: { gateway: { provider: 'openai', base_url: 'http://127.0.0.1:1/v1', api_key: SECRET } },
	servers: { acme: { command: 'node', env: { GITHUB_TOKEN: SECRET } } },
});

/** A window on a file with these keys. */
async function openWindow(text = TEXT) {
	const window = await openServers({ work: text });
	const stored = secretStorage();
	const keys = new KeyStore({ secrets: stored, agreements: storage() } as never);
	const { configFile, secrets } = window;
	const state = async () => ({
		text: window.textOf('work'),
		secrets: [
			...Object.values(await secrets.values(configFile.files[0]?.folder ?? '')),
			...stored.values.values(),
		],
	});
	return { ...window, keys, state };
}

test('when the keys of the file are moved, then it has none, and Undo brings them back into it alone', async () => {
	const window = await openWindow();
	const change = await moveKeys(window);
	const { text, secrets } = await window.state();
	expect(text).not.toContain(SECRET);
	expect(secrets).toEqual([SECRET, SECRET]);
	expect(messages).toEqual(['Discovery: moved 2 keys to secret storage. | Undo']);
	if (change) window.undo.push(change);
	await undoLast(window);
	expect(await window.state()).toEqual({ text: TEXT, secrets: [] });
	expect(messages.at(-1)).toBe('Discovery: undone: move 2 keys.');
	await undoLast(window);
	expect(messages.at(-1)).toBe('Discovery: nothing to undo.');
});

test('when the key of one row is moved, then the others stay', async () => {
	const window = await openWindow();
	const [problem] = window.configFile.inForce?.problems.filter(({ path }) => path[0] === 'servers') ?? [];
	await moveKeys(window, problem && { kind: 'problem', problem, index: 0 });
	const { text, secrets } = await window.state();
	expect([text.split(SECRET).length - 1, secrets]).toEqual([1, [SECRET]]);
});

test('when a key cannot be stored, then it stays in the file', async () => {
	const window = await openWindow();
	const keys = { changing: () => ({ take: () => Promise.reject(new Error('The keyring is locked.')) }) };
	await expect(moveKeys({ ...window, keys: keys as never })).rejects.toThrow('keyring is locked');
	expect(await window.state()).toEqual({ text: TEXT, secrets: [] });
});

test('when no key can be moved, then the user is told', async () => {
	const text = '{ "servers": { "acme": { "command": "node" } } }';
	await expect(moveKeys(await openWindow(text))).rejects.toThrow('no key can be moved');
});

test('when all warnings of a group are dismissed, then a notification says how many, and brings them back', async () => {
	const { configFile } = await openWindow();
	const dismissed = new DismissedWarnings(storage());
	let changes = 0;
	dismissed.onDidChange(() => changes++);
	const all = configFile.inForce?.problems ?? [];
	const problems = all.filter(({ reason }) => reason?.kind === 'literal-key');
	const rows = problems.map(
		(problem: FileProblem, index): ProblemNode => ({ kind: 'problem', problem, index }),
	);
	answers.push('Undo');
	const { label } = await dismissWarnings(dismissed, [
		{ kind: 'problems', severity: 'warning', problems: rows },
	]);
	expect(label).toBe('dismiss 2 warnings');
	expect(messages).toEqual(['Discovery: dismissed 2 warnings. The file stays marked. | Undo']);
	await expect.poll(() => changes).toBe(2);
	expect(problems.some((problem) => dismissed.has(problem))).toBe(false);
});
