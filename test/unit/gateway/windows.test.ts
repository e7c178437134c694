import { describe, expect, test } from 'vitest';
import { type GatewayWindow, windowOf } from '../../../src/gateway/windows.ts';

const window = (port: number, ...folders: string[]): GatewayWindow => ({ folders, port, token: '', pid: 1 });
const windows = [window(1, '/work'), window(2, '/work/app', '/docs'), window(3, '/work/app/core'), window(4)];

describe('given several windows', () => {
	test.each([
		['/work/app/core', 3],
		['/work/app/core/src', 3],
		['/work/app', 2],
		['/work/app/corelib', 2],
		['/work/application', 1],
		['/docs/a', 2],
		['/work', 1],
		['/', undefined],
		['/workshop', undefined],
		['/elsewhere', undefined],
	])(
		'when an agent works in %s, then it reaches the window whose folder contains it most closely',
		(folder, port) => {
			expect(windowOf(windows, folder)?.port).toBe(port);
		},
	);
});
