import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import {
	type ConfigReading,
	type KnownConfig,
	nextConfig,
} from '../../../../src/vscode/config/configState.ts';

const [a, b]: readonly [string, string] = ['file:///a/config.json', 'file:///b/config.json'];
const good = `{ "servers": { "one": { "command": "\${env:PROGRAM}" } } }`;
const cutOff = good.slice(0, 20);

/** A file of this text at a place; `env`: what `.env` beside it says. */
function fileAt(
	uri: string,
	text: string,
	{ env = { PROGRAM: 'node' }, places = [a], isTrusted = true } = {},
): ConfigReading<string> {
	const source = { text, scope: { workspaceFolder: '/a', env: { ...env } } };
	return { places, isTrusted, found: { uri, source, loaded: loadConfig(text, source.scope) } };
}

function nothing(places: readonly string[] = [a]): ConfigReading<string> {
	return { places, isTrusted: true };
}

/** What is known after these readings, one after the other. */
function knownAfter(...readings: readonly ConfigReading<string>[]): KnownConfig<string> {
	return readings.reduce<KnownConfig<string>>(
		(known, reading) => {
			const next = nextConfig(known, reading);
			if (next === 'gone') throw new Error('the file is away');
			return next;
		},
		{ state: { kind: 'loading' } },
	);
}

function configOf(known: KnownConfig<string> | 'gone') {
	return known !== 'gone' && known.state.kind === 'ok' ? known.state.config : undefined;
}

/** The command of the server `one`, where a configuration is in force. */
function command(known: KnownConfig<string> | 'gone'): string | undefined {
	const launch = configOf(known)?.launches.get('one');
	return launch?.kind === 'stdio' ? launch.command : undefined;
}

test('the first reading settles what there is', () => {
	expect(knownAfter(fileAt(a, good)).state).toMatchObject({ kind: 'ok', uri: a, origin: a, stale: false });
	expect(knownAfter(fileAt(a, cutOff)).state).toMatchObject({ kind: 'broken', uri: a });
	expect(knownAfter(nothing()).state).toEqual({ kind: 'none' });
});

describe('a file that is read again', () => {
	const known = knownAfter(fileAt(a, good));

	test('is not taken for a change where text and variables are the same', () => {
		expect(nextConfig(known, fileAt(a, good))).toBe(known);
		const broken = knownAfter(fileAt(a, cutOff));
		expect(nextConfig(broken, fileAt(a, cutOff))).toBe(broken);
		const none = knownAfter(nothing());
		expect(nextConfig(none, nothing())).toBe(none);
	});

	test('is one where a variable has another value now', () => {
		expect(command(knownAfter(fileAt(a, good), fileAt(a, good, { env: { PROGRAM: 'deno' } })))).toBe('deno');
	});

	test('with other faults on the disk is a change of faults alone: the configuration is the same object', () => {
		const start = { line: 0, character: 0 };
		const missing = { severity: 'warning', message: 'no such folder', path: [], start, end: start } as const;
		const reading = fileAt(a, good);
		const found = reading.found && {
			...reading.found,
			loaded: { ...reading.found.loaded, problems: [missing] },
		};
		const next = nextConfig(known, { ...reading, ...(found && { found }) });
		expect(next).toMatchObject({ state: { problems: [missing] } });
		expect(configOf(next)).toBe(configOf(known));
	});

	test('once the workspace is trusted, or another folder is there, is told, and still the same configuration', () => {
		for (const reading of [fileAt(a, good, { isTrusted: false }), fileAt(a, good, { places: [a, b] })]) {
			const next = nextConfig(known, reading);
			expect(next).not.toBe(known);
			expect(next !== 'gone' && next.state).toEqual(known.state);
		}
	});
});

describe('a faulty file', () => {
	const faulty = knownAfter(fileAt(a, good), fileAt(a, cutOff, { env: { PROGRAM: 'other' } }));

	test('leaves the last good configuration in force, with the `.env` that it was read with', () => {
		expect(faulty.state).toMatchObject({ kind: 'ok', stale: true, uri: a, origin: a });
		expect(faulty.state).toHaveProperty('problems.length', 1);
		expect(command(faulty)).toBe('node');
		expect(faulty.source?.scope.env).toEqual({ PROGRAM: 'node' });
	});

	test.each([
		['added in front', [b, a]],
		['added behind', [a, b]],
	])('also when a folder is %s', (_, places) => {
		const next = nextConfig(faulty, fileAt(a, cutOff, { places }));
		expect(command(next)).toBe('node');
		const removed = next === 'gone' ? next : nextConfig(next, fileAt(a, cutOff));
		expect(command(removed)).toBe('node');
	});

	test('of a folder that comes first leaves in force what the other folder has, and where that is', () => {
		const next = knownAfter(fileAt(b, good, { places: [b] }), fileAt(a, cutOff, { places: [a, b] }));
		expect(next.state).toMatchObject({ kind: 'ok', stale: true, uri: a, origin: b });
		expect(next.source?.text).toBe(good);
	});

	test('leaves nothing in force of a folder that is no longer open', () => {
		const next = knownAfter(fileAt(b, good, { places: [a, b] }), fileAt(a, cutOff));
		expect(next.state).toMatchObject({ kind: 'broken', uri: a });
		expect(next.source).toBeUndefined();
	});

	test('that becomes what it was has the very configuration that stayed in force', () => {
		const faulty = knownAfter(fileAt(a, good), fileAt(a, cutOff));
		const mended = nextConfig(faulty, fileAt(a, good));
		expect(mended).toMatchObject({ state: { kind: 'ok', stale: false, problems: [] } });
		expect(configOf(mended)).toBe(configOf(faulty));
	});

	test('that nobody can read is one, too', () => {
		const start = { line: 0, character: 0 };
		const denied = { severity: 'error', message: 'denied', path: [], start, end: start } as const;
		const found = { uri: a, loaded: { config: undefined, problems: [denied] } };
		const next = knownAfter(fileAt(a, good), { places: [a], isTrusted: true, found });
		expect(next.state).toMatchObject({ kind: 'ok', stale: true, problems: [denied] });
		expect(command(next)).toBe('node');
	});

	test('in its discovery settings keeps those that were in force', () => {
		const on = '{ "tool_discovery": { "enabled": true } }';
		const next = knownAfter(fileAt(a, on), fileAt(a, '{ "tool_discovery": { "enabled": "yes" } }'));
		expect(next.state).toMatchObject({ stale: false, config: { policy: { enabled: true } } });
	});
});

describe('a file that is away', () => {
	const known = knownAfter(fileAt(a, good));

	test('is waited for, and then there is none', () => {
		expect(nextConfig(known, nothing())).toBe('gone');
		expect(nextConfig(known, nothing(), true)).toMatchObject({ state: { kind: 'none' } });
	});

	test('and back in time was never away', () => {
		expect(nextConfig(known, fileAt(a, good), true)).toBe(known);
	});

	test('with its folder, or because it has another name now, is not waited for', () => {
		expect(nextConfig(known, nothing([b]))).toMatchObject({ state: { kind: 'none' } });
	});

	test('and was never right is not waited for', () => {
		expect(nextConfig(knownAfter(fileAt(a, cutOff)), nothing())).toMatchObject({ state: { kind: 'none' } });
	});
});
