// Lists turns of phrase that read like a literal translation, in what users read: the interface and the documents.
// A part of the lint stage: `node scripts/plainEnglish.ts`.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './projectPaths.ts';

/** What not to write, and what to write instead. */
const TURNS: readonly (readonly [turn: RegExp, instead: string])[] = [
	[/\banew\b/, 'again'],
	[/\bmend(s|ed|ing)?\b/, 'fix'],
	[/\bin vain\b/, 'needlessly'],
	[/\bslips? of the pen\b/, 'typo'],
	[/\bas (it|they) stands?\b/, 'unchanged'],
	[/\bof which\b/, 'two sentences'],
	[/\bas far as\b/, 'where, if'],
	[/\bhardly\b/, 'barely, or a number'],
	[/\bnobody\b/, 'the one who does it, or “nothing”'],
	[/\b(tells?|told) of\b/, 'report, mention'],
	[/\btak(es|en|e) back\b/, 'undo, revoke'],
	[/\bhas learned of\b/, 'knows'],
	[/\bput(s)? away\b/, 'close, dismiss'],
];

const READ = ['*.md', 'docs/**/*.md', 'package.nls.json', 'l10n/bundle.l10n.json'];

const found = READ.flatMap((pattern) => globSync(pattern, { cwd: PROJECT_ROOT })).flatMap((file) =>
	readFileSync(path.join(PROJECT_ROOT, file), 'utf8')
		.split('\n')
		.flatMap((line, index) =>
			TURNS.flatMap(([turn, instead]) => {
				const [words] = turn.exec(line) ?? [];
				return words === undefined ? [] : [`${file}:${index + 1}: “${words}” (better: ${instead})`];
			}),
		),
);
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
