import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { closure, extensionOptions, writtenFiles } from '../../../scripts/extensionBundle.ts';

/**
 * What each start of the editor reads of us, in bytes of minified code and in modules. Whoever needs more of either first asks what could be
 * imported on demand instead. Each of the 270 names that chunks on demand take from the start is 76 of these bytes.
 */
const MOST_BYTES = 330_000;
const MOST_MODULES = 205;

/** Small, and needed for the first rows of the views: translated words, counts of tokens, the nearest name. */
const PACKAGES = ['@vscode/l10n', 'fastest-levenshtein', 'tokenx'];

describe('given the extension when the editor loads it', () => {
	let modules: readonly string[];
	let bytes: number;

	beforeAll(async () => {
		const options = extensionOptions(true);
		const bundle = await rolldown(options);
		const { output } = await bundle.generate(options.output);
		await bundle.close();
		const written = writtenFiles(output);
		const start = [...closure('extension.cjs', (file) => written[file]?.imports ?? [])];
		const files = start.flatMap((file) => written[file] ?? []);
		bytes = files.reduce((sum, file) => sum + file.bytes, 0);
		modules = files
			.flatMap(({ inputs }) => Object.entries(inputs))
			.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
			.map(([input]) => input);
	});

	test('then its code stays within the agreed size', () => {
		expect(bytes).toBeLessThan(MOST_BYTES);
		expect(modules.length).toBeLessThan(MOST_MODULES);
	});

	test('then it includes only three small packages', () => {
		const packages = modules.map((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]);
		expect([...new Set(packages)].filter((name) => name !== undefined).sort()).toEqual(PACKAGES);
	});
});
