import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { codeTexts } from './codeTexts.ts';

/** All texts that the code localizes, mapped to themselves and sorted, as a base for translators. */
export function bundle(): string {
	const files = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT_ROOT });
	const texts = files.flatMap((file) => {
		return codeTexts(file, readFileSync(path.join(PROJECT_ROOT, file), 'utf8'));
	});
	const entries = [...new Set(texts)].sort().map((text) => [text, text]);
	return `${JSON.stringify(Object.fromEntries(entries), undefined, '\t')}\n`;
}
