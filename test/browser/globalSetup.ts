import type { TestProject } from 'vitest/node';
import { findBrowser } from '../../scripts/chromium.ts';
import { ensureVscodeHost } from '../../scripts/codeServer.ts';
import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { ensurePackage } from '../../scripts/packageExtension.ts';
import { Editor } from './editor.ts';

/**
 * What these tests use of VS Code's own extensions. Each window would load the others, too, such as Copilot and Git, which takes a sixth of
 * its CPU time. The host tests run with all of them.
 */
const BUILT_IN = [
	'json',
	'json-language-features',
	'log',
	'markdown-basics',
	'markdown-language-features',
	'media-preview',
	'theme-defaults',
	'theme-seti',
];

let editors: readonly Editor[] = [];

/** Once for all browser tests: the servers, the package as users get it, and for each of vitest's workers a VS Code with it. */
export async function setup({ config }: TestProject): Promise<void> {
	await ensure(exampleServers);
	await ensureVscodeHost();
	await ensurePackage();
	// Here, as two workers that install it at the same time undo each other's work.
	await findBrowser();
	editors = await Promise.all(
		Array.from({ length: config.maxWorkers }, () => Editor.start({ builtIn: BUILT_IN })),
	);
	Editor.share(editors);
}

export async function teardown(): Promise<void> {
	await Promise.all(editors.map((editor) => editor[Symbol.asyncDispose]()));
}
