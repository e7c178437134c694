import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Literal } from './literals.ts';
import { coerce, type Parameter, parametersOf, Slot, spelling } from './parameters.ts';
import { joined, madeFolder, type Sources, valueFor } from './task.ts';
import { deedOfTool, isOwnName, isPlaceWord, type Role, roleBehind, splitName, stemsOf } from './words.ts';

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

class Filler {
	readonly #slots: readonly Slot[];
	readonly #sources: Sources;
	readonly #tool: ToolDefinition;
	readonly #toolStems: readonly string[];
	/** Whether the tool has one place to take from, and one to bring to. */
	readonly #moves: boolean;
	/** Whether the tool is about folders rather than one file. */
	readonly #isOfFolders: boolean;
	readonly #input = new Map<string, unknown>();
	readonly #said = new Set<string>();
	readonly #used = new Set<Literal>();

	constructor(parameters: readonly Parameter[], sources: Sources, tool: ToolDefinition) {
		this.#slots = parameters.map((parameter) => new Slot(parameter));
		this.#sources = sources;
		this.#tool = tool;
		this.#toolStems = stemsOf(tool.name);
		this.#isOfFolders = /director|folder|tree|(?:search|find|list)[-_]?files/i.test(
			splitName(tool.name).name,
		);
		this.#moves = this.#slots.some((slot) => slot.is('place') && slot.is('to'));
	}

	fill(): Filling {
		this.#assign();
		this.#gather();
		this.#choose();
		this.#compose();
		this.#place();
		this.#remainder();
		for (const { parameter, name, required } of this.#open)
			if (required && parameter.preset) this.#input.set(name, parameter.preset.value);
		// In the order of the schema, as people read it in the confirmation; a parameter `__proto__` is one like any other.
		const given = this.#slots.filter(({ name }) => this.#input.has(name));
		const words = [...this.#used].filter(({ kind }) => kind === 'word');
		return {
			input: Object.fromEntries(given.map(({ name }) => [name, this.#input.get(name)])),
			missing: this.#open.filter(({ required }) => required).map(({ parameter }) => parameter),
			unused: this.#left.filter(({ kind, key }) => kind !== 'here' && (kind !== 'word' || key !== undefined)),
			words: new Set(words.flatMap(({ text }) => tokenize(text))),
			said: this.#said,
		};
	}

	get #open(): readonly Slot[] {
		return this.#slots.filter(({ name }) => !this.#input.has(name));
	}

	get #left(): readonly Literal[] {
		return this.#sources.literals.filter((literal) => !this.#used.has(literal));
	}

	#set({ name }: Slot, value: unknown, used: Iterable<Literal> = []): void {
		this.#input.set(name, value);
		this.#said.add(name);
		for (const literal of used) this.#used.add(literal);
	}

	/** The pairs of value and parameter that fit best, one after the other. */
	#assign(): void {
		const pairs = this.#sources.literals
			.flatMap((literal) =>
				this.#slots.flatMap((slot) => {
					const points = this.#points(literal, slot);
					const value = points > 0 ? valueFor(literal, slot, this.#sources) : undefined;
					return value ? [{ literal, slot, points, value }] : [];
				}),
			)
			.sort((a, b) => b.points - a.points);
		for (const { literal, slot, value } of pairs)
			if (!this.#used.has(literal) && !this.#input.has(slot.name)) this.#set(slot, value.value, [literal]);
	}

	/** A list takes the values that are left and look like its first: `read a.txt and b.txt`. */
	#gather(): void {
		for (const slot of this.#slots) {
			const list = this.#input.get(slot.name);
			if (!slot.isList || !Array.isArray(list)) continue;
			const first = [...this.#used].find(({ text, key }) => text === list[0] && key === undefined);
			const alike = this.#left.filter(({ kind }) => kind === first?.kind);
			const more = alike.flatMap((literal) => valueFor(literal, slot, this.#sources)?.value ?? []);
			this.#set(slot, [...list, ...more], alike);
		}
	}

	/** How well a value fits a parameter, 0 if not at all: by the name that is given, by its looks, by the word in front of it. */
	#points(literal: Literal, slot: Slot): number {
		const { kind, before, key } = literal;
		if (key !== undefined) return this.#keyPoints(key, slot);
		const role = roleBehind(before[0] ?? '');
		const isOf = slot.nouns.some((noun) => before.slice(0, 2).map(stem).includes(noun));
		const isRole = role !== undefined && slot.is(role);
		switch (kind) {
			case 'path':
				return this.#pathPoints(literal, slot, role);
			case 'glob':
				return slot.stems.includes('pattern') && !slot.stems.includes('exclud') ? 60 : 0;
			case 'url':
				return slot.is('url') ? 60 : 0;
			case 'email':
				return isRole ? 65 : slot.is('email') ? 60 : 0;
			case 'date':
				return slot.is('since') ? 50 : 0;
			case 'number':
				return slot.numberPoints(literal, isOf);
			case 'json':
				return slot.isList || slot.parameter.types.includes('object') ? 50 : 0;
			case 'text':
				return slot.is('text') ? 55 : 0;
			case 'result':
				return slot.is('text') ? 70 : 0;
			case 'here':
				return slot.isRepository || (slot.is('place') && this.#isOfFolders) ? 30 : 0;
			case 'subject':
				return this.#subjectPoints(literal, slot, role);
			case 'word':
				return this.#wordPoints(literal, slot, role);
		}
		if (slot.fields || slot.isNumeric || slot.isRepository) return 0;
		if (isRole) return 60;
		// "create a folder called archive": the path is its name.
		if (role === 'name' && slot.is('place')) return 45;
		if (isOf) return 55;
		if (kind === 'name') return slot.required && slot.is('id') ? 25 : 0;
		if (!slot.required || slot.is('id')) return slot.is('query') ? 9 : 0;
		return slot.is('text') ? 20 : 12;
	}

	#keyPoints(key: string, slot: Slot): number {
		const spelled = tokenize(key).join('');
		const isName = ({ name }: Slot) => tokenize(name).join('') === spelled;
		if (isName(slot)) return 1000;
		const label = roleBehind(spelled);
		const means = slot.stems.includes(stem(spelled)) || (label !== undefined && slot.is(label));
		return means && !this.#slots.some(isName) ? 500 : 0;
	}

	#pathPoints({ text, before }: Literal, slot: Slot, role: Role | undefined): number {
		const isBehindPlace = isPlaceWord(before[0] ?? '') || before[0] === 'repository';
		if (slot.isRepository) return isBehindPlace && !/\.\w+$/.test(text) ? 30 : 0;
		if (!slot.is('place')) return role === 'name' && slot.is('name') ? 60 : 0;
		if (!this.#moves) return 50;
		return slot.is('to') === (role === 'to') ? 70 : 20;
	}

	/** A plain word is a value only behind a preposition, for a place. */
	#wordPoints(literal: Literal, slot: Slot, role: Role | undefined): number {
		const isName = isOwnName(literal.text) && !this.#toolStems.includes(stem(literal.text.toLowerCase()));
		const isPlace = slot.is('place') && !slot.isRepository && isPlaceWord(literal.before[0] ?? '');
		return isName && isPlace ? this.#pathPoints(literal, slot, role) - 15 : 0;
	}

	#subjectPoints({ before, text }: Literal, slot: Slot, role: Role | undefined): number {
		if (slot.isRepository) return 0;
		if (slot.is('place')) {
			if (!this.#moves) return isPlaceWord(before[0] ?? '') ? 30 : 60;
			return slot.is('to') === (role === 'to' || /^there$/i.test(text)) ? 60 : 0;
		}
		if (role !== undefined && slot.is(role)) return 50;
		return slot.is('text') ? 40 : slot.required || slot.is('id') ? 25 : 0;
	}

	/** Choices that stand in the request: `mode` is `create` in "create a branch". */
	#choose(): void {
		const said = ` ${tokenize(this.#sources.text).join(' ')} `;
		for (const slot of this.#open) {
			const isMode = /^(?:mode|action|operation|state|status|type|kind|method)$/i.test(slot.name);
			if (!slot.required && !isMode) continue;
			const spoken = (slot.parameter.choices ?? []).filter((choice) => {
				const words = tokenize(spelling(choice)).join(' ');
				return words !== '' && said.includes(` ${words} `);
			});
			if (spoken.length === 1) this.#set(slot, spoken[0]);
		}
	}

	/** An object, or a list of one, from the values that are left, where they give all that it requires. */
	#compose(): void {
		for (const slot of this.#open) {
			const { fields, required, isList } = slot;
			if (!fields || !required) continue;
			const literals = this.#relation(fields) ?? this.#left;
			const inner = new Filler(fields, { ...this.#sources, literals }, { ...this.#tool, description: '' });
			const { input, missing, said } = inner.fill();
			if (said.size === 0 || missing.length > 0) continue;
			const taken = [...inner.#used];
			const isTaken = ({ start, end }: Literal) => taken.some((one) => start >= one.start && end <= one.end);
			this.#set(slot, isList ? [input] : input, this.#left.filter(isTaken));
		}
	}

	/** `"Ada" likes "tea"`: where the fields are two ends and what joins them, the words between are the latter. */
	#relation(fields: readonly Parameter[]): readonly Literal[] | undefined {
		const slots = fields.filter(({ required }) => required).map((field) => new Slot(field));
		const start = slots.find((slot) => slot.is('from'));
		const end = slots.find((slot) => slot.is('to'));
		const joint = slots.find((slot) => slot !== start && slot !== end);
		const left = this.#left;
		const [from, to] = left.filter(({ kind }) => kind === 'quoted');
		if (!start || !end || !joint || slots.length !== 3 || !from || !to) return undefined;
		const between = left.filter((literal) => literal.start >= from.end && literal.end <= to.start);
		const [verb] = between;
		if (!verb || between.some(({ kind }) => kind !== 'word')) return undefined;
		const text = this.#sources.text.slice(from.end, to.start).trim();
		return [
			{ ...from, key: start.name },
			{ ...to, key: end.name },
			{ ...verb, text, key: joint.name, end: to.start },
		];
	}

	/** What was created before is where this goes: into the folder. And a repository, or a folder to look at, is the workspace. */
	#place(): void {
		const { before, isNext, workspaceFolder } = this.#sources;
		const folder = before && madeFolder(before);
		const into = this.#left.find(
			({ kind, before: [label = ''], text: said }) =>
				kind === 'subject' && (isPlaceWord(label) || /^there$/i.test(said)),
		);
		const looks = this.#isOfFolders && deedOfTool(this.#tool) === 'look';
		const source = this.#slots.find((slot) => slot.is('from') && slot.is('place'));
		const moved = source && this.#input.get(source.name);
		for (const slot of this.#slots.filter((one) => (one.is('place') || one.isRepository) && !one.isList)) {
			const value = this.#input.get(slot.name);
			const isTarget = slot.is('to') && slot !== source;
			if (value === undefined && (slot.isRepository || (looks && slot.required))) {
				if (workspaceFolder !== undefined) this.#input.set(slot.name, workspaceFolder);
			} else if (isTarget && typeof moved === 'string') {
				// Servers want the whole new path: a folder gets the file's own name.
				const target = value ?? (isNext ? folder : undefined);
				if (typeof target === 'string' && (/[\\/]$/.test(target) || target === folder))
					this.#set(slot, joined(target, moved.split(/[\\/]/).at(-1) ?? ''));
			} else if (into && folder !== undefined && !this.#moves && !slot.isRepository) {
				if (typeof value === 'string' && !value.startsWith('/'))
					this.#set(slot, joined(folder, value), [into]);
			}
		}
	}

	/** What stands behind the very name of a tool, or behind "for" and "about", is the only text that it wants: `echo hello`. */
	#remainder(): void {
		const [slot, ...others] = this.#open.filter(({ required }) => required);
		if (
			!slot ||
			slot.is('place') ||
			others.length > 0 ||
			this.#said.size > 0 ||
			deedOfTool(this.#tool) !== 'look'
		)
			return;
		const { literals, text } = this.#sources;
		if (literals.some(({ kind }) => kind === 'subject' || kind === 'result')) return;
		const [name, ...rest] = stemsOf(splitName(this.#tool.name).name);
		const lead = literals.find((literal) =>
			rest.length === 0 ? stem(literal.text.toLowerCase()) === name : /^(?:for|about)$/i.test(literal.text),
		);
		const said = lead ? text.slice(lead.end).replace(/^[\s,:]+|[\s?]+$/g, '') : '';
		const value = said === '' ? undefined : coerce(said, slot.parameter);
		if (value)
			this.#set(
				slot,
				value.value,
				literals.filter(({ start }) => start > (lead?.start ?? 0)),
			);
	}
}
