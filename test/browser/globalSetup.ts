import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { ensurePackage } from '../../scripts/packageExtension.ts';
import { ensureVscodeHost } from '../../scripts/vscodeHost.ts';
import { Editor } from './editor.ts';

let editor: Editor | undefined;

/** Once for all browser tests: the servers, the package as users get it, and one VS Code with it, which their windows share. */
export async function setup(): Promise<void> {
	await ensure(exampleServers);
	await ensureVscodeHost();
	await ensurePackage();
	editor = await Editor.start();
	editor.share();
}

export async function teardown(): Promise<void> {
	await editor?.[Symbol.asyncDispose]();
}
