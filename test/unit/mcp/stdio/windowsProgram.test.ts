import { describe, expect, test } from 'vitest';
import { windowsProgram } from '../../../../src/mcp/stdio/windowsProgram.ts';

const env = { Path: 'C:\\Windows;"C:\\Program Files\\nodejs";.\\bin;', PATHEXT: '.COM;.EXE;.BAT;.CMD' };

/** Finds a command where only these files exist. */
function found(command: string, ...files: string[]): string {
	return windowsProgram(command, env, (file) => files.includes(file));
}

describe('a bare command on Windows', () => {
	test('is the one in PATH, not one that a repository has brought along', () => {
		const installed = 'C:\\Program Files\\nodejs\\npx.cmd';
		expect(found('npx', 'npx.cmd', '.\\npx.cmd', installed)).toBe(installed);
	});

	test('is not found where only the folder it starts in has it, or a relative one of PATH', () => {
		expect(() => found('npx', 'npx.cmd', '.\\npx.cmd', 'bin\\npx.cmd', '.\\bin\\npx.cmd')).toThrow(
			expect.objectContaining({ code: 'ENOENT' }),
		);
	});

	test('goes by the order of folders first, then of extensions', () => {
		expect(found('node', 'C:\\Windows\\node.cmd', 'C:\\Program Files\\nodejs\\node.exe')).toBe(
			'C:\\Windows\\node.cmd',
		);
		expect(found('node', 'C:\\Windows\\node.cmd', 'C:\\Windows\\node.exe')).toBe('C:\\Windows\\node.exe');
		expect(found('node.exe', 'C:\\Windows\\node.exe')).toBe('C:\\Windows\\node.exe');
	});

	test.each(['.\\run.cmd', 'tools/run', 'C:\\tools\\run.exe', 'C:run.exe'])(
		'with a folder is as it says: %s',
		(command) => {
			expect(found(command)).toBe(command);
		},
	);
});
