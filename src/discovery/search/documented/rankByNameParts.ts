import type { Tool } from '../../tool.ts';
import { askedWords, bestOf, type RankerSteps, toolsAtOnce } from '../ranker.ts';
import { fold, tokenize } from '../words/tokenizer.ts';

/** Points for each word of a query, as nexo's ToolSearch documents them; a tool of an MCP server earns more for its name. */
const points = {
	ofServer: { part: 12, insidePart: 6 },
	other: { part: 10, insidePart: 5 },
	hint: 4,
	description: 2,
};

/** Ranking by parts of the name: for each word, the best place in the name, and the hint and the description besides. */
export function* rankByNameParts(tools: readonly Tool[]): RankerSteps {
	const documents: ReturnType<typeof documentOf>[] = [];
	for (const tool of tools) {
		if (documents.length % toolsAtOnce === toolsAtOnce - 1) yield;
		documents.push(documentOf(tool));
	}
	const score = (text: string): Map<number, number> => {
		const terms = [...new Set(tokenize(text))];
		const scores = new Map<number, number>();
		documents.forEach(({ parts, name, hint, description }, i) => {
			let score = 0;
			for (const term of terms) {
				if (parts.includes(term)) score += name.part;
				else if (parts.some((part) => part.includes(term))) score += name.insidePart;
				if (hint.includes(term)) score += points.hint;
				if (description.includes(term)) score += points.description;
			}
			if (score > 0) scores.set(i, score);
		});
		return scores;
	};
	return { rank: (text, limit, accepts) => bestOf(score(text), limit, accepts), asked: askedWords };
}

function documentOf(tool: Tool) {
	return {
		parts: tokenize(`${tool.server} ${tool.name}`),
		name: tool.server ? points.ofServer : points.other,
		hint: fold(tool.searchHint ?? ''),
		description: fold(tool.description ?? ''),
	};
}
