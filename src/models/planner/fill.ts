import { isRecord, parsedJson } from '../../common/json.ts';
import { membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import { answerText, type ToolDefinition } from '../../discovery/catalog/tool.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { Done } from './steps.ts';
import type { Value } from './values.ts';
import { hasRole, isLabelOf, isPlaceWord, isSmall, stemsOf, wordsOf } from './words.ts';

/** A parameter of a tool. */
export interface Parameter {
	readonly name: string;
	readonly required: boolean;
	readonly description: string;
	/** JSON types; `string` if the schema has no valid type. */
	readonly types: readonly string[];
	readonly choices: readonly unknown[];
	/** Types of an array's items. */
	readonly items: readonly string[];
}

/**
 * Whether a JSON value has a type. A text needs no JSON; a number that a double cannot represent would change. Types that a server invented are not
 * here, so that nobody sees them.
 */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
	string: () => false,
	integer: Number.isSafeInteger,
	number: (value) => Number.isFinite(value) && Number.isSafeInteger(value) === Number.isInteger(value),
	boolean: (value) => typeof value === 'boolean',
	array: Array.isArray,
	object: isRecord,
	null: (value) => value === null,
};

/** The parameters of a tool, including required ones without a schema. Never throws. */
function parametersOf({ inputSchema: whole }: ToolDefinition): readonly Parameter[] {
	return membersOf(resolved(whole, whole)).map(({ name, schema, required }) => {
		const own = resolved(schema, whole);
		const branches = [own.anyOf, own.oneOf, own.allOf].filter((branch) => Array.isArray(branch));
		const variants = [own, ...branches.flat().map((branch) => resolved(branch, whole))];
		const choices = variants.flatMap(({ enum: values }) => (Array.isArray(values) ? values : []));
		const types = [...new Set(variants.flatMap(typesOf))].filter((type) => Object.hasOwn(isOfType, type));
		const items = variants.flatMap(({ items }) => (isRecord(items) ? typesOf(resolved(items, whole)) : []));
		const description = typeof own.description === 'string' ? own.description : '';
		return {
			name,
			required,
			description,
			types: types.length > 0 ? types : ['string'],
			choices,
			items: items.length > 0 ? items : ['string'],
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
	readonly missing: readonly Parameter[];
	readonly used: ReadonlySet<Value>;
	/** Parameters whose value came from the user's words or an earlier call. */
	readonly said: readonly string[];
	/** Whether this call only reads. */
	readonly reading: boolean;
}

/** Fills a tool's parameters from the step, earlier calls and the workspace. Nothing is guessed, and a schema's defaults are left to the server. */
export function fill(tool: ToolDefinition, sources: Sources): Filling {
	const { values, workspaceFolder = '' } = sources;
	const parameters = parametersOf(tool);
	const reading = wordsOf(tool).onlyReads;
	const input = new Map<string, unknown>();
	const used = new Set<Value>();
	const open = () => parameters.filter(({ name }) => !input.has(name));
	// The most reliable first: a named parameter, the word before a value, the look of a value, the only text that is missing.
	for (const suits of [isKeyed, isLabelled, looksRight, isOnlyText]) {
		for (const value of values) {
			for (const parameter of used.has(value) ? [] : parameters) {
				if (input.has(parameter.name) || !suits(value, parameter, { reading, open })) continue;
				const own = converted(value, parameter, sources);
				if (own === undefined) continue;
				// A list takes all values of one kind; `names=a,b` is a whole list.
				const isAlike = ({ kind, key }: Value) => kind === value.kind && key === undefined;
				const isWhole = value.key !== undefined || !isList(parameter);
				const taken = isWhole ? [value] : values.filter((one) => !used.has(one) && isAlike(one));
				const items = isWhole ? [own] : taken.map((one) => converted(one, parameter, sources));
				if (items.includes(undefined)) continue;
				input.set(parameter.name, isWhole ? own : items);
				for (const one of taken) used.add(one);
				break;
			}
		}
	}
	// A choice that the request names outside its values: `mode` is `create` in "create a branch".
	const isWord = ({ kind, key }: Value) => kind === 'word' && key === undefined;
	const texts = values.filter(isWord).map((word) => word.text);
	const words = ` ${plain(texts.join(' '))} `;
	for (const { name, required, choices } of parameters) {
		const spoken = choices.filter((choice) => plain(choice) !== '' && words.includes(` ${plain(choice)} `));
		if (spoken.length === 1 && (required || modeName.test(name)) && !input.has(name))
			input.set(name, spoken[0]);
	}
	const said = [...input.keys()];
	const places = parameters.filter(({ name }) => hasRole(name, 'place'));
	const folder = folderOf(sources);
	const into = values.find((value) => !used.has(value) && value.kind === 'it' && isPlaceWord(value.label));
	const moved = input.get(places.find(({ name }) => hasRole(name, 'from'))?.name ?? '');
	for (const parameter of places) {
		const { name } = parameter;
		const place = input.get(name);
		if (place === undefined && workspaceFolder !== '' && isRepository(parameter))
			input.set(name, workspaceFolder);
		if (typeof place !== 'string') continue;
		// Servers expect the whole new path of what is moved into a folder.
		if (hasRole(name, 'to') && typeof moved === 'string' && (/[\\/]$/.test(place) || place === folder))
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
		missing: parameters.filter(({ name, required }) => required && !input.has(name)),
		used,
		said,
		reading,
	};
}

interface Circumstances {
	readonly reading: boolean;
	/** The parameters without a value. */
	readonly open: () => readonly Parameter[];
}

function isKeyed({ key }: Value, { name }: Parameter): boolean {
	return key !== undefined && isSaid(name, key);
}

/** Whether the word before a value says which parameter it is for. */
function isLabelled({ kind, text, key, label }: Value, parameter: Parameter): boolean {
	const { name } = parameter;
	if (key !== undefined || kind === 'word' || kind === 'here' || isRepository(parameter)) return false;
	if (isLabelOf(label, name)) return kind !== 'number';
	// `channel` for `channel_id`; but a plain word is a name, not an id.
	if (label === '' || kind === 'it') return false;
	const isOf = stemsOf(name).some((word) => word === stem(label) && !hasRole(word, 'id'));
	return isOf && (!hasRole(name, 'id') || /^(?=.*[\d_-])\S+$/.test(text));
}

/** Whether a value looks right for a parameter. */
function looksRight(
	{ kind, text, key, label }: Value,
	parameter: Parameter,
	{ reading }: Circumstances,
): boolean {
	const { name, required, types } = parameter;
	const isPlace = hasRole(name, 'place');
	if (key !== undefined) return false;
	if (isRepository(parameter))
		return kind === 'here' || (kind === 'path' && isPlaceWord(label) && !/\.\w+$/.test(text));
	switch (kind) {
		case 'number':
			return required && !types.includes('string') && /number|integer/.test(types.join());
		case 'word':
			// A folder may be named without any punctuation, but only to look at it.
			return reading && required && isPlace && isPlaceWord(label) && !isSmall(text.toLowerCase(), true);
		case 'path':
		case 'here':
		case 'it':
			return isPlace;
		case 'address':
			return hasRole(name, 'address');
		case 'result':
			return hasRole(name, 'text');
		default:
			return false;
	}
}

/** Whether a quoted text is for the only required text that is missing. */
function isOnlyText({ kind, key }: Value, parameter: Parameter, { open }: Circumstances): boolean {
	if (kind !== 'quoted' || key !== undefined) return false;
	const texts = open().filter(
		({ name, required, choices, types }) =>
			required &&
			choices.length === 0 &&
			/string|array/.test(types.join()) &&
			!hasRole(name, 'id') &&
			!hasRole(name, 'place'),
	);
	return texts.length === 1 && texts[0] === parameter;
}

/** A value in the type of the parameter. A single value is one item of a list, even with commas. */
function converted(value: Value, parameter: Parameter, sources: Sources): unknown {
	const text = textOf(value, parameter, sources);
	if (text === undefined || text === '') return undefined;
	const item = { types: parameter.items, choices: [], items: [] };
	return coerce(text, isList(parameter) && value.key === undefined ? item : parameter);
}

function textOf(value: Value, { name }: Parameter, sources: Sources): string | undefined {
	const last = sources.before.at(-1);
	switch (value.kind) {
		case 'it':
			return hasRole(name, 'place') ? placeOfIt(value, sources) : undefined;
		case 'result':
			return last && answerText(last.result);
		case 'here':
			return sources.workspaceFolder;
		default:
			return value.text;
	}
}

/** The place that "it" means: that of the last call. "Them" may be anything. */
export function placeOfIt({ text, label }: Value, sources: Sources): string | undefined {
	const last = sources.before.at(-1);
	if (!last || /^them$/i.test(text)) return undefined;
	// "What is in it", after a file was written into a new folder, is about the folder.
	const folder = isPlaceWord(label) ? folderOf(sources) : undefined;
	const [place, ...others] = placesOf(last, sources);
	return folder ?? (others.length === 0 ? place : undefined);
}

/** The paths that a call was about: the destination, else the source. It works in the workspace, but is not about it. */
function placesOf({ input }: Done, { workspaceFolder }: Sources): readonly string[] {
	const inputs = Object.entries(input).filter(([name]) => hasRole(name, 'place'));
	const places = inputs.map(([, value]) =>
		[value].flat().filter((one) => typeof one === 'string' && one !== workspaceFolder),
	) as string[][];
	return places.findLast((some) => some.length > 0) ?? [];
}

/** The last folder that calls were about. */
function folderOf(sources: Sources): string | undefined {
	return sources.before.flatMap((done) => placesOf(done, sources)).findLast(isFolder);
}

/** Whether a path looks like a folder: it has no extension. */
export function isFolder(path: string): boolean {
	return /(?:^|[\\/])[^.\\/]*[\\/]?$/.test(path);
}

/** The path of a file in a folder. */
function joinedPath(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** The repository of a tool of git, by default the workspace. */
function isRepository({ name, description }: Parameter): boolean {
	return (
		/^repo(?:sitory)?_?path$/i.test(name) ||
		(name === 'path' && /^path to the git repository\b/i.test(description))
	);
}

/** Names of parameters that decide what a tool does. */
const modeName = /^(?:mode|action|operation)$/i;

/** Whether a parameter takes several values. */
function isList({ types }: Parameter): boolean {
	return !types.includes('string') && types.includes('array');
}

/** Converts a text to a value that the parameter accepts; `undefined` if that is impossible: nothing is rounded or cut. */
function coerce(
	text: string,
	{ types, choices, items }: Pick<Parameter, 'types' | 'choices' | 'items'>,
): unknown {
	if (choices.length > 0)
		return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	const value = types.join() === 'string' ? undefined : parsedJson(text);
	if (types.some((type) => isOfType[type]?.(value))) return value;
	if (types.includes('string')) return text;
	if (!types.includes('array') || /^[[{]/.test(text)) return undefined;
	const parts = text.split(',').map((part) => coerce(part.trim(), { types: items, choices: [], items: [] }));
	return parts.includes(undefined) ? undefined : parts;
}

/** Whether a text consists of the words of a choice, ignoring case and punctuation. */
function isSaid(choice: unknown, text: string): boolean {
	const words = plain(choice);
	return words !== '' && words === plain(text);
}

/** The words of a value, with a blank between them. */
function plain(value: unknown): string {
	return tokenize(typeof value === 'string' ? value : JSON.stringify(value)).join(' ');
}
