import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
	QuarantinedTools,
	registerQuarantineNotices,
} from '../../../../src/vscode/trust/quarantinedTools.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { listing, openAccepted, tool } from '../../mcp/accepted/accepting.ts';
import { messages } from '../editor.ts';

test('the user learns that accepted tools cannot be read, if that is so for more than a moment', async () => {
	const folder = temporaryFolder();
	const earlier = openAccepted(folder);
	earlier.use([listing([tool('get'), tool('set')])]);
	await earlier.flush();
	const [name = ''] = await readdir(folder);
	await rm(join(folder, name));
	await mkdir(join(folder, name));
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());

	const pins = openAccepted(folder);
	const notices = registerQuarantineNotices(new QuarantinedTools(pins), async () => {});
	onTestFinished(() => notices.dispose());
	pins.use([listing([tool('get'), tool('set')])]);
	vi.advanceTimersByTime(4000);
	expect(messages).toEqual([]);
	vi.advanceTimersByTime(2000);
	expect(messages).toEqual([expect.stringContaining('cannot be read')]);
});
