import { describe, expect, test } from 'vitest';
import type { Uri } from 'vscode';
import { loadConfig } from '../../../../src/config/load.ts';
import {
	configParts,
	configStateOf,
	elsewhereOf,
	type FileReading,
	type FileState,
	folderLabels,
	isInForce,
	isSameState,
	type KnownFile,
	mergedFiles,
	nextFile,
} from '../../../../src/vscode/core/configState.ts';

const good = `{ "servers": { "one": { "command": "\${env:PROGRAM}" } } }`;
const cutOff = good.slice(0, 20);

/** A file of this text; `env`: what `.env` beside it says. */
function file(text: string, { env = { PROGRAM: 'node' }, isTrusted = true } = {}): FileReading {
	const source = { text, scope: { file: 'file:///a', workspaceFolder: '/a', env: { ...env } } };
	return { isTrusted, content: { source, loaded: loadConfig(text, source.scope) } };
}

const nothing: FileReading = { isTrusted: true };

/** What is known after these readings, one after the other. */
function knownAfter(...readings: readonly FileReading[]): KnownFile {
	return readings.reduce<KnownFile>(
		(known, reading) => {
			const next = nextFile(known, reading);
			if (next === 'gone') throw new Error('the file is away');
			return next;
		},
		{ state: { kind: 'loading' } },
	);
}

function configOf(known: KnownFile | 'gone') {
	return known !== 'gone' && known.state.kind === 'ok' ? known.state.config : undefined;
}

/** The command of the server `one`, where a configuration is in force. */
function command(known: KnownFile | 'gone'): string | undefined {
	const launch = configOf(known)?.launches.get('one');
	return launch?.kind === 'stdio' ? launch.command : undefined;
}

test('after the first read, the state of a file is ok, broken or none', () => {
	expect(knownAfter(file(good)).state).toMatchObject({ kind: 'ok', isStale: false });
	expect(knownAfter(file(cutOff)).state).toMatchObject({ kind: 'broken' });
	expect(knownAfter(nothing).state).toEqual({ kind: 'none' });
});

describe('given a configuration file that is read again', () => {
	const known = knownAfter(file(good));

	test('when text and variables are the same, then nothing changes', () => {
		expect(nextFile(known, file(good))).toBe(known);
		const broken = knownAfter(file(cutOff));
		expect(nextFile(broken, file(cutOff))).toBe(broken);
		const none = knownAfter(nothing);
		expect(nextFile(none, nothing)).toBe(none);
	});

	test('when a variable has a new value, then the configuration changes', () => {
		expect(command(knownAfter(file(good), file(good, { env: { PROGRAM: 'deno' } })))).toBe('deno');
	});

	test('then it is loaded again only if its text or a variable differs, or what is in force is an earlier version', () => {
		const sourceOf = (text: string, env?: { PROGRAM: string }) => ({
			text,
			scope: { file: 'file:///a', workspaceFolder: '/a', env: { PROGRAM: 'node', ...env } },
		});
		expect(isInForce(sourceOf(good), known)).toBe(true);
		expect(isInForce(sourceOf(`${good} `), known)).toBe(false);
		expect(isInForce(sourceOf(good, { PROGRAM: 'deno' }), known)).toBe(false);
		expect(isInForce(sourceOf(good), knownAfter(file(good), file(cutOff)))).toBe(false);
		expect(nextFile(known, { isTrusted: true, content: 'unchanged' })).toBe(known);
	});

	test('when only the workspace trust changes, then a change is reported, but the state is equal', () => {
		const next = nextFile(known, file(good, { isTrusted: false }));
		expect(next).not.toBe(known);
		expect(next !== 'gone' && next.state).toEqual(known.state);
	});
});

describe('given a configuration file with errors', () => {
	const faulty = knownAfter(file(good), file(cutOff, { env: { PROGRAM: 'other' } }));

	test('when it was valid before, then the last valid configuration stays in use, with its `.env`', () => {
		expect(faulty.state).toMatchObject({ kind: 'ok', isStale: true });
		expect(faulty.state).toHaveProperty('problems.length', 1);
		expect(command(faulty)).toBe('node');
		expect(faulty.source?.scope.env).toEqual({ PROGRAM: 'node' });
	});

	test('when it is valid again with the same text, then its configuration is the same object', () => {
		const mended = nextFile(faulty, file(good));
		expect(mended).toMatchObject({ state: { kind: 'ok', isStale: false, problems: [] } });
		expect(configOf(mended)).toBe(configOf(faulty));
	});

	test('when it cannot be read, then the last valid configuration stays in use, too', () => {
		const start = { line: 0, character: 0 };
		const denied = { severity: 'error', message: 'denied', path: [], start, end: start } as const;
		const found = { loaded: { config: undefined, problems: [denied] } };
		const next = knownAfter(file(good), { isTrusted: true, content: found });
		expect(next.state).toMatchObject({ kind: 'ok', isStale: true, problems: [denied] });
		expect(command(next)).toBe('node');
	});

	test('when its discovery settings are invalid, then the last valid ones stay in use', () => {
		const on = '{ "tool_discovery": { "enabled": true } }';
		const next = knownAfter(file(on), file('{ "tool_discovery": { "enabled": "yes" } }'));
		expect(next.state).toMatchObject({ isStale: false, config: { policy: { enabled: true } } });
	});
});

