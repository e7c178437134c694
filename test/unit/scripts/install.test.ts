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

describe('what the lock file asks for is installed', () => {
	test('when every package of every platform is there in its version', () => {
		expect(isInstalled(folderWith({ a: '1.2.0' }))).toBe(true);
	});

	test('not when one is missing, or there in another version', () => {
		expect(isInstalled(folderWith({}))).toBe(false);
		expect(isInstalled(folderWith({ a: '1.1.0' }))).toBe(false);
	});

	test('not before npm has finished', () => {
		expect(isInstalled(temporaryFolder())).toBe(false);
	});
});

describe.runIf(process.platform === 'linux')('desktop VS Code', () => {
	const folder = temporaryFolder();
	writeFileSync(path.join(folder, 'code'), '#!/bin/sh\n', { mode: 0o755 });

	test('is the `code` of the path, where there is a display', () => {
		expect(findDesktopCode({ PATH: `/nowhere:${folder}`, DISPLAY: ':0' })).toBe(path.join(folder, 'code'));
	});

	test('is not looked for without one, as on a server', () => {
		expect(findDesktopCode({ PATH: folder })).toBeUndefined();
	});
});

describe('the log files of the VS Code host', () => {
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

	test('have a line with time and level for each message, from the level that was set', async () => {
		const { file, logger } = await open();
		logger.setPattern('%Y-%m-%d %H:%M:%S.%e [%l] %v');
		logger.setLevel(4);
		logger.info('small');
		logger.error('two\nlines');
		expect(readFileSync(file, 'utf8')).toMatch(
			/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[error\] two\nlines\n$/,
		);
	});

	test('have the text as it is where formatters were cleared', async () => {
		const { file, logger } = await open();
		logger.clearFormatters();
		logger.info('a');
		logger.info('b\n');
		expect(readFileSync(file, 'utf8')).toBe('ab\n');
	});

	test('go on in a new file when one is full', async () => {
		const { file, logger } = await open(10);
		logger.clearFormatters();
		logger.info('0123456789ABC');
		logger.info('next');
		expect(readFileSync(file, 'utf8')).toBe('next');
		expect(readdirSync(path.dirname(file)).toSorted()).toEqual(['1-Discovery.log', '1-Discovery.log.1']);
	});
});
