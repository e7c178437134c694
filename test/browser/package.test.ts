import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_NODE, PROJECT_ROOT, VSIX } from '../../scripts/projectPaths.ts';
import { readLocalizedPackage } from '../localizedPackage.ts';

/** What a user gets; whoever adds a file to the package decides so here. */
const PACKAGED = [
	'CHANGELOG.md',
	'LICENSE',
	'README.md',
	'dist/THIRD_PARTY_NOTICES.txt',
	'dist/contextPage.css',
	'dist/contextPage.js',
	'dist/extension.cjs',
	'dist/gateway.js',
	'dist/reaper.js',
	'dist/reviewPage.css',
	'dist/reviewPage.js',
	'dist/sandbox.js',
	'media/casual_mcp_config.schema.json',
	'media/discovery.svg',
	'media/icon.png',
	'media/markdown.tmLanguage.json',
	'media/toolDefinition.tmLanguage.json',
	'package.json',
	'package.nls.json',
];
const PACKAGED_FOLDERS = /^(dist\/chunks\/[\w.-]+\.cjs|docs\/[\w-]+\.md|media\/walkthrough\/\w+\.svg)$/;

/** Of the VSIX. */
const MOST_BYTES = 1_400_000;

describe('the package', () => {
	const vsce = path.join(PROJECT_ROOT, 'node_modules/@vscode/vsce/vsce');
	const listing = execFileSync(PROJECT_NODE, [vsce, 'ls', '--no-dependencies'], { cwd: PROJECT_ROOT });
	const files = listing.toString().trim().split('\n').sort();

	test('holds what a user needs and nothing else', () => {
		expect(files.filter((file) => !PACKAGED_FOLDERS.test(file))).toEqual(PACKAGED);
	});

	test('is small', () => {
		expect(statSync(VSIX).size).toBeLessThan(MOST_BYTES);
	});

	test('tells the licence of every dependency', () => {
		const notices = readFileSync(path.join(PROJECT_ROOT, 'dist/THIRD_PARTY_NOTICES.txt'), 'utf8');
		const told = new Set(notices.match(/^\S+ [\d.]+(?= \()/gm));
		const { dependencies } = readLocalizedPackage();
		const missing = Object.entries(dependencies)
			.map(([name, version]) => `${name} ${version}`)
			.filter((name) => !told.has(name));
		expect(missing).toEqual([]);
	});
});
