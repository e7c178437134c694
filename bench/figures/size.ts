import { closure, type WrittenFile } from '../../scripts/extensionBundle.ts';
import type { Benchmark } from '../benchmark.ts';
import { packagedExtension } from '../packaged.ts';
import { count } from '../report.ts';

const ENTRY = 'extension.cjs';
/** The number of packages in the table. */
const LARGEST_SHOWN = 8;

/** The size of the package, and of the part that `activate()` needs before dynamic imports. */
export const size: Benchmark = {
	name: 'size',
	title: 'Size of the extension (bytes)',
	async measure() {
		const { vsixBytes, bundle } = await packagedExtension();
		const { outputs } = bundle;
		const files = [...closure(ENTRY, (file) => outputs[file]?.imports ?? [])];
		const loaded = files.flatMap((file) => outputs[file] ?? []);
		const start = {
			bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
			inputs: Object.assign({}, ...loaded.map(({ inputs }) => inputs)) as WrittenFile['inputs'],
		};
		const allBytes = Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
		return {
			kind: 'measured',
			figures: { 'vsix.bytes': vsixBytes, 'activate.bytes': start.bytes },
			tables: [
				{
					columns: ['', 'bytes'],
					rows: [
						['VSIX', count(vsixBytes)],
						['loaded by activate()', count(start.bytes)],
						...bytesByPackage(start.inputs)
							.slice(0, LARGEST_SHOWN)
							.map(([name, bytes]) => [`  ${name}`, count(bytes)]),
						['imported on demand', count(allBytes - start.bytes)],
					],
				},
			],
			notes: [
				`activate() loads ${Object.keys(start.inputs).length} modules; the largest packages are listed before minification.`,
			],
		};
	},
};

/** Bytes of each npm package, largest first. `src` is the project's own code. */
function bytesByPackage(inputs: WrittenFile['inputs']): [name: string, bytes: number][] {
	const bytes = new Map<string, number>();
	for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
		const name = packageOf(input);
		bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
	}
	return [...bytes].sort(([, a], [, b]) => b - a);
}

function packageOf(input: string): string {
	return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? 'src';
}
