import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Literal } from './literals.ts';
import {
	type Coerced,
	coerce,
	type Parameter,
	parametersOf,
	type Role,
	Slot,
	spelling,
	type ValueShape,
} from './parameters.ts';
import { type Done, joined, madeFolder, placeOf, referred, textOf } from './task.ts';
import { compact, type Deed, deedOfTool, isGrammar, splitName, stemsOf } from './words.ts';

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

/** Words in front of a value that tell which role it has. */
const labels: ReadonlyMap<string, Role> = new Map(
	Object.entries({
		name: 'called named titled title name',
		text: 'text content contents message body saying',
		query: 'for about matching on',
		from: 'from replace of',
		to: 'to into as with',
		place: 'in under inside at',
	} satisfies Partial<Record<Role, string>>).flatMap(([role, words]) =>
		words.split(' ').map((word) => [word, role as Role] as const),
	),
);
const places = new Set(['in', 'under', 'inside', 'at', 'of', 'from', 'to', 'into', 'there']);
/** Nouns that say what kind of place is meant, and not which. */
const generic = new Set(
	'file folder directory repository repo project workspace path it them content'.split(' ').map(stem),
);

/** Fills a tool's parameters from what is known: literals, the result before, the workspace. Nothing is guessed. */
export function fill(tool: ToolDefinition, sources: Sources): Filling {
	return new Filler(parametersOf(tool), sources, tool).finish();
}

class Filler {
	readonly #slots: readonly Slot[];
	readonly #sources: Sources;
	readonly #tool: ToolDefinition;
	readonly #deed: Deed | undefined;
	readonly #toolStems: ReadonlySet<string>;
	readonly #input = new Map<string, unknown>();
	readonly #said = new Set<string>();
	readonly #used = new Set<Literal>();

	constructor(
		parameters: readonly Parameter[],
		sources: Sources,
		tool: ToolDefinition,
		used: Iterable<Literal> = [],
	) {
		this.#slots = parameters.map((parameter) => new Slot(parameter));
		this.#sources = sources;
		this.#tool = tool;
		this.#deed = deedOfTool(tool);
		this.#toolStems = new Set(stemsOf(tool.name));
		for (const literal of used) this.#used.add(literal);
		this.#assign();
		this.#choose();
		this.#compose();
		this.#place();
		this.#remainder();
		this.#preset();
	}

	finish(): Filling {
		// In the order of the schema, as people read it in the confirmation; a parameter `__proto__` is one like any other.
		const names = this.#slots.map(({ parameter }) => parameter.name).filter((name) => this.#input.has(name));
		return {
			input: Object.fromEntries(names.map((name) => [name, this.#input.get(name)])),
			missing: this.#open.filter(({ required }) => required),
			unused: this.#sources.literals.filter(
				(literal) =>
					!this.#used.has(literal) &&
					(literal.kind !== 'word' || literal.key !== undefined) &&
					literal.kind !== 'here',
			),
			words: new Set(
				[...this.#used].filter(({ kind }) => kind === 'word').flatMap(({ text }) => tokenize(text)),
			),
			said: this.#said,
		};
	}

	get used(): ReadonlySet<Literal> {
		return this.#used;
	}

	get #open(): readonly Parameter[] {
		return this.#slots.map(({ parameter }) => parameter).filter(({ name }) => !this.#input.has(name));
	}

	#set({ name }: Parameter, value: unknown, literal?: Literal): void {
		this.#input.set(name, value);
		this.#said.add(name);
		if (literal) this.#used.add(literal);
	}

	/** The pairs of value and parameter that fit best, one after the other. */
	#assign(): void {
		const { literals } = this.#sources;
		const pairs = literals
			.filter((literal) => !this.#used.has(literal))
			.flatMap((literal) =>
				this.#slots.flatMap((slot) => {
					const points = this.#points(literal, slot);
					const value = points > 0 ? this.#value(literal, slot) : undefined;
					return value ? [{ literal, slot, points, value }] : [];
				}),
			)
			.sort((a, b) => b.points - a.points);
		for (const { literal, slot, value } of pairs) {
			if (this.#used.has(literal) || this.#input.has(slot.parameter.name)) continue;
			this.#set(slot.parameter, value.value, literal);
			this.#gather(slot, literal);
		}
	}

	/** A list takes the other values that look like its first: `read a.txt and b.txt`. */
	#gather(slot: Slot, first: Literal): void {
		const list = this.#input.get(slot.parameter.name);
		if (!slot.isList || !Array.isArray(list) || first.key !== undefined || first.kind === 'json') return;
		const { literals } = this.#sources;
		for (const literal of literals) {
			if (this.#used.has(literal) || literal.kind !== first.kind || literal.start < first.start) continue;
			const more = this.#value(literal, slot)?.value;
			const isOther = this.#slots.some((other) => other !== slot && this.#points(literal, other) >= 40);
			if (!Array.isArray(more) || isOther) continue;
			list.push(...more);
			this.#used.add(literal);
		}
	}

