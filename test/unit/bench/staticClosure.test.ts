import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bytesOf, staticClosure } from '../../../bench/staticClosure.ts';

type Output = Metafile['outputs'][string];

const output = (bytes: number, imports: Output['imports'] = []): Output => ({
	bytes,
	imports,
	exports: [],
	inputs: {},
});
const loads = (path: string) => ({ path, kind: 'import-statement' as const });

const outputs = {
	'dist/extension.js': output(1, [
		loads('dist/chunks/a.js'),
		{ path: 'dist/sdk.js', kind: 'dynamic-import' },
		{ path: 'vscode', kind: 'import-statement', external: true },
	]),
	'dist/chunks/a.js': output(10, [loads('dist/chunks/b.js')]),
	'dist/chunks/b.js': output(100, [loads('dist/chunks/a.js')]),
	'dist/sdk.js': output(1_000, [loads('dist/chunks/c.js'), loads('dist/chunks/b.js')]),
	'dist/chunks/c.js': output(10_000),
};

describe('given a bundle with chunks, when its entry is loaded', () => {
	const loaded = staticClosure(outputs, 'dist/extension.js');

	it('then what it imports statically is loaded with it, at any depth, each file once', () => {
		expect(loaded.toSorted()).toEqual(['dist/chunks/a.js', 'dist/chunks/b.js', 'dist/extension.js']);
	});

	it('then neither what it imports on demand nor what the editor supplies counts', () => {
		expect(bytesOf(outputs, loaded)).toBe(111);
	});
});

describe('given an entry that was not built', () => {
	it('then it is named', () => {
		expect(() => staticClosure(outputs, 'dist/nothing.js')).toThrow('dist/nothing.js');
	});
});
