import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../../src/common/event.ts';
import { inOrder } from '../../../../src/common/steps.ts';
import { pinServer } from '../../../../src/config/file/edit.ts';
import type { EditedText } from '../../../../src/config/file/textEdit.ts';
import { SecretVariables } from '../../../../src/vscode/core/secretVariables.ts';
import { Switches } from '../../../../src/vscode/core/switches.ts';
import {
	cannotChange,
	changeFiles,
	type EditableFiles,
	type FileChange,
} from '../../../../src/vscode/ui/fileChanges.ts';

type Uri = FileChange['uri'];

const uriOf = (name: string) => ({ fsPath: `/w/${name}`, toString: () => `file:///w/${name}` }) as Uri;
const [app, web, folder] = [uriOf('app.json'), uriOf('web.json'), uriOf('')];
const written = '{ "servers": { "files": { "command": "x" } } }';

/** Everything that outlives a window, and the writes that fail. */
function disk(texts: Readonly<Record<string, string>> = { [app.fsPath]: written, [web.fsPath]: written }) {
	const files = new Map(Object.entries(texts));
	const stored = new Map<string, unknown>();
	let writes = 0;
	let fails: (write: number) => boolean = () => false;
	const write = <K, V>(map: Map<K, V>, key: K, value: V | undefined) => {
		if (fails(++writes)) throw new Error(`The disk is full (${writes}).`);
		if (value === undefined) map.delete(key);
		else map.set(key, value);
	};
	const configFile: EditableFiles = {
		current: async ({ fsPath }) => ({ text: files.get(fsPath) }),
		edit: async (plan, uri) => {
			const before = files.get(uri.fsPath) ?? '';
			const edits = plan(before);
			if (!edits) throw cannotChange(uri);
			const after = applyEdits(before, [...edits]);
			write(files, uri.fsPath, after);
			return { outcome: 'saved', before, after };
		},
	};
	const memento = {
		get: <T>(key: string) => stored.get(key) as T,
		keys: () => [...stored.keys()],
		update: async (key: string, value: unknown) => write(stored, key, value),
	};
	const secretKeys = () => [...stored.keys()].filter((key) => key.startsWith('secret '));
	const secrets = new SecretVariables({
		keys: async () => secretKeys().map((key) => key.slice('secret '.length)),
		get: async (key) => stored.get(`secret ${key}`) as string | undefined,
		store: async (key, value) => write(stored, `secret ${key}`, value),
		delete: async (key) => write(stored, `secret ${key}`, undefined),
		onDidChange: new Emitter<{ key: string }>().event,
	});
	const switches = new Switches(memento);
	return {
		configFile,
		secrets,
		switches,
		files,
		state: () => ({
			files: Object.fromEntries(files),
			stored: Object.fromEntries(stored),
			names: secretKeys()
				.map((key) => key.split(':').at(-1))
				.toSorted(),
			isOff: switches.get({ server: 'files' }),
		}),
		failing: (which: (write: number) => boolean) => {
			writes = 0;
			fails = which;
		},
		get writes() {
			return writes;
		},
	};
}

/** Two secrets, two files and a switch as one change. */
function wholeChange({ configFile, secrets, switches }: ReturnType<typeof disk>) {
	const plan = (text: string) => pinServer(text, 'files');
	return inOrder([
		secrets.changing(folder, [
			{ name: 'TOKEN', value: 'abc' },
			{ name: 'OLD', value: undefined },
			{ name: 'KEY', value: 'def' },
		]),
		changeFiles(
			configFile,
			[app, web].map((uri) => ({ uri, plan })),
			() => {},
		),
		switches.changing([[{ server: 'files' }, true]]),
	]);
}

async function prepared() {
	const its = disk();
	await its.secrets.store(folder, [
		{ name: 'TOKEN', value: 'before' },
		{ name: 'OLD', value: 'old' },
	]);
	its.failing(() => false);
	return its;
}

describe('a change of several files, secrets and switches', () => {
	/** Three secrets, two files, a switch. */
	const writesOfChange = 6;

	test('is made, undone and made again', async () => {
		const its = await prepared();
		const before = its.state();
		const back = await wholeChange(its).take();
		expect(its.writes).toBe(writesOfChange);
		const after = its.state();
		expect(after).toMatchObject({ names: ['KEY', 'TOKEN'], isOff: true });
		expect(after.files[web.fsPath]).toContain('"pinned": true');
		const again = await back.take();
		expect(its.state()).toEqual(before);
		await again.take();
		expect(its.state()).toEqual(after);
	});

	test.each(Array.from({ length: writesOfChange }, (_, i) => i + 1))(
		'changes nothing if its write number %i fails',
		async (number) => {
			const its = await prepared();
			const before = its.state();
			its.failing((write) => write === number);
			await expect(wholeChange(its).take()).rejects.toThrow(`The disk is full (${number}).`);
			expect(its.state()).toEqual(before);
		},
	);

	test.each(Array.from({ length: writesOfChange }, (_, i) => i + 1))(
		'undoes nothing if the write number %i of undoing fails',
		async (number) => {
			const its = await prepared();
			const back = await wholeChange(its).take();
			const after = its.state();
			its.failing((write) => write === number);
			await expect(back.take()).rejects.toThrow(`The disk is full (${number}).`);
			expect(its.state()).toEqual(after);
		},
	);

	test('says both errors if neither the rest nor the way back can be written', async () => {
		const its = await prepared();
		its.failing((write) => write >= writesOfChange);
		await expect(wholeChange(its).take()).rejects.toThrow(
			/^The disk is full \(6\)\. What was already changed could not be undone: The disk is full \(7\)\./,
		);
	});
});

describe('files that cannot all be changed', () => {
	test('stay as they are, and nothing is written at all', async () => {
		const its = disk({ [app.fsPath]: written, [web.fsPath]: '{ broken' });
		const plan = (text: string) => pinServer(text, 'files');
		const step = changeFiles(
			its.configFile,
			[app, web].map((uri) => ({ uri, plan })),
			() => {},
		);
		await expect(step.take()).rejects.toThrow('/w/web.json cannot be changed');
		expect(its.writes).toBe(0);
	});

	test('stay as they are when one was changed since: undoing writes nothing', async () => {
		const its = disk();
		const told: (readonly EditedText[])[] = [];
		const plan = (text: string) => pinServer(text, 'files');
		const step = changeFiles(
			its.configFile,
			[app, web].map((uri) => ({ uri, plan })),
			(one) => told.push(one),
		);
		const back = await step.take();
		expect(told.map((edited) => edited.length)).toEqual([2]);
		its.files.set(app.fsPath, '{ "servers": {} }');
		const after = its.state();
		its.failing(() => false);
		await expect(back.take()).rejects.toThrow('has changed since');
		expect([its.state(), its.writes]).toEqual([after, 0]);
	});
});
