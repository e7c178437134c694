import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { couldBeCommitted, withIgnored } from '../../../../src/vscode/import/gitIgnore.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'ignore-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('outside of a repository nothing can be committed', async () => {
	expect(await couldBeCommitted(folder, '.env')).toBe(false);
});

test('in a repository .env can be committed until a line in .gitignore keeps it out', async () => {
	execFileSync('git', ['init', '--quiet'], { cwd: folder });
	writeFileSync(path.join(folder, '.gitignore'), 'dist');
	expect(await couldBeCommitted(folder, '.env')).toBe(true);
	writeFileSync(path.join(folder, '.gitignore'), withIgnored('dist', '.env'));
	expect(await couldBeCommitted(folder, '.env')).toBe(false);
});

test('the line is added at the end, and the file keeps its line ends', () => {
	expect(withIgnored('', '.env')).toBe('.env\n');
	expect(withIgnored('a\r\nb', '.env')).toBe('a\r\nb\r\n.env\r\n');
});
