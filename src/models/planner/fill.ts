import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { Literal } from './literals.ts';
import { coerce, isList, isSaid, type Parameter, parametersOf } from './parameters.ts';
import { type Done, resultOf } from './steps.ts';
import { hasRole, isEmpty, isPlaceWord, onlyReads, roleBehind, stemsOf } from './words.ts';

/** Where the values for a step come from. */
export interface Sources {
	readonly text: string;
	readonly literals: readonly Literal[];
	/** Earlier calls, the latest last: what "it" and "the result" mean. */
	readonly before: readonly Done[];
	readonly workspaceFolder?: string;
}

/** The arguments that a step gives a tool. */
export interface Filling {
	readonly input: Readonly<Record<string, unknown>>;
	readonly missing: readonly Parameter[];
	readonly used: readonly Literal[];
	/** Parameters whose value came from the user's words or an earlier call. */
	readonly said: readonly string[];
	/** Whether this call only reads. */
	readonly reading: boolean;
}

/** Fills a tool's parameters from the step, earlier calls and the workspace. Nothing is guessed. */
export function fill(tool: ToolDefinition, sources: Sources): Filling {
	return new Filler(parametersOf(tool), sources, onlyReads(tool), isOfFolders(tool.name)).fill();
}

/** Names of parameters that decide what a tool does. */
const modeName = /^(?:mode|action|operation)$/i;

class Filler {
	readonly #parameters: readonly Parameter[];
	readonly #sources: Sources;
	readonly #input = new Map<string, unknown>();
	readonly #said = new Set<string>();
	readonly #used = new Set<Literal>();
	readonly #ofFolders: boolean;
	#reading: boolean;

	constructor(parameters: readonly Parameter[], sources: Sources, reading: boolean, ofFolders: boolean) {
		this.#ofFolders = ofFolders;
		this.#parameters = parameters;
		this.#sources = sources;
		this.#reading = reading;
	}

