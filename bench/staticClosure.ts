import type { Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];

/** The file of a bundle and all that it imports statically, directly or not: what loading it loads. Paths as in the metafile. */
export function staticClosure(outputs: Outputs, entry: string): string[] {
	const reached = new Set<string>();
	const waiting = [entry];
	for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
		if (reached.has(file)) continue;
		reached.add(file);
		waiting.push(...staticImports(outputs, file));
	}
	return [...reached];
}

/** Bytes of some files of a bundle. */
export function bytesOf(outputs: Outputs, files: readonly string[]): number {
	return files.reduce((sum, file) => sum + outputOf(outputs, file).bytes, 0);
}

function staticImports(outputs: Outputs, file: string): string[] {
	return outputOf(outputs, file)
		.imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
		.map(({ path }) => path);
}

function outputOf(outputs: Outputs, file: string): Outputs[string] {
	const output = outputs[file];
	if (!output) throw new Error(`The bundle has no file ${file}`);
	return output;
}
