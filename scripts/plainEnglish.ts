// Lists phrases that read like a literal translation, in texts that users read: the interface and the documents. And constants of the code whose
// names hide that they are limits.
// Part of the lint stage: `node scripts/plainEnglish.ts`.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './projectPaths.ts';

/** Phrases to avoid, and what to write instead. Only phrases that are never right here: a false alarm costs more than a miss. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
	[/\banew\b/, 'again'],
	[/\bmend(s|ed|ing)?\b/, 'fix'],
	[/\bin vain\b/, 'needlessly'],
	[/\bslips? of the pen\b/, 'typo'],
	[/\bas (it|they) stands?\b/, 'unchanged'],
	[/\bstays? as (it is|they are)\b/, 'does not change'],
	[/\bstands? in\b(?! for)/, 'is in, replaces'],
	[/\bstead\b/, 'instead, replace'],
	[/\bof which\b/, 'two sentences'],
	[/\bfrom which on\b/, 'above, from'],
	[/\bas far as\b/, 'where, if'],
	[/\bhardly\b/, 'barely, or a number'],
	[/\bwhoever\b/, 'the one who does it'],
	[/\b(tells?|told) of\b/, 'report, mention'],
	[/\btells (how|what|when|where|whether|which|why)\b/, 'show, say'],
	[/\b(hears?|heard|learn(s|ed)?|learnt) of\b/, 'learn about, know'],
	[/\bwhat there (is|are)\b/, 'what is available'],
	[/\bwhat is kept\b/, 'what is stored'],
	[/\b(is|are) to be\b/, 'must be, should be'],
	[/\b(is|are|was|be) had\b/, 'is available, use'],
	[/\bput to (it|the)\b/, 'run, ask'],
	[/\btak(es|en|e) back\b/, 'undo, revoke'],
	[/\bwithdr(aws?|awn|ew)\b/, 'revoke'],
	[/\bputs? away\b/, 'close, dismiss'],
	[/\b(dearer|spar(es|ed|ing))\b/, 'more expensive, save'],
	[/\b(heed(s|ed)?|likewise)\b/, 'follow, also'],
];

/** Texts whose every word is read. */
const TEXTS = [
	'*.md',
	'docs/**/*.md',
	'examples/workspace/*.{md,json,jsonc}',
	'.github/ISSUE_TEMPLATE/*.yml',
	'{package.nls,l10n/bundle.l10n}.json',
];

function* phrasesIn(file: string, text: string): Generator<string> {
	for (const [{ source }, instead] of PHRASES) {
		// A phrase may be broken over two lines.
		for (const { 0: phrase, index } of text.matchAll(new RegExp(source.replaceAll(' ', '\\s+'), 'gi'))) {
			const line = text.slice(0, index).split('\n').length;
			yield `${file}:${line}: “${phrase.replaceAll(/\s+/g, ' ')}” (better: ${instead})`;
		}
	}
}

/** Constants of a module that are limits. The field calls them `max…` and `min…`. */
const LIMITS = /^(?:export )?const ((?:most|longest|largest|deepest|least|fewest|shortest)[A-Z]\w*)/gm;

function* limitsIn(file: string, text: string): Generator<string> {
	for (const [, name] of text.matchAll(LIMITS)) yield `${file}: ${name} (better: max…, min…)`;
}

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
const complaints = new Set([
	...globSync(TEXTS, { cwd: PROJECT_ROOT }).flatMap((file) => [...phrasesIn(file, read(file))]),
	...globSync('src/**/*.ts', { cwd: PROJECT_ROOT }).flatMap((file) => [...limitsIn(file, read(file))]),
]);
for (const line of complaints) console.error(line);
if (complaints.size > 0) process.exitCode = 1;
