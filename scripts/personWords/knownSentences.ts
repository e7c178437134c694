import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultParameters } from '../../src/discovery/search/byFields/parameters.ts';
import { readQuery } from '../../src/discovery/search/byFields/queryWords.ts';
import { ToolAnalyzer } from '../../src/discovery/search/byFields/toolDocument.ts';
import { endsWithVerb, shapeOf } from '../../src/discovery/search/byFields/toolShape.ts';
import { Vocabulary } from '../../src/discovery/search/byFields/vocabulary.ts';
import type { WrittenServer } from '../../src/discovery/search/known/knownText.ts';
import { stem } from '../../src/discovery/search/words/analyzer.ts';
import { tokenize } from '../../src/discovery/search/words/tokenizer.ts';
import { PROJECT_ROOT } from '../projectPaths.ts';

/** What a person says who wants a tool, beside the words of the tool itself. */
export interface KnownSentence {
	readonly server: string;
	/** As search reads it, without arguments. */
	readonly words: readonly string[];
	/** Terms of the tool's name and parameters, with their weights. */
	readonly tool: ReadonlyMap<string, number>;
	/** Terms of the tool in an index, with their impacts. */
	readonly impacts: ReadonlyMap<string, number>;
	/** Kinds of actions in the tool's name, see `actionKinds`. */
	readonly kinds: number;
}

/** Parameters say less about a tool than its name, and the words of the server, which all its tools share, still less. */
const PARAMETER = 0.3;
const OF_SERVER = 0.3;

/** All sentences about tools of common servers. */
export function knownSentences(): KnownSentence[] {
	const folder = path.join(PROJECT_ROOT, 'src/discovery/search/known/servers');
	const files = globSync('*.json', { cwd: folder }).sort();
	return files.flatMap((file) => {
		const server: WrittenServer = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
		return sentencesOf(path.basename(file, '.json'), server);
	});
}

function sentencesOf(server: string, tools: WrittenServer): KnownSentence[] {
	const verbLast = endsWithVerb(server, Object.keys(tools));
	const ofServer = new Set(tokenize(server).map(stem));
	const vocabulary = new Vocabulary();
	const analyzer = new ToolAnalyzer(vocabulary, defaultParameters);
	return Object.entries(tools).flatMap(([name, { parameters, when, queries }]) => {
		const tool = new Map<string, number>();
		for (const term of parameters.flatMap((parameter) => tokenize(parameter)).map(stem))
			tool.set(term, PARAMETER);
		for (const term of tokenize(name).map(stem)) tool.set(term, ofServer.has(term) ? OF_SERVER : 1);
		const properties = Object.fromEntries(parameters.map((parameter) => [parameter, {}]));
		const document = analyzer.analyze({ server, name, inputSchema: { properties } }, undefined);
		const impacts = new Map(
			Array.from(document.terms, (term, i) => [vocabulary.term(term), document.impacts[i] as number]),
		);
		const { named: kinds } = shapeOf({ server, name, inputSchema: {} }, vocabulary, verbLast);
		return [when, ...queries].map((text) => {
			const words = readQuery(text)
				.words.filter(({ manner, isName }) => manner !== 'quoted' && !isName)
				.map((word) => word.text);
			return { server, words, tool, impacts, kinds };
		});
	});
}