	/** How well a value fits a parameter: 0 not at all; from 40 on something beside its looks speaks for it. */
	#points(literal: Literal, slot: Slot): number {
		const { kind, before, key } = literal;
		const { parameter, stems } = slot;
		if (key !== undefined) {
			if (compact(key) === compact(parameter.name)) return 1000;
			const known = this.#slots.some(({ parameter: { name } }) => compact(name) === compact(key));
			const label = labels.get(key.toLowerCase());
			if (known) return 0;
			return stems.includes(stem(key.toLowerCase())) || (label !== undefined && slot.is(label)) ? 500 : 0;
		}
		const role = labels.get(before[0] ?? '');
		const near = before.slice(0, 2).map(stem);
		const isOf = slot.nouns.some((noun) => near.includes(noun));
		const required = parameter.required ? 1 : 0;
		if (stems.includes('exclud')) return 0;
		switch (kind) {
			case 'path':
				return this.#pathPoints(literal, slot, role);
			case 'glob':
				if (stems.includes('pattern') || stems.includes('glob')) return 60;
				return slot.is('place') && slot.isList ? 20 : 0;
			case 'url':
				return slot.is('url') ? 60 : 0;
			case 'email':
				if (role === 'from' || slot.is('from')) return role === 'from' && slot.is('from') ? 65 : 0;
				return slot.is('email') ? 60 : 0;
			case 'date':
				return slot.is('since') ? (stems.includes('sinc') ? 60 : 50) : 0;
			case 'number':
				return this.#numberPoints(literal, slot, isOf);
			case 'json':
				return slot.isList || parameter.types.includes('object') ? 50 : 0;
			case 'text':
				return slot.is('text') ? 55 + (stems.includes(stem(before[0] ?? '')) ? 5 : 0) : 0;
			case 'result':
				return slot.is('text') ? 70 : 20 * required;
			case 'here':
				return slot.isRepository || (slot.is('place') && this.#isOfFolders) ? 30 : 0;
			case 'subject':
				return this.#subjectPoints(literal, slot, role);
			case 'word':
				return this.#wordPoints(literal, slot, role);
			case 'name':
			case 'quoted':
				break;
		}
		if (slot.fields || slot.isNumeric || slot.isRepository) return 0;
		if (role !== undefined && slot.is(role) && !(role === 'place' && kind === 'quoted')) return 60;
		if (role === 'text') return 0;
		// "create a folder called archive": the path is its name.
		if (role === 'name' && slot.is('place')) return 45;
		if (isOf) return 55;
		if (!parameter.required) return slot.is('query') && kind === 'quoted' ? 9 : 0;
		if (kind === 'name') return slot.is('id') ? 25 : slot.is('place') || slot.is('text') ? 0 : 10;
		if (slot.is('id')) return 0;
		return slot.is('text') ? 20 : slot.is('query') ? 18 : slot.is('place') ? 3 : 12;
	}

