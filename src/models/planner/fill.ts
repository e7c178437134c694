import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { Literal, LiteralKind } from './literals.ts';
import { coerce, isSaid, type Parameter, parametersOf } from './parameters.ts';
import { createdFolder, type Done, isOfFolders, joinedPath, resolveReference } from './task.ts';
import {
	deedOf,
	deedOfTool,
	hasRole,
	isGrammar,
	isPlaceWord,
	type Role,
	roleBehind,
	stemsOf,
} from './words.ts';

/** What a step's values are taken from. */
export interface Sources {
	readonly text: string;
	readonly literals: readonly Literal[];
	/** The call before; what "it" and "the result" mean. */
	readonly before?: Done;
	/** Whether that call was made for the same request, so that what it created is where this one goes on. */
	readonly isNext: boolean;
	readonly workspaceFolder?: string;
}

/** What a step gives a tool. */
export interface Filling {
	readonly input: Readonly<Record<string, unknown>>;
	readonly missing: readonly Parameter[];
	/** Values that the tool has no parameter for. */
	readonly unused: readonly Literal[];
	/** Words that have become values, in lower case. */
	readonly words: ReadonlySet<string>;
	/** Parameters that got a value from the user's words or the result before. */
	readonly said: ReadonlySet<string>;
}

/** Fills a tool's parameters from what is known: literals, the result before, the workspace. Nothing is guessed. */
export function fill(tool: ToolDefinition, sources: Sources): Filling {
	return new Filler(parametersOf(tool), sources, tool).fill();
}

/** The role that a parameter's name must have for it to take a value of this kind. */
const roleOfLooks: Partial<Record<LiteralKind, Role>> = {
	address: 'address',
	glob: 'query',
	date: 'since',
	revision: 'revision',
	text: 'text',
	result: 'text',
};

class Filler {
	readonly #parameters: readonly Parameter[];
	readonly #sources: Sources;
	readonly #tool: ToolDefinition;
	/** Whether the tool has one place to take from, and one to bring to. */
	readonly #moves: boolean;
	/** Whether the tool is about folders rather than one file. */
	readonly #isOfFolders: boolean;
	readonly #input = new Map<string, unknown>();
	readonly #said = new Set<string>();
	readonly #used = new Set<Literal>();

	constructor(parameters: readonly Parameter[], sources: Sources, tool: ToolDefinition) {
		this.#parameters = parameters;
		this.#sources = sources;
		this.#tool = tool;
		this.#moves = parameters.some(({ name }) => hasRole(name, 'place') && hasRole(name, 'to'));
		this.#isOfFolders = isOfFolders(tool.name);
	}

