// Lists phrases that read like a literal translation, in texts that users read: the interface and the documents.
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
];
const INTERFACE = ['package.nls.json', 'l10n/bundle.l10n.json'];
/** Code, of which only the comments are read. */
const CODE = ['src/**/*.{ts,tsx}'];
const READS_CODE = false;

/** A text with other characters than those of comments made blank; each character stays where it was. */
function commentsOf(code: string): string {
	const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
	let end = 0;
	let comments = '';
	for (const { 0: comment, index } of code.matchAll(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g)) {
		comments +=
			blank(code.slice(end, index)) + comment.replaceAll(/(?<=\n[\t ]*)\*/g, ' ').replaceAll('//', '  ');
		end = index + comment.length;
	}
	return comments;
}

function* phrasesIn(file: string, text: string): Generator<string> {
	for (const [{ source }, instead] of PHRASES) {
		// A phrase may be broken over two lines.
		for (const { 0: phrase, index } of text.matchAll(new RegExp(source.replaceAll(' ', '\\s+'), 'gi'))) {
			const line = text.slice(0, index).split('\n').length;
			yield `${file}:${line}: “${phrase.replaceAll(/\s+/g, ' ')}” (better: ${instead})`;
		}
	}
}

const filesOf = (patterns: readonly string[]) =>
	patterns.flatMap((pattern) => globSync(pattern, { cwd: PROJECT_ROOT }));
const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

const found = new Set([
	...filesOf([...TEXTS, ...INTERFACE]).flatMap((file) => [...phrasesIn(file, read(file))]),
	...filesOf(READS_CODE ? CODE : []).flatMap((file) => [...phrasesIn(file, commentsOf(read(file)))]),
]);
for (const line of found) console.error(line);
if (found.size > 0) process.exitCode = 1;
