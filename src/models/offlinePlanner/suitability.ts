import { purposesOfParameter } from './alias.ts';
import type { Choice } from './candidate.ts';
import { spelling } from './coerce.ts';
import { type Parameter, parametersOf } from './parameter.ts';
import type { Request } from './request.ts';
import { classOf, toolVerb, type VerbClass, type VerbFit, verbFit } from './verb.ts';
import { singular, wordsOf } from './words.ts';

/** Requests whose object a tool must be able to take: a file is no entity to delete. */
const needsObject: ReadonlySet<VerbClass> = new Set<VerbClass>(['delete', 'append', 'change']);
const pathNouns: ReadonlySet<string> = new Set('path file folder directory key object document'.split(' '));

/**
 * Whether the tool does what the request asks for, to what it asks it for. A choice says what a tool of many modes does
 * (`mode="delete"`), the user's before the one that is preset.
 */
export function suitability(choice: Choice, request: Request): VerbFit {
	const asked = request.verb?.class;
	const does = classOfCall(choice);
	const fit = verbFit(asked, does);
	// Writing a file anew loses what a change was to keep.
	if (asked === 'change' && does === 'create' && request.namesFile) return 'conflicts';
	if (asked === undefined || !needsObject.has(asked)) return fit;
	if (request.namesFile && !takesPath(choice)) return 'conflicts';
	return asked === 'delete' && !speaksOfObject(choice, request) ? 'conflicts' : fit;
}

/** The mode that the user names goes before the tool's verb, but never makes a tool that deletes or changes harmless. */
function classOfCall(choice: Choice): VerbClass | undefined {
	const verb = toolVerb(choice.tool);
	const said = chosenClass(choice, true);
	if (verb === undefined) return said ?? chosenClass(choice, false);
	return said === undefined || said === 'read' || verb === 'delete' ? verb : said;
}

/** A word beside the verb stands in the tool's name or description: "drop table users" is not for a stash. */
function speaksOfObject({ tool }: Choice, { verb, words }: Request): boolean {
	const nouns = words.filter((word) => word !== verb?.word);
	const known = new Set(wordsOf(`${tool.name} ${tool.description}`).map(singular));
	return nouns.length === 0 || nouns.some((word) => known.has(word));
}

/** What the chosen mode does: said by the user, or preset. */
function chosenClass({ tool, filling }: Choice, said: boolean): VerbClass | undefined {
	return parametersOf(tool)
		.filter(({ name, choices }) => choices && filling.said.has(name) === said)
		.map(({ name, preset }) => filling.input[name] ?? preset?.value)
		.flatMap((value) => (value === undefined ? [] : (classOf(wordsOf(spelling(value))[0] ?? '') ?? [])))[0];
}

/** Asks for a path, or is for files by its name; a file that it can also take is not what it is for. */
function takesPath({ tool }: Choice): boolean {
	return (
		parametersOf(tool).some((parameter) => parameter.required && isPathLike(parameter)) ||
		wordsOf(tool.name).some((word) => pathNouns.has(word))
	);
}

function isPathLike({ name }: Parameter): boolean {
	const purposes = purposesOfParameter(name);
	if (purposes.some((purpose) => ['path', 'source', 'target'].includes(purpose))) return true;
	return wordsOf(name).some((word) => pathNouns.has(word));
}
