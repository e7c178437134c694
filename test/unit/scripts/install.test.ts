import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDesktopCode, isInstalled } from '../../../scripts/install/install.mjs';

const temporaryFolder = (): string => mkdtempSync(path.join(tmpdir(), 'install-test-'));

/** A folder whose lock file asks for two packages, one of them on some platforms only, and whose node_modules has `present`. */
function folderWith(present: Readonly<Record<string, string>>): string {
	const folder = temporaryFolder();
	const lock = (packages: object) => JSON.stringify({ packages });
	mkdirSync(path.join(folder, 'node_modules'));
	writeFileSync(
		path.join(folder, 'package-lock.json'),
		lock({
			'': {},
			'node_modules/a': { version: '1.2.0' },
			'node_modules/mac': { version: '1.0.0', optional: true },
		}),
	);
	const installed = Object.entries(present).map(([name, version]) => [`node_modules/${name}`, { version }]);
	writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), lock(Object.fromEntries(installed)));
	return folder;
}

describe('the packages of the lock file count as installed', () => {
	test('if every package for this platform has the right version', () => {
		expect(isInstalled(folderWith({ a: '1.2.0' }))).toBe(true);
	});

	test('not if a package is missing or has another version', () => {
		expect(isInstalled(folderWith({}))).toBe(false);
		expect(isInstalled(folderWith({ a: '1.1.0' }))).toBe(false);
	});

	test('not until npm has finished', () => {
		expect(isInstalled(temporaryFolder())).toBe(false);
	});
});

describe.runIf(process.platform === 'linux')('desktop VS Code', () => {
	const folder = temporaryFolder();
	writeFileSync(path.join(folder, 'code'), '#!/bin/sh\n', { mode: 0o755 });

	test('is the `code` command on the PATH if there is a display', () => {
		expect(findDesktopCode({ PATH: `/nowhere:${folder}`, DISPLAY: ':0' })).toBe(path.join(folder, 'code'));
	});

	test('is not searched for without a display, as on a server', () => {
		expect(findDesktopCode({ PATH: folder })).toBeUndefined();
	});
});

describe('the log files of the test host', () => {
	interface Logger {
		setPattern(pattern: string): void;
		clearFormatters(): void;
		setLevel(level: number): void;
		info(message: string): void;
		error(message: string): void;
	}
	const spdlog: {
		createAsyncRotatingLogger(name: string, file: string, size: number, count: number): Promise<Logger>;
	} = createRequire(import.meta.url)('../../../scripts/install/vscode/spdlog.js');
	const open = async (size = 1_000) => {
		const file = path.join(temporaryFolder(), 'output/1-Discovery.log');
		return { file, logger: await spdlog.createAsyncRotatingLogger('Discovery', file, size, 6) };
	};

	test('contain a line with time and level for each message at or above the level', async () => {
		const { file, logger } = await open();
		logger.setPattern('%Y-%m-%d %H:%M:%S.%e [%l] %v');
		logger.setLevel(4);
		logger.info('small');
		logger.error('two\nlines');
		expect(readFileSync(file, 'utf8')).toMatch(
			/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[error\] two\nlines\n$/,
		);
	});

	test('contain the raw text if the formatters are cleared', async () => {
		const { file, logger } = await open();
		logger.clearFormatters();
		logger.info('a');
		logger.info('b\n');
		expect(readFileSync(file, 'utf8')).toBe('ab\n');
	});

	test('continue in a new file when one is full', async () => {
		const { file, logger } = await open(10);
		logger.clearFormatters();
		logger.info('0123456789ABC');
		logger.info('next');
		expect(readFileSync(file, 'utf8')).toBe('next');
		expect(readdirSync(path.dirname(file)).toSorted()).toEqual(['1-Discovery.log', '1-Discovery.log.1']);
	});
});
