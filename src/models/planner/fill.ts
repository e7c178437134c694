import { parsedJson } from '../../common/json.ts';
import { alternativesOf, membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import { answerText, type ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { isOfType } from '../schemas/rules.ts';
import type { Done } from './steps.ts';
import type { Value } from './values.ts';
import { hasRole, isLabelOf, isPlaceWord, isSmall, wordsOf } from './words.ts';

/** A parameter of a tool. */
export interface Parameter {
	readonly name: string;
	readonly required: boolean;
	/** JSON types; `string` if the schema has none. */
	readonly types: readonly string[];
	readonly choices: readonly unknown[];
	/** Whether it takes a list of texts: a value is a list of one. */
	readonly isTexts: boolean;
	/** Whether it is the repository of a tool of git: by default the workspace. */
	readonly isRepository: boolean;
}

/** The parameters of a tool, including required ones without a schema. Never throws. */
function parametersOf({ inputSchema: whole }: ToolDefinition): readonly Parameter[] {
	return membersOf(resolved(whole, whole)).map(({ name, schema, required }) => {
		const own = resolved(schema, whole);
		const variants = [own, ...alternativesOf(own).map((one) => resolved(one, whole))];
		const types = variants.flatMap(typesOf);
		return {
			name,
			required,
			types: types.length > 0 ? types : ['string'],
			choices: variants.flatMap((one) => (Array.isArray(one.enum) ? one.enum : [])),
			isTexts: types.includes('array') && typesOf(resolved(own.items, whole)).includes('string'),
			isRepository:
				/^repo(?:sitory)?_?path$/i.test(name) ||
				(name === 'path' && /^path to the git repository\b/i.test(String(own.description))),
		};
	});
}

/** Where the values for a step come from. */
export interface Sources {
	readonly text: string;
	readonly values: readonly Value[];
	/** Earlier calls, the latest last: what "it" and "the result" mean. */
	readonly before: readonly Done[];
	readonly workspaceFolder: string | undefined;
}

/** The arguments that a step gives a tool. */
export interface Filling {
	readonly input: Readonly<Record<string, unknown>>;
	/** Required parameters without a value. */
	readonly missing: readonly string[];
	readonly used: ReadonlySet<Value>;
	/** Parameters whose value the request or an earlier call contains. A choice that a word of the request selected does not count. */
	readonly said: readonly string[];
}

/** Fills a tool's parameters from the step, earlier calls and the workspace. Nothing is guessed, and a schema's defaults are left to the server. */
export function fill(tool: ToolDefinition, sources: Sources): Filling {
	const { values, workspaceFolder = '' } = sources;
	const parameters = parametersOf(tool);
	const { onlyReads } = wordsOf(tool);
	const input = new Map<string, unknown>();
	const used = new Set<Value>();
	const said: string[] = [];
	const isOpen = ({ name }: Parameter) => !input.has(name);
	// The most reliable first: a named parameter, the word before a value, the look of a value, the only text that is missing.
	for (const suits of [isKeyed, isLabelled, isChosen, looksRight, isOnlyText]) {
		for (const value of values.filter(({ key }) => (key !== undefined) === (suits === isKeyed))) {
			const open = parameters.filter(isOpen);
			for (const parameter of open.filter((one) => suits(value, one, open, onlyReads))) {
				const own = coerce(textOf(value, parameter, sources), parameter);
				if (own === undefined || used.has(value)) continue;
				input.set(parameter.name, own);
				used.add(value);
				if (suits !== isChosen) said.push(parameter.name);
			}
		}
	}
	const places = parameters.filter(({ name }) => hasRole(name, 'place'));
	const folder = folderOf(sources);
	const into = values.find((value) => !used.has(value) && value.kind === 'it' && isPlaceWord(value.label));
	const moved = input.get(places.find(({ name }) => hasRole(name, 'from'))?.name ?? '');
	for (const { name, isRepository } of places) {
		const place = input.get(name);
		if (place === undefined && workspaceFolder !== '' && isRepository) input.set(name, workspaceFolder);
		if (typeof place !== 'string') continue;
		// Servers expect the whole new path of what is moved into a folder.
		const isInto = /[\\/]$/.test(place) || place === folder || place === workspaceFolder;
		if (hasRole(name, 'to') && typeof moved === 'string' && isInto)
			input.set(name, joinedPath(place, moved.split(/[\\/]/).at(-1) ?? ''));
		else if (into && folder !== undefined && !/^[\\/~]|^\w:/.test(place)) {
			input.set(name, joinedPath(folder, place));
			used.add(into);
		}
	}
	// In the order of the schema, which people see in the confirmation. A parameter may be called `__proto__`.
	const given = parameters.filter(({ name }) => input.has(name));
	return {
		input: Object.fromEntries(given.map(({ name }) => [name, input.get(name)])),
		missing: parameters.filter((one) => one.required && isOpen(one)).map(({ name }) => name),
		used,
		said,
	};
}

function isKeyed({ key = '' }: Value, { name }: Parameter): boolean {
	return isSaid(name, key);
}

/** Whether the word before a value says which parameter it is for. A plain word is a name, not an id. */
function isLabelled({ kind, text, label }: Value, { name, isRepository }: Parameter): boolean {
	if (kind === 'word' || kind === 'here' || isRepository || !isLabelOf(label, name)) return false;
	return !hasRole(name, 'id') || (kind !== 'it' && /^(?=.*[\d_-])\S+$/.test(text));
}

/** Whether a word is one of a parameter's choices: `mode` is `create` in "create a branch". */
function isChosen({ kind, text }: Value, { choices }: Parameter): boolean {
	return kind === 'word' && choices.some((choice) => isSaid(choice, text));
}

/** What a value is for by its look. */
const roleOfKind = { path: 'place', here: 'place', it: 'place', address: 'address', result: 'text' } as const;

/** Whether a value looks right for a parameter. */
function looksRight(
	{ kind, text, label }: Value,
	{ name, required, types, isRepository }: Parameter,
	_open: readonly Parameter[],
	onlyReads: boolean,
): boolean {
	if (isRepository) return kind === 'here' || (kind === 'path' && isPlaceWord(label) && !/\.\w+$/.test(text));
	if (kind === 'number') return required && !types.includes('string') && /number|integer/.test(types.join());
	// A folder may be named without any punctuation, but only to look at it.
	if (kind === 'word')
		return (
			onlyReads &&
			required &&
			hasRole(name, 'place') &&
			isPlaceWord(label) &&
			!isSmall(text.toLowerCase(), true)
		);
	if (!onlyReads && hasRole(name, 'place') && isElsewhere(label, name)) return false;
	return kind in roleOfKind && hasRole(name, roleOfKind[kind as keyof typeof roleOfKind]);
}

/**
 * Whether the word before a place says that a change is made somewhere else: what is written "from a.txt" does not go there. In "move a.txt from
 * docs/" nothing says where to, but "rename a.txt b.txt" is in order.
 */
function isElsewhere(label: string, name: string): boolean {
	return /^(?:from|with|like|about|by|for)$/.test(label) || (hasRole(name, 'to') && label !== '');
}

/** Whether a quoted text is for the only required text that is missing. */
function isOnlyText({ kind }: Value, parameter: Parameter, open: readonly Parameter[]): boolean {
	const isText = ({ name, required, choices, types }: Parameter) =>
		required &&
		choices.length === 0 &&
		/string|array/.test(types.join()) &&
		!hasRole(name, 'id') &&
		!hasRole(name, 'place');
	const texts = open.filter(isText);
	return kind === 'quoted' && texts.length === 1 && texts[0] === parameter;
}

function textOf(value: Value, { name }: Parameter, sources: Sources): string | undefined {
	const { before, workspaceFolder } = sources;
	if (value.kind === 'it') return hasRole(name, 'place') ? placeOfIt(value, sources) : undefined;
	if (value.kind === 'result') return before.map(({ result }) => answerText(result)).at(-1);
	return value.kind === 'here' ? workspaceFolder : value.text;
}

/** The place that "it" means: that of the last call. "Them" may be anything. */
export function placeOfIt({ text, label }: Value, sources: Sources): string | undefined {
	const last = sources.before.at(-1);
	if (!last || /^them$/i.test(text)) return undefined;
	// "What is in it", after a file was written into a new folder, is about the folder.
	return (isPlaceWord(label) ? folderOf(sources) : undefined) ?? placeOf(last, sources);
}

/** The path that a call was about: the destination, else the source. It works in the workspace, but is not about it. */
function placeOf({ input }: Done, { workspaceFolder }: Sources): string | undefined {
	const places = Object.entries(input).filter(
		([name, value]) => hasRole(name, 'place') && value !== workspaceFolder,
	);
	const [only, ...others] = [places.at(-1)?.[1]].flat();
	return typeof only === 'string' && others.length === 0 ? only : undefined;
}

/** The last folder that calls were about. */
function folderOf(sources: Sources): string | undefined {
	return sources.before.map((done) => placeOf(done, sources) ?? '').findLast(isFolder);
}

/** Whether a path looks like a folder: it has no extension. */
export function isFolder(path: string): boolean {
	return path !== '' && /(?:^|[\\/])[^.\\/]*[\\/]?$/.test(path);
}

/** The path of a file in a folder. */
function joinedPath(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** Converts a text to a value that a parameter accepts; `undefined` if that is impossible: nothing is rounded or cut. */
function coerce(text: string | undefined, { types, choices, isTexts }: Parameter): unknown {
	if (text === undefined || text === '') return undefined;
	if (choices.length > 0)
		return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	const value = parsedJson(text);
	// A number that a double cannot represent would change.
	const isExact =
		typeof value !== 'number' ||
		(Number.isFinite(value) && Number.isSafeInteger(value) === Number.isInteger(value));
	if (isExact && types.some((type) => type !== 'string' && isOfType(value, type))) return value;
	if (types.includes('string')) return text;
	return isTexts && !/[,[{]/.test(text) ? [text] : undefined;
}

/** Whether a text consists of the words of a choice, ignoring case and punctuation. */
function isSaid(choice: unknown, text: string): boolean {
	const words = tokenize(typeof choice === 'string' ? choice : JSON.stringify(choice)).join(' ');
	return words !== '' && words === tokenize(text).join(' ');
}