	fill(): Filling {
		this.#assign();
		this.#choose();
		this.#compose();
		this.#place();
		for (const { name, required, preset } of this.#open)
			if (required && preset) this.#input.set(name, preset.value);
		// In the order of the schema, as people read it in the confirmation; a parameter `__proto__` is one like any other.
		const given = this.#parameters.filter(({ name }) => this.#input.has(name));
		const words = [...this.#used].filter(({ kind }) => kind === 'word');
		return {
			input: Object.fromEntries(given.map(({ name }) => [name, this.#input.get(name)])),
			missing: this.#open.filter(({ required }) => required),
			unused: this.#left.filter(({ kind, key }) => kind !== 'here' && (kind !== 'word' || key !== undefined)),
			words: new Set(words.flatMap(({ text }) => tokenize(text))),
			said: this.#said,
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

	/** The pairs of value and parameter that fit best, one after the other. A list takes all that look like its first. */
	#assign(): void {
		const pairs = this.#sources.literals.flatMap((literal) =>
			this.#parameters.flatMap((parameter) => {
				const points = this.#points(literal, parameter);
				return points > 0 ? [{ literal, parameter, points }] : [];
			}),
		);
		const firsts = new Map<string, Literal>();
		for (const { literal, parameter } of pairs.sort((a, b) => b.points - a.points)) {
			const { name } = parameter;
			const value = this.#used.has(literal) ? undefined : this.#value(literal, parameter);
			if (value === undefined) continue;
			const first = firsts.get(name);
			const present = this.#input.get(name);
			if (!first) {
				firsts.set(name, literal);
				this.#set(name, value, [literal]);
			} else if (Array.isArray(present) && first.kind === literal.kind && first.key === undefined) {
				this.#set(name, present.concat(value), [literal]);
			}
		}
	}

	/** A value as the parameter takes it. One that stands alone is one item of a list, whatever commas it holds; `names=a,b` is a list. */
	#value(literal: Literal, parameter: Parameter): unknown {
		const { before, workspaceFolder = '' } = this.#sources;
		const { kind, text, key } = literal;
		const isReference = kind === 'subject' || kind === 'result';
		const said = isReference
			? resolveReference(literal, parameter, before, workspaceFolder)
			: [kind === 'here' ? workspaceFolder : text];
		const [first] = said.filter((one) => one !== '');
		if (first === undefined) return undefined;
		if (!isList(parameter) || key !== undefined) return coerce(first, parameter);
		const items = said.map((one) => (parameter.items ? coerce(one, parameter.items) : one));
		return items.includes(undefined) ? undefined : items;
	}

	/** How well a value fits a parameter, 0 if not at all: by the name that is given, by its looks, by the words in front of it. */
	#points(literal: Literal, parameter: Parameter): number {
		const { kind, text, key, before } = literal;
		const { name, required, items, properties } = parameter;
		if (key !== undefined) return isSaid(name, key) ? 100 : 0;
		const is = (role: Role) => hasRole(name, role);
		const isNamed = this.#isBehindNoun(literal, parameter);
		const label = before[isNamed ? 1 : 0] ?? '';
		if (isNamed && !is('place')) return 45;
		// A folder may be called `x`, but hardly `a`.
		const isName = /^[b-hj-z]$/i.test(text) || !isGrammar(text.toLowerCase());
		if (kind === 'word' && (!isPlaceWord(label) || !isName || this.#isNoun(literal))) return 0;
		const isFolder = kind === 'path' && isPlaceWord(label) && !/\.\w+$/.test(text);
		if (isRepository(parameter)) return kind === 'here' || isFolder ? 30 : 0;
		if (kind === 'here') return is('place') && this.#isOfFolders ? 30 : 0;
		const role = roleBehind(label);
		// What it is of: `channel` for `channel_id`.
		const nouns = stemsOf(name).filter(
			(word) => !hasRole(word, 'id') && word !== 'name' && deedOf(word) === undefined,
		);
		// No id has a blank in it.
		if (kind === 'quoted' && is('id') && /\s/.test(text)) return 0;
		const isOf = nouns.some((noun) => before.slice(0, 2).map(stem).includes(noun));
		if (kind === 'number' && isOf) return 60;
		if (kind === 'number' || isNumeric(parameter))
			return kind === 'number' && isNumeric(parameter) ? numberPoints(label, parameter) : 0;
		if (kind === 'path' || kind === 'word' || (kind === 'subject' && is('place'))) {
			const isTarget = role === 'to' || /^there$/i.test(text);
			const points = !this.#moves ? 50 : is('to') === isTarget ? 70 : 20;
			// What looks like a place comes before a word that refers to one.
			return !is('place') ? 0 : kind === 'path' ? points : points - 15;
		}
		const looks = roleOfLooks[kind];
		if ((role !== undefined && is(role)) || (looks !== undefined && is(looks))) return 60;
		// What is called a text is none but a text.
		if (properties || items?.properties || looks !== undefined || (role === 'text' && !isOf)) return 0;
		// "create a folder called archive": the path is its name.
		if (isOf || (role === 'name' && is('place'))) return 50;
		if (kind === 'subject') return required ? (is('text') ? 40 : 25) : 0;
		if (is('id')) return kind === 'name' && required ? 25 : 0;
		return required ? (is('text') ? 20 : 12) : 0;
	}

	/** "to the branch main": a word at the end of its phrase, behind a place word and a noun that the parameter is of. */
	#isBehindNoun(literal: Literal, { name, description }: Parameter): boolean {
		const {
			kind,
			text,
			before: [noun = '', word = ''],
		} = literal;
		if (kind !== 'word' || !isPlaceWord(word) || !this.#endsPhrase(literal)) return false;
		if (/ly$/.test(text) || isGrammar(text.toLowerCase())) return false;
		if (hasRole(name, 'place')) return hasRole(noun, 'place');
		const known = stemsOf(`${name} ${description}`);
		// Of "the trello board", the board is no value but what the parameter is of.
		return known.includes(stem(noun)) && !known.includes(stem(text));
	}

	/** Whether a word says what the next one names: "branch" in "the branch main". */
	#isNoun(literal: Literal): boolean {
		const { start } = literal;
		const lead = this.#sources.text.slice(Math.max(0, start - 8), start);
		return /\b(?:the|my|our|your|this|that)\s+$/i.test(lead) && !this.#endsPhrase(literal);
	}

	#endsPhrase({ end }: Literal): boolean {
		const [next = ''] = /^[^\s,.;:!?]*/.exec(this.#sources.text.slice(end).trimStart()) ?? [];
		return next === '' || isGrammar(next.toLowerCase());
	}

	/** Choices that stand in the request: `mode` is `create` in "create a branch". */
	#choose(): void {
		for (const { name, required, choices = [] } of this.#open) {
			if (!required && !/^(?:mode|action|operation|state|status|type|kind|method)$/i.test(name)) continue;
			const spoken = choices.filter((choice) => isSaid(choice, this.#sources.text, true));
			if (spoken.length === 1) this.#set(name, spoken[0]);
		}
	}

	/** An object, or a list of one, from the values that are left, where they give all that it requires. */
	#compose(): void {
		for (const { name, required, properties, items } of this.#open) {
			const fields = properties ?? items?.properties;
			if (!fields || !required) continue;
			const literals = this.#relation(fields) ?? this.#left;
			const inner = new Filler(fields, { ...this.#sources, literals }, { ...this.#tool, description: '' });
			const { input, missing, said } = inner.fill();
			if (said.size === 0 || missing.length > 0) continue;
			const taken = [...inner.#used];
			const isTaken = ({ start }: Literal) => taken.some((one) => start >= one.start && start < one.end);
			this.#set(name, properties ? input : [input], this.#left.filter(isTaken));
		}
	}

	/** `"Ada" likes "tea"`: where the fields are two ends and what joins them, the words between are the latter. */
	#relation(fields: readonly Parameter[]): readonly Literal[] | undefined {
		const from = fields.find(({ name }) => hasRole(name, 'from'));
		const to = fields.find(({ name }) => hasRole(name, 'to'));
		const joint = fields.find((field) => field !== from && field !== to);
		const [start, end, ...others] = this.#left.filter(({ kind }) => kind === 'quoted');
		if (!from || !to || !joint || fields.length > 3 || !start || !end || others.length > 0) return undefined;
		const text = this.#sources.text.slice(start.end, end.start).trim();
		if (!/^[\p{L} ]+$/u.test(text) || tokenize(text).every(isGrammar)) return undefined;
		const between = { ...start, start: start.end, end: end.start, text, key: joint.name };
		return [{ ...start, key: from.name }, between, { ...end, key: to.name }];
	}

	/** Fills in places: a file goes into the folder that the step before created, and a repository, or a folder to look at, is the workspace. */
	#place(): void {
		const { before, isNext, workspaceFolder } = this.#sources;
		const folder = before && createdFolder(before);
		const into = this.#left.find(
			({ kind, before: [label = ''] }) => kind === 'subject' && isPlaceWord(label),
		);
		const looks = this.#isOfFolders && deedOfTool(this.#tool) === 'look';
		const source = this.#parameters.find(({ name }) => hasRole(name, 'place') && hasRole(name, 'from'));
		const isBrought = this.#parameters.some(
			({ name, required }) => required && hasRole(name, 'address') && this.#said.has(name),
		);
		const moved = source && this.#input.get(source.name);
		for (const parameter of this.#parameters) {
			const { name, required } = parameter;
			const value = this.#input.get(name);
			// What is brought from an address comes to a new place, not over the workspace.
			const isWorkspace =
				(isRepository(parameter) && !isBrought) ||
				(looks && required && !isList(parameter) && hasRole(name, 'place'));
			if (isWorkspace && value === undefined && workspaceFolder !== undefined) {
				this.#input.set(name, workspaceFolder);
			} else if (hasRole(name, 'place') && hasRole(name, 'to') && typeof moved === 'string') {
				// Servers want the whole new path: a folder gets the file's own name.
				const target = value ?? (isNext ? folder : undefined);
				if (typeof target === 'string' && (/[\\/]$/.test(target) || target === folder))
					this.#set(name, joinedPath(target, moved.split(/[\\/]/).at(-1) ?? ''));
			} else if (hasRole(name, 'place') && into && folder !== undefined && typeof value === 'string') {
				if (!value.startsWith('/')) this.#set(name, joinedPath(folder, value), [into]);
			}
		}
	}
}

/** "the first 5", "the last 3", else what is required. */
function numberPoints(label: string, { name, required }: Parameter): number {
	const isFirst = /^(?:first|top|limit)$/.test(label);
	if (!isFirst && !/^(?:last|latest|newest)$/.test(label)) return required ? 20 : 0;
	return hasRole(name, 'limit') && !name.includes(isFirst ? 'tail' : 'head') ? 50 : 0;
}

function isNumeric({ types }: Parameter): boolean {
	return !types.includes('string') && (types.includes('number') || types.includes('integer'));
}

function isList({ types }: Parameter): boolean {
	return !types.includes('string') && types.includes('array');
}

/** A folder of a repository, which is the workspace unless the user says otherwise; no file in it. */
function isRepository({ name, description }: Parameter): boolean {
	const isFolder = /^(?:path|repo_?path|repository_?path|cwd|working_?dir(?:ectory)?)$/i.test(name);
	return isFolder && /\brepository\b/i.test(description);
}
