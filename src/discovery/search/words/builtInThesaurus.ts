import everyday from './synonyms/everyday.json' with { type: 'json' };
import general from './synonyms/general.json' with { type: 'json' };
import languages from './synonyms/languages.json' with { type: 'json' };
import requests from './synonyms/requests.json' with { type: 'json' };
import work from './synonyms/work.json' with { type: 'json' };
import { Thesaurus } from './thesaurus.ts';

/** Lines that are read in one step. */
const linesAtOnce = 400;

/** Those of workspaces, by their list. */
const extensions = new WeakMap<readonly string[], Thesaurus>();
let builtIn: Thesaurus | undefined;

/** The synonyms of the files in `synonyms/`, read once; `lines` are added for one caller. */
export function* thesaurusWith(lines: readonly string[]): Generator<void, Thesaurus, void> {
	builtIn ??= yield* read(
		[general, everyday, work, requests, languages].flatMap((file) => Object.values(file).flat()),
	);
	if (lines.length === 0) return builtIn;
	let extended = extensions.get(lines);
	if (!extended) {
		extended = yield* read(lines, builtIn);
		extensions.set(lines, extended);
	}
	return extended;
}

function* read(lines: readonly string[], base?: Thesaurus): Generator<void, Thesaurus, void> {
	const thesaurus = new Thesaurus(base);
	for (const [i, line] of lines.entries()) {
		if (i % linesAtOnce === linesAtOnce - 1) yield;
		thesaurus.add(line);
	}
	return thesaurus;
}
