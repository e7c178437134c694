import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { bundledPackages } from '../../../scripts/notices/bundledPackages.ts';
import { notice } from '../../../scripts/notices/notice.ts';

const MIT_TERMS = 'Permission is hereby granted';

function bundleOf(bytesByFile: Readonly<Record<string, number>>): Metafile {
	const inputs = Object.fromEntries(
		Object.entries(bytesByFile).map(([file, bytesInOutput]) => [file, { bytesInOutput }]),
	);
	return { inputs: {}, outputs: { 'dist/a.js': { bytes: 0, inputs, imports: [], exports: [] } } };
}

describe('the bundled packages', () => {
	test('are the packages with code in a bundle, each listed once', () => {
		const extension = bundleOf({
			'src/extension.ts': 10,
			'node_modules/yaml/dist/index.js': 5,
			'node_modules/yaml/dist/parse.js': 5,
			'node_modules/unused/index.js': 0,
		});
		const page = bundleOf({ 'node_modules/@vscode/l10n/dist/main.js': 1 });
		expect(bundledPackages([extension, page])).toEqual(['node_modules/@vscode/l10n', 'node_modules/yaml']);
	});

	test('include both copies if a package brings its own version of another', () => {
		const bundle = bundleOf({ 'node_modules/a/index.js': 1, 'node_modules/a/node_modules/b/index.js': 1 });
		expect(bundledPackages([bundle])).toEqual(['node_modules/a', 'node_modules/a/node_modules/b']);
	});
});

describe('the notice of a package', () => {
	const yaml = { name: 'yaml', version: '2.9.1', license: 'ISC', licenseTexts: ['Copyright Eemeli Aro\n'] };

	test('contains its name, version, licence and all licence texts', () => {
		expect(notice(yaml, MIT_TERMS)).toBe('yaml 2.9.1 (ISC)\n\nCopyright Eemeli Aro\n');
		expect(notice({ ...yaml, licenseTexts: ['Terms', 'Notice'] }, MIT_TERMS)).toContain('Terms\n\nNotice');
	});

	test.each([
		['Ada', 'Ada'],
		[{ name: 'Ada' }, 'Ada'],
		[undefined, 'the authors of yaml'],
	])(
		'contains the MIT licence with its author if the package is MIT and has no licence text',
		(author, holder) => {
			const facts = { ...yaml, license: 'MIT', licenseTexts: [], ...(author && { author }) };
			expect(notice(facts, MIT_TERMS)).toBe(`yaml 2.9.1 (MIT)\n\nCopyright (c) ${holder}\n\n${MIT_TERMS}\n`);
		},
	);

	test.each(['GPL-3.0-only', 'MIT AND GPL-2.0', 'SEE LICENSE IN LICENSE'])(
		'is rejected for %s',
		(license) => {
			expect(() => notice({ ...yaml, license }, MIT_TERMS)).toThrow(`yaml 2.9.1 is under ${license}`);
		},
	);

	test('is rejected without a licence, or without a licence text unless it is MIT', () => {
		const { license: _, ...unlicensed } = yaml;
		expect(() => notice(unlicensed, MIT_TERMS)).toThrow('no licence');
		expect(() => notice({ ...yaml, licenseTexts: [] }, MIT_TERMS)).toThrow('no licence text');
	});

	test('is accepted if one of several licences permits it', () => {
		expect(notice({ ...yaml, license: '(MIT OR GPL-3.0)' }, MIT_TERMS)).toContain('(MIT OR GPL-3.0)');
	});
});
