import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'discovery-'));
	// What a test does not wait for may still write a file there.
	onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}