	#pathPoints({ text, before }: Literal, slot: Slot, role: Role | undefined): number {
		if (slot.isRepository) {
			const isFolder = !/\.\w+$/.test(text) && (places.has(before[0] ?? '') || before[0] === 'repository');
			return isFolder ? 30 : 0;
		}
		if (!slot.is('place')) {
			if (role === 'name' && slot.is('name')) return 60;
			return slot.parameter.required && role === 'query' && slot.is('query') ? 40 : 0;
		}
		const hasTo = this.#slots.some((other) => other.is('place') && other.is('to'));
		const goesTo = role === 'to' || before.slice(0, 3).includes('to');
		const base = 50 + (slot.stems.includes('file') ? 3 : 0) + (slot.parameter.required ? 2 : 0);
		if (!hasTo) return base;
		return slot.is('to') === goesTo ? base + 20 : base - 30;
	}

	#numberPoints({ before, after }: Literal, slot: Slot, isOf: boolean): number {
		const counted = stem(after ?? '');
		if (!slot.isNumeric) return isOf && slot.parameter.types.includes('string') ? 55 : 0;
		if (isOf || slot.nouns.includes(counted)) return 60;
		const isFirst = before[0] === 'first' || before[0] === 'top';
		const isLast = before[0] === 'last' || before[0] === 'latest' || before[0] === 'newest';
		if (counted === 'line')
			return (isFirst && slot.stems.includes('head')) || (isLast && slot.stems.includes('tail')) ? 60 : 0;
		if (slot.is('limit') && (isFirst || isLast || before[0] === 'limit')) return 50;
		return slot.parameter.required ? 20 : 0;
	}

	/** A plain word is a value only behind the very noun of the parameter, or behind a preposition for a place. */
	#wordPoints({ text, before }: Literal, slot: Slot, role: Role | undefined): number {
		const word = stem(text.toLowerCase());
		const [label = ''] = before;
		if (slot.isNumeric || slot.fields || isGrammar(text.toLowerCase()) || generic.has(word)) return 0;
		if (this.#toolStems.has(word) || /[^\p{L}\p{N}_.-]/u.test(text)) return 0;
		if (slot.is('place') && places.has(label) && !slot.isRepository)
			return this.#pathPoints({ text, before } as Literal, slot, role) - 15;
		const isOf = slot.nouns.includes(stem(label)) && !slot.is('text') && !slot.is('place');
		return isOf && /[-\d]/.test(text) ? 45 : 0;
	}

	#subjectPoints({ before, text }: Literal, slot: Slot, role: Role | undefined): number {
		if (slot.isRepository) return 0;
		const hasTo = this.#slots.some((other) => other.is('place') && other.is('to'));
		if (slot.is('place')) {
			if (!hasTo) return places.has(before[0] ?? '') ? 30 : 60;
			return slot.is('to') === (role === 'to' || /^there$/i.test(text)) ? 60 : 0;
		}
		if (role !== undefined && slot.is(role)) return 50;
		if (slot.is('text')) return 40;
		return slot.parameter.required || slot.is('id') ? 25 : 0;
	}

	#value(literal: Literal, slot: Slot): Coerced | undefined {
		const { parameter } = slot;
		const texts = this.#texts(literal, slot);
		const [text] = texts;
		if (text === undefined) return undefined;
		const isPlain = literal.key !== undefined || literal.kind === 'json';
		if (!slot.isList || isPlain) return coerce(text, parameter);
		// A quoted value is one item of a list, whatever commas and "and"s it holds; `names=a,b` is a list.
		const items: ValueShape = parameter.items ?? { types: ['string'] };
		const values = texts.map((one) => coerce(one, items)).filter((value) => value !== undefined);
		return values.length > 0 ? { value: values.map(({ value }) => value) } : undefined;
	}

	/** The text of a value; of what refers to something else, what is meant there. */
	#texts(literal: Literal, slot: Slot): readonly string[] {
		const { before, workspaceFolder } = this.#sources;
		switch (literal.kind) {
			case 'here':
				return workspaceFolder === undefined ? [] : [workspaceFolder];
			case 'result':
				return before ? [textOf(before)] : [];
			case 'subject':
				// Several things are for what takes several.
				if (/^them$/i.test(literal.text) && slot.is('place') && !slot.isList) return [];
				return before ? referred(before, slot.parameter, slot.is('place'), slot.is('text'), slot.isList) : [];
			default:
				return [literal.text];
		}
	}

	/** Choices that stand in the request: `mode` is `create` in "create a branch". */
	#choose(): void {
		const said = tokenize(this.#sources.text);
		for (const { parameter } of this.#slots) {
			if (this.#input.has(parameter.name) || !parameter.choices) continue;
			const isMode = /^(?:mode|action|operation|state|status|type|kind|method)$/i.test(parameter.name);
			if (!parameter.required && !isMode) continue;
			const spoken = parameter.choices.filter((choice) => {
				const words = tokenize(spelling(choice));
				return words.length > 0 && said.some((_, at) => words.every((word, i) => said[at + i] === word));
			});
			if (spoken.length === 1) this.#set(parameter, spoken[0]);
		}
	}

	/** An object, or a list of one, from the values that are left, where they give all that it requires. */
	#compose(): void {
		for (const slot of this.#slots) {
			const { parameter, fields } = slot;
			if (!fields || !parameter.required || this.#input.has(parameter.name)) continue;
			const relation = this.#relationIn(fields);
			const sources = relation ? { ...this.#sources, literals: relation.values } : this.#sources;
			const used = [...this.#used, ...(relation?.words ?? [])];
			const inner = new Filler(fields, sources, { ...this.#tool, description: '' }, used);
			const { input, missing, said } = inner.finish();
			if (said.size === 0 || missing.length > 0) continue;
			this.#set(parameter, slot.isList ? [input] : input);
			for (const literal of inner.used) this.#used.add(literal);
		}
	}

	/** `"Ada" likes "tea"`: where the fields are two ends and what joins them, the words between are the latter. */
	#relationIn(
		fields: readonly Parameter[],
	): { values: readonly Literal[]; words: readonly Literal[] } | undefined {
		const { literals, text } = this.#sources;
		const slots = fields.filter(({ required }) => required).map((field) => new Slot(field));
		const [from, to] = literals.filter((literal) => literal.kind === 'quoted' && !this.#used.has(literal));
		const [start, end] = [slots.find((slot) => slot.is('from')), slots.find((slot) => slot.is('to'))];
		const joint = slots.find((slot) => slot !== start && slot !== end);
		const between = from && to ? text.slice(from.end, to.start).trim() : '';
		if (!from || !to || !start || !end || !joint || slots.length !== 3) return undefined;
		if (!/^\p{L}[\p{L} ]*$/u.test(between)) return undefined;
		const as = (said: string, { parameter }: Slot): Literal => ({ ...from, text: said, key: parameter.name });
		return {
			values: [as(from.text, start), as(to.text, end), as(between, joint)],
			words: literals.filter((literal) => literal.start >= from.start && literal.end <= to.end),
		};
	}

	/** What was created before is where this goes: into the folder, or to the file. And what is a repository's folder is the workspace. */
	#place(): void {
		const { before, isNext, literals, workspaceFolder, text } = this.#sources;
		const folder = before && madeFolder(before);
		const into = literals.find(
			({ kind, before: [label], text: said }) =>
				kind === 'subject' && (places.has(label ?? '') || /^there$/i.test(said)),
		);
		for (const slot of this.#slots) {
			const { parameter } = slot;
			const value = this.#input.get(parameter.name);
			if (slot.isRepository) {
				if (value === undefined && workspaceFolder !== undefined)
					this.#input.set(parameter.name, workspaceFolder);
				continue;
			}
			if (!slot.is('place') || slot.isList) continue;
			const source = this.#slots.find((other) => other.is('from') && other.is('place') && other !== slot);
			const moved = source && this.#input.get(source.parameter.name);
			const isTarget = slot.is('to') && source !== undefined;
			const target = value ?? (isNext ? folder : undefined);
			if (isTarget && typeof moved === 'string' && typeof target === 'string') {
				// Servers want the whole new path: a folder gets the file's own name.
				if (/[\\/]$/.test(target) || target === folder)
					this.#set(parameter, joined(target, moved.split(/[\\/]/).at(-1) ?? ''));
			} else if (
				into &&
				folder !== undefined &&
				typeof value === 'string' &&
				value !== folder &&
				!value.startsWith('/') &&
				!this.#slots.some((other) => other.is('place') && other.is('to'))
			) {
				this.#set(parameter, joined(folder, value), into);
			} else if (value === undefined && parameter.required && !slot.is('to')) {
				const subject =
					isNext && before && !this.#sources.literals.some(({ kind }) => kind === 'path')
						? placeOf(before)
						: undefined;
				if (subject !== undefined && (folder === undefined || this.#isOfFolders))
					this.#set(parameter, subject);
				else if (
					this.#deed === 'look' &&
					this.#isOfFolders &&
					workspaceFolder !== undefined &&
					!/\bit\b/i.test(text)
				)
					this.#input.set(parameter.name, workspaceFolder);
			}
		}
	}

	/** Whether the tool looks at folders rather than at one file. */
	get #isOfFolders(): boolean {
		return /director|folder|tree|(?:search|find|list)[-_]?files/i.test(splitName(this.#tool.name).name);
	}

	/** What stands behind the very name of the tool is the only text that it wants: `echo hello`. */
	#remainder(): void {
		const open = this.#slots.filter(
			({ parameter }) => parameter.required && !this.#input.has(parameter.name),
		);
		const [slot] = open;
		if (
			!slot ||
			open.length > 1 ||
			this.#said.size > 0 ||
			this.#deed !== 'look' ||
			slot.fields ||
			slot.isList ||
			slot.is('place')
		)
			return;
		const words = this.#sources.literals.filter(({ kind }) => kind !== 'subject' && kind !== 'result');
		const first = words.findIndex(({ text }) => this.#toolStems.has(stem(text.toLowerCase())));
		const name = stemsOf(splitName(this.#tool.name).name);
		const lead = words.findIndex(({ text }) => /^(?:for|about)$/i.test(text));
		const isWhole = first >= 0 && name.length === 1;
		const from = words[isWhole ? first : lead];
		if (!from || words.length < this.#sources.literals.length) return;
		const text = this.#sources.text.slice(from.end).replace(/^[\s,:]+|[\s?]+$/g, '');
		const value = text === '' ? undefined : coerce(text, slot.parameter);
		if (!value) return;
		this.#set(slot.parameter, value.value);
		for (const literal of words) if (literal.start >= from.end) this.#used.add(literal);
	}

	#preset(): void {
		for (const { name, required, preset } of this.#open) {
			if (required && preset) this.#input.set(name, preset.value);
		}
	}
}