describe('given a configuration file that is missing', () => {
	const known = knownAfter(file(good));

	test('when it stays missing, then it counts as deleted only after a delay', () => {
		expect(nextFile(known, nothing)).toBe('gone');
		expect(nextFile(known, nothing, true)).toMatchObject({ state: { kind: 'none' } });
	});

	test('when it is back before the delay ends, then nothing changes', () => {
		expect(nextFile(known, file(good), true)).toBe(known);
	});

	test('when it was never valid, then it counts as deleted at once', () => {
		expect(nextFile(knownAfter(file(cutOff)), nothing)).toMatchObject({ state: { kind: 'none' } });
	});
});

/** A file of a folder, or without one the user's own. */
function followed(state: FileState, folder?: string) {
	const uri = `file:///${folder ?? 'user'}/config.json` as unknown as Uri;
	const label = folder ?? 'User Configuration';
	return { label, place: { uri, ...(folder !== undefined && { folder: { label: folder } }) }, state };
}

const none: FileState = { kind: 'none' };
const read = (text: string) => knownAfter(file(text)).state;
const servers = (...names: readonly string[]) =>
	read(JSON.stringify({ servers: Object.fromEntries(names.map((name) => [name, { command: 'node' }])) }));

function whole(...files: readonly ReturnType<typeof followed>[]) {
	return configStateOf(files, mergedFiles(configParts(files), undefined)?.merged);
}

describe('the combined state of several files', () => {
	test('is “none” or “loading” only if that applies to every file', () => {
		expect(whole(followed(none, 'app'), followed(none)).kind).toBe('none');
		expect(whole(followed({ kind: 'loading' }, 'app'), followed({ kind: 'loading' })).kind).toBe('loading');
		expect(whole(followed(none, 'app'), followed(servers('git')))).toMatchObject({
			kind: 'ok',
			uri: 'file:///user/config.json',
		});
	});

	test.each([
		['the user’s file', 'file:///user/config.json', read(cutOff), servers('git')],
		['the workspace’s file', 'file:///app/config.json', servers('git'), read(cutOff)],
	])(
		'is that of the other file while %s is broken, and lists the problems of the broken one',
		(_, broken, users, folders) => {
			const state = whole(followed(folders, 'app'), followed(users));
			expect(state).toMatchObject({ kind: 'ok', unreadable: [{ uri: broken, isStale: false }] });
			expect(state.kind === 'ok' && [...state.config.launches.keys()]).toEqual(['git']);
			expect('problems' in state && state.problems.map(({ uri }) => uri)).toEqual([broken]);
		},
	);

	test('is “broken” if no file can be read', () => {
		const state = whole(followed(read(cutOff), 'app'), followed(read(cutOff)));
		expect(state).toMatchObject({ kind: 'broken', uri: 'file:///app/config.json' });
		expect('problems' in state && state.problems).toHaveLength(2);
	});

	test('keeps the last valid content of a broken file, and marks it as stale', () => {
		const stale = knownAfter(file(good), file(cutOff)).state;
		const state = whole(followed(stale, 'app'), followed(servers('notes')));
		expect(state).toMatchObject({ unreadable: [{ uri: 'file:///app/config.json', isStale: true }] });
		expect(state.kind === 'ok' && [...state.config.launches.keys()]).toEqual(['one', 'notes']);
	});

	test('names the server that each error turns off, with the folder if the name is ambiguous', () => {
		const faulty = read('{ "servers": { "git": { "command": 7 } } }');
		const state = whole(followed(faulty, 'app'), followed(faulty, 'web'), followed(faulty));
		expect('problems' in state && state.problems.map(({ off }) => off)).toEqual([
			'git (app)',
			'git (web)',
			// The workspace's stand in its place, so no row of the views is for it.
			undefined,
		]);
	});

	test('is unchanged as long as every file is unchanged', () => {
		const files = [followed(servers('git'), 'app'), followed(servers('notes'))];
		const first = mergedFiles(configParts(files), undefined);
		expect(mergedFiles(configParts(files), first)).toBe(first);
		expect(isSameState(configStateOf(files, first?.merged), configStateOf(files, first?.merged))).toBe(true);
		expect(isSameState(whole(...files), whole(followed(none, 'app'), followed(servers('notes'))))).toBe(
			false,
		);
	});

	test('is the state of the only file if there is just one', () => {
		const state = servers('git');
		const one = whole(followed(state, 'app'), followed(none));
		expect(one.kind === 'ok' && one.config).toEqual(state.kind === 'ok' && state.config);
	});
});

test('a file can refer to servers of the other files, and a folder’s file to the user’s clients', () => {
	const users = read(
		'{ "clients": { "openai": { "provider": "openai" } }, "servers": { "notes": { "command": "x" } } }',
	);
	const files = [followed(servers('git'), 'app'), followed(servers('git'), 'web'), followed(users)];
	const [app, , user] = files;
	const merged = mergedFiles(configParts(files), undefined)?.merged;
	const seen = app && elsewhereOf(app, files, merged);
	expect(seen?.servers).toEqual(['git', 'git (web)', 'notes']);
	expect(seen?.clients.map(({ name }) => name)).toEqual(['openai']);
	expect(user && elsewhereOf(user, files, merged)?.clients).toEqual([]);
	expect(app && elsewhereOf(app, [app], merged)).toBeUndefined();
});

test('folders with the same name are distinguished by their parent folders', () => {
	const folders = ['/code/one/app', '/code/two/app', '/code/web'].map((path) => ({
		name: path.split('/').at(-1) ?? '',
		path,
	}));
	expect(folderLabels(folders)).toEqual(['one/app', 'two/app', 'web']);
});
