// Writes what search learns from the sentences about common servers (`src/discovery/search/known/servers`): which terms of tools
// a person's words stand for, and which actions they ask for; and with a file of word vectors, what words are about:
// `node --max-old-space-size=8000 scripts/personWords/main.ts [FILE]`, see `wordVectors.ts`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { finish } from '../../src/discovery/search/ranker.ts';
import { pack } from '../../src/discovery/search/words/likelyActions.ts';
import { STRENGTHS } from '../../src/discovery/search/words/likelyTerms.ts';
import { packMeanings } from '../../src/discovery/search/words/meanings.ts';
import { thesaurusWith } from '../../src/discovery/search/words/thesaurus.ts';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { knownSentences } from './knownSentences.ts';
import { learnActions } from './learnActions.ts';
import { learnLinks } from './learnLinks.ts';
import { learnMeanings } from './learnMeanings.ts';
import { readWordVectors } from './wordVectors.ts';

const FOLDER = path.join(PROJECT_ROOT, 'src/discovery/search/words/asked');

/** That of a synonym. */
const MOST_STRENGTH = 0.5;

const sentences = knownSentences();
const thesaurus = finish(thesaurusWith([]));
const byWord = Map.groupBy(
	learnLinks(sentences).filter(({ word, term }) => !thesaurus.of(word).has(term)),
	({ word }) => word,
);
const links = [...byWord].map(([word, own]) => [
	word,
	own
		.flatMap(({ term, share }) => {
			const strength = Math.min(MOST_STRENGTH, Math.sqrt(share));
			return [term, Math.round(strength * STRENGTHS)];
		})
		.join(' '),
]);
write('links', Object.fromEntries(links.sort()));

const { usual, bias, weights } = learnActions(sentences);
const kept = [...weights].map(([feature, own]) => [feature, pack(own)]);
write('actions', {
	usual: Array.from(usual, (share) => Number(share.toFixed(4))),
	bias: Array.from(bias, (value) => Number(value.toFixed(3))),
	weights: Object.fromEntries(kept.sort()),
});

const file = process.argv[2];
if (file) write('meanings', packMeanings(learnMeanings(sentences, readWordVectors(file))));

function write(name: string, value: unknown): void {
	writeFileSync(path.join(FOLDER, `${name}.json`), `${JSON.stringify(value, null, '\t')}\n`);
}
