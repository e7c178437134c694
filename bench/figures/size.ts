import type { Benchmark } from '../benchmark.ts';
import { packagedExtension } from '../packaged.ts';
import { count } from '../report.ts';
import { bytesOf, staticClosure } from '../staticClosure.ts';

const ENTRY = 'dist/extension.js';
/** Packages that the table names. */
const LARGEST_SHOWN = 8;

/** Size of the package, and of what `activate()` needs of it before anything is imported on demand. */
export const size: Benchmark = {
	name: 'size',
	title: 'Size of the extension (bytes)',
	async measure() {
		const { vsixBytes, bundle } = await packagedExtension();
		const { outputs } = bundle;
		const loaded = staticClosure(outputs, ENTRY);
		const activateBytes = bytesOf(outputs, loaded);
		const allBytes = bytesOf(outputs, Object.keys(outputs));
		const shares = bytesByPackage(loaded.map((file) => outputs[file]?.inputs ?? {}));
		return {
			kind: 'measured',
			figures: { 'vsix.bytes': vsixBytes, 'activate.bytes': activateBytes },
			tables: [
				{
					columns: ['', 'bytes'],
					rows: [
						['VSIX', count(vsixBytes)],
						['loaded by activate()', count(activateBytes)],
						...shares.slice(0, LARGEST_SHOWN).map(([name, bytes]) => [`  ${name}`, count(bytes)]),
						['imported on demand', count(allBytes - activateBytes)],
					],
				},
			],
			notes: [
				`Minified code. activate() loads ${loaded.length} files; the largest parts of them are listed.`,
			],
		};
	},
};

/** Bytes of each npm package, largest first; the project's own code is `src`. */
function bytesByPackage(
	files: readonly Readonly<Record<string, { readonly bytesInOutput: number }>>[],
): [name: string, bytes: number][] {
	const bytes = new Map<string, number>();
	for (const [input, { bytesInOutput }] of files.flatMap((inputs) => Object.entries(inputs))) {
		const name = packageOf(input);
		bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
	}
	return [...bytes].sort(([, a], [, b]) => b - a);
}

function packageOf(input: string): string {
	return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? 'src';
}
