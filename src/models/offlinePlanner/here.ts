import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Parameter } from './parameter.ts';
import type { Literal } from './prompt.ts';
import { without } from './spoken.ts';
import { requestVerb, toolVerb } from './verb.ts';
import { compact, singular, wordsOf } from './words.ts';

const folderNames: ReadonlySet<string> = new Set(
	'path directory dir folder root directorypath folderpath rootpath cwd repopath'.split(' '),
);
/** Verbs of a request that looks around; "read" is not one, for it wants one file. */
const lookingVerbs: ReadonlySet<string> = new Set(
	'list ls search find show count display what which how'.split(' '),
);
/** Words in the name of a tool that looks at a folder. */
const folderWork: ReadonlySet<string> = new Set(
	'list search find directory dir folder tree glob grep ls'.split(' '),
);
const objects: ReadonlySet<string> = new Set('file folder directory tree'.split(' '));
const placeWords: ReadonlySet<string> = new Set(
	'in inside within under from at of folder directory'.split(' '),
);

/**
 * "." for the folder of a request that only looks ("list the files", "find *.md") and names no place: that is what
 * "here" would say. Nothing else is ever assumed.
 */
export function isHere(
	parameter: Parameter,
	tool: ToolDefinition,
	prompt: string,
	used: readonly Literal[],
): boolean {
	if (!folderNames.has(compact(parameter.name)) || !parameter.types.includes('string')) return false;
	const verb = requestVerb(prompt)?.word;
	if (verb === undefined || !lookingVerbs.has(verb) || toolVerb(tool) !== 'read') return false;
	const own = wordsOf(tool.name);
	if (!own.some((word) => folderWork.has(word)) || used.some(({ kind }) => kind === 'path')) return false;
	const words = wordsOf(without(prompt, used));
	// "list my boards" is not about a folder, whatever tool was found for it.
	if (used.length === 0 && !words.some((word) => objects.has(singular(word)))) return false;
	return !words.some((word) => placeWords.has(word) && !own.includes(word));
}
