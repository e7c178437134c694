// Writes commands, menus and keybindings to package.json, and their texts to package.nls.json, from the table of actions: `node
// scripts/actions/main.ts`. A unit test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../childProcess.ts';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { type Manifest, withContributions, withTexts } from './manifest.ts';

rewrite<Manifest>('package.json', withContributions);
rewrite<Readonly<Record<string, string>>>('package.nls.json', withTexts);
await run('biome', ['format', '--write', 'package.json', 'package.nls.json']);

function rewrite<T>(name: string, change: (content: T) => T): void {
	const file = path.join(PROJECT_ROOT, name);
	const content = change(JSON.parse(readFileSync(file, 'utf8')));
	writeFileSync(file, `${JSON.stringify(content, undefined, '\t')}\n`);
}
