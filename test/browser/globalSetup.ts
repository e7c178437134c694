import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { ensurePackage } from '../../scripts/packageExtension.ts';
import { ensureVscodeHost } from '../../scripts/vscodeHost.ts';

/** Once for all browser tests: the package as users get it, the servers it talks to, and the VS Code it runs in. */
export async function setup(): Promise<void> {
	await ensure(exampleServers);
	await ensureVscodeHost();
	await ensurePackage();
}
