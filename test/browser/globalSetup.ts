import { ensureExampleServers } from '../../scripts/exampleServers.ts';
import { packageExtension } from '../../scripts/packageExtension.ts';
import { ensureVscodeHost } from '../../scripts/vscodeHost.ts';

/** Once for all browser tests: the package as users get it, the servers it talks to, and the VS Code it runs in. */
export async function setup(): Promise<void> {
	await ensureExampleServers();
	await ensureVscodeHost();
	await packageExtension();
}