	fill(): Filling {
		this.#choose();
		// The most reliable first: a named parameter, the word before a value, the look of a value.
		for (const suits of [isKeyed, isLabelled, this.#looksRight]) this.#assign(suits);
		this.#only();
		this.#compose();
		this.#place();
		for (const { name, required, preset } of this.#open) {
			if (required && preset) this.#input.set(name, preset.value);
		}
		// In the order of the schema, which people see in the confirmation. A parameter may be called `__proto__`.
		const given = this.#parameters.filter(({ name }) => this.#input.has(name));
		return {
			input: Object.fromEntries(given.map(({ name }) => [name, this.#input.get(name)])),
			missing: this.#open.filter(({ required }) => required),
			used: [...this.#used],
			said: [...this.#said],
			reading: this.#reading,
		};
	}

	get #open(): readonly Parameter[] {
		return this.#parameters.filter(({ name }) => !this.#input.has(name));
	}

	get #left(): readonly Literal[] {
		return this.#sources.literals.filter((literal) => !this.#used.has(literal));
	}

	#set(name: string, value: unknown, used: readonly Literal[] = []): void {
		this.#input.set(name, value);
		this.#said.add(name);
		for (const literal of used) this.#used.add(literal);
	}

	/** Choices that the request mentions: `mode` is `create` in "create a branch", so that call changes something. */
	#choose(): void {
		for (const { name, required, choices = [] } of this.#parameters) {
			const isMode = modeName.test(name);
			const spoken = choices.filter((choice) => isSaid(choice, this.#sources.text, true));
			if (spoken.length !== 1 || !(required || isMode)) continue;
			this.#set(name, spoken[0]);
			if (isMode) this.#reading = onlyReads({ name: String(spoken[0]), description: '' });
		}
	}

	/** Gives each value to the first parameter that it suits. A list takes all values of the same kind as its first. */
	#assign(suits: (literal: Literal, parameter: Parameter) => boolean): void {
		const firsts = new Map<string, Literal>();
		for (const literal of this.#left) {
			for (const parameter of this.#parameters) {
				const { name } = parameter;
				const present = this.#input.get(name);
				const isMore =
					Array.isArray(present) && firsts.get(name)?.kind === literal.kind && literal.key === undefined;
				if ((this.#input.has(name) && !isMore) || !suits(literal, parameter)) continue;
				const value = this.#value(literal, parameter);
				if (value === undefined) continue;
				if (!isMore) firsts.set(name, literal);
				this.#set(name, isMore ? present.concat(value) : value, [literal]);
				break;
			}
		}
	}

	/** Whether a value looks right for a parameter of this name. */
	readonly #looksRight = (
		{ kind, text, key, before: [label = ''] }: Literal,
		parameter: Parameter,
	): boolean => {
		const { name, required, fields } = parameter;
		const isPlace = hasRole(name, 'place');
		if (key !== undefined || fields) return false;
		if (isRepository(parameter))
			return kind === 'here' || (kind === 'path' && isPlaceWord(label) && !/\.\w+$/.test(text));
		switch (kind) {
			case 'number': {
				const isFirst = /^(?:first|top)$/.test(label);
				if (!isFirst && !/^(?:last|latest|newest)$/.test(label)) return required && isNumeric(parameter);
				return hasRole(name, 'limit') && !name.includes(isFirst ? 'tail' : 'head');
			}
			case 'word':
				// A folder may be named without any punctuation, but only to look at it.
				return (
					this.#reading && required && isPlace && isPlaceWord(label) && !isEmpty(text.toLowerCase(), true)
				);
			case 'path':
			case 'here':
			case 'subject':
				return isPlace;
			case 'address':
				return hasRole(name, 'address');
			case 'glob':
				return hasRole(name, 'query');
			case 'date':
				return hasRole(name, 'since');
			default:
				return (kind === 'text' || kind === 'result') && hasRole(name, 'text');
		}
	};

	/** A value in the type of the parameter. A single value is one item of a list, even with commas; `names=a,b` is a list. */
	#value(literal: Literal, parameter: Parameter): unknown {
		const { kind, text, key } = literal;
		const isReference = kind === 'subject' || kind === 'result';
		const here = this.#sources.workspaceFolder ?? '';
		const said = isReference ? this.#referred(literal, parameter) : [kind === 'here' ? here : text];
		const [first = ''] = said;
		if (first === '') return undefined;
		if (!isList(parameter) || key !== undefined) return coerce(first, parameter);
		const items = said.map((one) => coerce(one, { types: parameter.items ?? ['string'] }));
		return items.includes(undefined) ? undefined : items;
	}

	/** What "it", "them" and "the result" mean for a parameter: the subject of the last call, or its result. */
	#referred({ kind, text, before: [label = ''] }: Literal, { name }: Parameter): readonly string[] {
		const { before, workspaceFolder } = this.#sources;
		const last = before.at(-1);
		if (!last) return [];
		if (kind === 'result') return [resultOf(last)];
		if (hasRole(name, 'place')) {
			// "What is in it", after a file was written into a new folder, is about the folder.
			const folder = createdFolder(before);
			if (folder !== undefined && this.#ofFolders && isPlaceWord(label)) return [folder];
			// A call works in the workspace, but is not about it. And "them" may be anything.
			return /^them$/i.test(text) ? [] : placesOf(last).filter((place) => place !== workspaceFolder);
		}
		// The status of a repository is not a text to pass on.
		const isOfWorkspace = placesOf(last).some((place) => place === workspaceFolder);
		if (hasRole(name, 'text')) return isOfWorkspace ? [] : [resultOf(last)];
		const texts = Object.entries(last.input).filter(([key]) => !modeName.test(key) && !hasRole(key, 'place'));
		const known = [last.input[name], ...texts.map(([, value]) => value)];
		const value = known.find((one) => typeof one === 'string' || typeof one === 'number');
		return value === undefined ? [] : [String(value)];
	}

	/** The only quoted text that is left is for the only missing text; all of them are, if that is a list. */
	#only(): void {
		const [parameter, ...others] = this.#open.filter(
			({ name, required, fields, choices, types }) =>
				required &&
				!fields &&
				!choices &&
				/string|array/.test(types.join()) &&
				!hasRole(name, 'id') &&
				!hasRole(name, 'place'),
		);
		const quoted = this.#left.filter(({ kind, key }) => kind === 'quoted' && key === undefined);
		if (!parameter || others.length > 0 || quoted.length === 0) return;
		if (quoted.length > 1 && !isList(parameter)) return;
		const values = quoted.map((literal) => this.#value(literal, parameter));
		if (!values.includes(undefined))
			this.#set(parameter.name, isList(parameter) ? values.flat() : values[0], quoted);
	}

	/** Makes an object, or a list of one, from the values that are left, if they provide everything it requires. */
	#compose(): void {
		for (const { name, required, fields, types } of this.#open) {
			if (!fields || !required) continue;
			// Only one level is filled; deeper ones are asked for.
			const inner = fields().map(({ fields: _, ...parameter }) => parameter);
			const literals = this.#relation(inner) ?? this.#left.filter(({ kind }) => kind !== 'word');
			const nested = new Filler(inner, { ...this.#sources, literals }, false, false);
			const { input, missing, said, used } = nested.fill();
			if (said.length === 0 || missing.length > 0) continue;
			const taken = this.#left.filter(({ start }) =>
				used.some((one) => start >= one.start && start < one.end),
			);
			this.#set(name, types.includes('object') ? input : [input], taken);
		}
	}

	/** `"Ada" likes "tea"`: if the fields are two ends and a relation, the words in between are the relation. */
	#relation(fields: readonly Parameter[]): readonly Literal[] | undefined {
		const from = fields.find(({ name }) => hasRole(name, 'from'));
		const to = fields.find(({ name }) => hasRole(name, 'to'));
		const joint = fields.find((field) => field !== from && field !== to);
		const [start, end, ...others] = this.#left.filter(({ kind }) => kind === 'quoted');
		if (!from || !to || !joint || fields.length > 3 || !start || !end || others.length > 0) return undefined;
		const text = this.#sources.text.slice(start.end, end.start).trim();
		if (!/^[\p{L} ]+$/u.test(text) || tokenize(text).every((word) => isEmpty(word, true))) return undefined;
		const between = { ...start, start: start.end, end: end.start, text, key: joint.name };
		return [{ ...start, key: from.name }, between, { ...end, key: to.name }];
	}

	/** The default repository is the workspace. A file goes into the folder that the request created, if it says "in it". */
	#place(): void {
		const { before, workspaceFolder } = this.#sources;
		const folder = createdFolder(before);
		const into = this.#left.find(
			({ kind, before: [label = ''] }) => kind === 'subject' && isPlaceWord(label),
		);
		const isBrought = [...this.#said].some((name) => /ur[il]/i.test(name));
		const source = this.#parameters.find(({ name }) => hasRole(name, 'place') && hasRole(name, 'from'));
		const moved = source && this.#input.get(source.name);
		for (const parameter of this.#parameters.filter(({ name }) => hasRole(name, 'place'))) {
			const { name } = parameter;
			const value = this.#input.get(name);
			// A repository from an address goes to a new place, not over the workspace.
			if (value === undefined && workspaceFolder !== undefined && isRepository(parameter) && !isBrought)
				this.#input.set(name, workspaceFolder);
			if (typeof value !== 'string') continue;
			// Servers expect the whole new path, so a folder gets the file's name.
			if (hasRole(name, 'to') && typeof moved === 'string' && (/[\\/]$/.test(value) || value === folder))
				this.#set(name, joinedPath(value, moved.split(/[\\/]/).at(-1) ?? ''));
			else if (into && folder !== undefined && !/^[\\/~]|^\w:/.test(value))
				this.#set(name, joinedPath(folder, value), [into]);
		}
	}
}

function isKeyed({ key }: Literal, { name }: Parameter): boolean {
	return key !== undefined && isSaid(name, key);
}

/** Whether the word before a value says which parameter it is for. */
function isLabelled({ kind, text, key, before: [label = ''] }: Literal, parameter: Parameter): boolean {
	const { name, fields } = parameter;
	if (key !== undefined || fields || isRepository(parameter)) return false;
	if (kind === 'word' || kind === 'here') return false;
	const role = roleBehind(label);
	const isPlace = hasRole(name, 'place');
	if (isPlace && (label === 'called' || hasRole(label, 'place'))) return true;
	if (role && hasRole(name, role)) return kind !== 'number';
	// `channel` for `channel_id`; but a plain word is a name, not an id.
	const isOf = stemsOf(name).some((word) => word === stem(label) && !hasRole(word, 'id'));
	const isId = !hasRole(name, 'id') || /^(?=.*[\d_-])\S+$/.test(text);
	return isOf && !isPlace && isId && kind !== 'subject';
}

function isNumeric({ types }: Parameter): boolean {
	return !types.includes('string') && (types.includes('number') || types.includes('integer'));
}

/** The folder of a repository, by default the workspace. */
function isRepository({ name, description }: Parameter): boolean {
	const isFolder = /^(?:path|repo_?path|repository_?path|cwd|working_?dir(?:ectory)?)$/i.test(name);
	return isFolder && /\brepository\b/i.test(description);
}

/** Whether a tool is about folders, not about a single file. */
function isOfFolders(wireName: string): boolean {
	return /director|folder|tree|(?:list|search|find)\w*files$/i.test(wireName);
}

/** The folder that was created last. */
function createdFolder(calls: readonly Done[]): string | undefined {
	const isMaking = ({ wireName }: Done) =>
		/(?=.*(?:director|folder))(?=.*(?:create|make|mkdir))/i.test(wireName);
	const made = calls.findLast(isMaking);
	return made && placesOf(made).at(-1);
}

/** The path of a file in a folder. */
function joinedPath(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** The paths that a call was about: the destination, else the source. */
function placesOf({ input }: Done): readonly string[] {
	const places = Object.entries(input).filter(([name]) => hasRole(name, 'place'));
	const texts = places.map(([, value]) => [value].flat().filter((one) => typeof one === 'string'));
	return texts.findLast((some) => some.length > 0) ?? [];
}
