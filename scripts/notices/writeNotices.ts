import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { bundledPackages } from './bundledPackages.ts';
import { notice, type PackageFacts } from './notice.ts';

/** Packaged with the extension. */
const NOTICES = path.join(PROJECT_ROOT, 'dist/THIRD_PARTY_NOTICES.txt');
const HEAD =
	'This extension contains code of the following packages, under the licences that follow their names.\n';
const RULE = `\n${'-'.repeat(80)}\n\n`;

const LICENSE_FILE = /^(licen[cs]e|notice|copying)/i;
/** The MIT terms in our own LICENSE start here. */
const MIT_TERMS = /Permission is hereby granted.*$/s;

function readFacts(folder: string): PackageFacts {
	const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, folder, file), 'utf8');
	const files = readdirSync(path.join(PROJECT_ROOT, folder)).filter((file) => LICENSE_FILE.test(file));
	return { ...JSON.parse(read('package.json')), licenseTexts: files.sort().map(read) };
}

/** Writes the licences of everything in the last build. Throws if one does not permit bundling. */
export function writeNotices(): void {
	const metafiles = globSync('dist/{meta,*.meta}.json', { cwd: PROJECT_ROOT });
	const bundles = metafiles.map((file): Metafile => {
		return JSON.parse(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'));
	});
	const [mitTerms = ''] = MIT_TERMS.exec(readFileSync(path.join(PROJECT_ROOT, 'LICENSE'), 'utf8')) ?? [];
	const notices = bundledPackages(bundles).map((folder) => notice(readFacts(folder), mitTerms));
	writeFileSync(NOTICES, [HEAD, ...notices].join(RULE));
}
