import type { ToolDefinition } from '../../discovery/tool.ts';
import { purposesOfParameter } from './alias.ts';
import type { Parameter } from './parameter.ts';
import type { Literal } from './prompt.ts';
import { without } from './spoken.ts';
import { toolByName, toolReferences } from './toolReference.ts';
import { actionVerbs, singular, stopWords, wordsOf } from './words.ts';

/** Verbs whose object is a text: "write **Hello** to a.txt", but not "create **a new file**". */
const textVerbs: ReadonlySet<string> = new Set(
	'write say echo send post append put print insert log comment tell remember search find save store type'.split(
		' ',
	),
);
/** Nouns that a text never consists of alone, since they only name what is worked on. */
const genericNouns: ReadonlySet<string> = new Set(
	'file folder directory text content message something it'.split(' '),
);

const placeNouns: ReadonlySet<string> = new Set('file folder directory'.split(' '));

/**
 * What is left of the prompt for the one required text that nothing else filled: `echo hello world` leaves "hello
 * world". Words before it that belong to the request are dropped: verbs, grammar, words of the tool's name.
 */
export function remainderFor(
	parameter: Parameter,
	tool: ToolDefinition,
	parameters: readonly Parameter[],
	prompt: string,
	used: readonly Literal[],
): string | undefined {
	const isText = parameter.types.includes('string') || parameter.items?.types.includes('string');
	if (!isText || parameter.choices) return undefined;
	let text = without(prompt, used).trim();
	for (const reference of toolReferences(text)) {
		if (toolByName(reference, [tool])) text = text.replace(reference, ' ');
	}
	text = text.trim();
	// With other required parameters the text is one thing among several, and only certain verbs point at it.
	const isAlone = parameters.filter(({ required }) => required).length === 1;
	if (!isAlone && !textVerbs.has(wordsOf(text)[0] ?? '')) return undefined;
	// Words of the request's own ("the slack channel C123"), unless the value is a text that may hold them.
	const isProse = !isAlone && purposesOfParameter(parameter.name).includes('content');
	const own = isProse ? [] : wordsOf(`${tool.name} ${parameter.name}`);
	const rest = dropLead(text, new Set(own.map(singular)));
	return isValue(rest, parameter) ? rest : undefined;
}

function dropLead(text: string, own: ReadonlySet<string>): string {
	let rest = text;
	for (;;) {
		const lead = /^[^\p{L}\p{N}]*([\p{L}\p{N}'’_-]+)(?:\s+|[,:.!?]\s*|$)/u.exec(rest);
		const words = wordsOf(lead?.[1] ?? '');
		const isLead = words.every(
			(word) => stopWords.has(word) || actionVerbs.has(word) || own.has(singular(word)),
		);
		if (!lead || words.length === 0 || !isLead) return trimmed(rest);
		rest = rest.slice(lead[0].length);
	}
}

/** A question mark ends the request, not the value; words that only led to the values taken out are dropped. */
function trimmed(text: string): string {
	return text
		.replace(/[\s?]+$/, '')
		.replace(/^[\s,;:]+/, '')
		.replace(/(?:\s+(?:to|in|into|from|at|with|and|on|for|of|by|as|please))+$/i, '');
}

function isValue(text: string, parameter: Parameter): boolean {
	if (wordsOf(text).length === 0) return false;
	const words = wordsOf(text).map(singular);
	if (words.every((word) => genericNouns.has(word))) return false;
	// "an empty file" names what is worked on as well.
	if (words.length <= 3 && placeNouns.has(words.at(-1) ?? '')) return false;
	// A path, an address or a number of words that is none would only make the call fail.
	const single = purposesOfParameter(parameter.name).some((purpose) =>
		['path', 'url', 'email'].includes(purpose),
	);
	return !single || !/\s/.test(text);
}
