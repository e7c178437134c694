import { parsedJson } from '../../common/json.ts';
import { alternativesOf, membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { isStopWord } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { isOfType } from '../schemas/rules.ts';
import type { Sentence, Value, ValueKind } from './sentence.ts';

/** A parameter of a tool; required ones may have no schema. */
type Parameter = ReturnType<typeof parametersOf>[number];

/**
 * Fills a tool's parameters with the values of a request. Parameters that the request names come first, then those whose name and type fit a
 * value, then what is probably meant. It leaves a schema's defaults to the server. Returns what is `missing` of required parameters, which values are
 * `left` without one, whether it has parameters that could take all values (`takesAll`), and what was only guessed (`guesses`).
 */
export function fill(
	tool: ToolDefinition,
	{ values, query, isHere }: Sentence,
	{ workspaceFolder, reads }: { readonly workspaceFolder: string | undefined; readonly reads: boolean },
) {
	const parameters = parametersOf(tool);
	const input = new Map<string, unknown>();
	const unused = new Set(values);
	const guesses: string[] = [];
	const open = () => parameters.filter(({ name }) => !input.has(name));
	const parameterByName = ({ key, label }: Value) =>
		open().find(({ name }) => hasSameWords(name, key ?? label));
	const fitting = ({ kind, key }: Value) =>
		open().filter((parameter) => parameter.required && key === undefined && fitsKind(parameter, kind));
	const parameterByKind = (value: Value) => {
		const [first, ...others] = fitting(value);
		// In "delete 2 messages" the number is no id.
		return (value.kind === 'number' ? reads : others.length === 0) ? first : undefined;
	};
	const probableParameter = (value: Value) => {
		const isTarget = /^(?:in)?to$/.test(value.label);
		return value.kind === 'path'
			? fitting(value).find(({ name }) => target.test(name) === isTarget)
			: undefined;
	};
	for (const find of [parameterByName, parameterByKind, probableParameter])
		for (const value of unused) {
			const parameter = find(value);
			const coerced = parameter && coerce(value.text, parameter);
			if (parameter === undefined || coerced === undefined) continue;
			input.set(parameter.name, coerced);
			unused.delete(value);
			if (find === probableParameter) guesses.push(value.text);
		}
	for (const parameter of open().filter(({ required }) => required)) {
		const text = isHere && fitsKind(parameter, 'path') ? '.' : nameBefore(parameter, query);
		const coerced = coerce(text, parameter);
		if (coerced === undefined) continue;
		input.set(parameter.name, coerced);
		guesses.push(text);
	}
	for (const { name, isRepository } of open())
		if (isRepository && workspaceFolder) input.set(name, workspaceFolder);
	// In the order of the schema, which people see in the confirmation. A parameter may be called `__proto__`.
	const filled = parameters.filter(({ name }) => input.has(name));
	return {
		input: Object.fromEntries(filled.map(({ name }) => [name, input.get(name)])),
		missing: open()
			.filter(({ required }) => required)
			.map(({ name }) => name),
		left: [...unused],
		// Of two that could take a value, it is unclear which was meant.
		takesAll: [...unused].every(
			({ kind, key }) => key === undefined && open().some((one) => fitsKind(one, kind)),
		),
		guesses,
	};
}

/** Where something goes, of two paths. */
const target = /^(?:dest|target|to|new)/i;
/** What the request calls the thing that a parameter is called after: `notes` in "the notes folder", `orders` in "the orders table". */
function nameBefore(parameter: Parameter, query: string): string {
	const isPath = fitsKind(parameter, 'path');
	const [thing = '', ...more] = tokenize(parameter.name).filter((word) => word !== 'name');
	if (!isPath && (more.length > 0 || !fitsKind(parameter, 'text') || !/^[a-z]{3,}$/.test(thing))) return '';
	const named = new RegExp(
		`\\b(?:the|my|our) ([\\p{L}\\p{N}][\\p{L}\\p{N}_.-]*) (?:${isPath ? 'folder|directory' : thing})\\b`,
		'iu',
	);
	const name = named.exec(query)?.[1] ?? '';
	return isStopWord(name.toLowerCase()) ? '' : name;
}

/** Never throws, whatever the schema is. */
function parametersOf({ inputSchema: root }: ToolDefinition) {
	return membersOf(resolved(root, root)).map(({ name, schema, required }) => {
		const own = resolved(schema, root);
		const variants = [own, ...alternativesOf(own).map((alternative) => resolved(alternative, root))];
		const types = variants.flatMap(typesOf);
		return {
			name,
			required,
			types: types.length > 0 ? types : ['string'],
			choices: variants.flatMap((variant): readonly unknown[] =>
				Array.isArray(variant.enum) ? variant.enum : [],
			),
			// The repository of a tool of git is by default the workspace.
			isRepository: /path$/i.test(name) && /\bgit repository\b/i.test(String(own.description)),
		};
	});
}

const names: Readonly<Record<Exclude<ValueKind, 'number' | 'text'>, RegExp>> = {
	path: /^(?:paths?|files?|filename|filepath|dir|directory|source|destination|cwd)$/,
	name: /^(?:path|file|filename|filepath|directory|name|title)$/,
	address: /^(?:url|uri|link|href|website|email)$/,
};

/** Whether a kind of value fits what a parameter is called. An id is never filled by its look. */
function fitsKind({ name, types, choices, isRepository }: Parameter, kind: ValueKind): boolean {
	const words = tokenize(name);
	const is = (pattern: RegExp) => words.some((word) => pattern.test(word));
	if (isRepository || choices.length > 0 || is(/^(?:g?ids?|keys?)$/)) return false;
	if (kind === 'number')
		return !types.includes('string') && types.some((type) => /number|integer/.test(type));
	if (!types.some((type) => /string|array/.test(type))) return false;
	return kind === 'text' ? !is(names.path) && !is(names.address) : is(names[kind]);
}

/** Converts a text to a value that a parameter accepts; `undefined` if that is impossible: nothing is rounded or cut. */
function coerce(text: string, { types, choices }: Parameter): unknown {
	if (text === '') return undefined;
	if (choices.length > 0) return choices.find((choice) => hasSameWords(choice, text));
	const value = parsedJson(text);
	// A number that a double cannot represent would change.
	const isExact = typeof value !== 'number' || String(value) === text;
	if (isExact && types.some((type) => type !== 'string' && isOfType(value, type))) return value;
	return types.includes('string') ? text : undefined;
}

/** Whether a text consists of the words of a choice or a name, ignoring case and punctuation. */
function hasSameWords(choice: unknown, text: string): boolean {
	const words = tokenize(typeof choice === 'string' ? choice : JSON.stringify(choice)).join(' ');
	return words !== '' && words === tokenize(text).join(' ');
}
