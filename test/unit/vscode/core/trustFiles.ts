import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/common/clock.ts';
import { openTrustFile } from '../../../../src/vscode/core/openTrustFile.ts';
import type { TrustFile } from '../../../../src/vscode/core/trustState.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

/** The path of a file that does not exist yet. */
export const newTrustPath = () => path.join(temporaryFolder(), 'trust', 'approvals.json');

/** The file as another window opens it. */
export async function trustFile(file = newTrustPath()): Promise<TrustFile> {
	const opened = await openTrustFile(file, { clock: systemClock });
	onTestFinished(() => opened.dispose());
	return opened;
}
