import type { ToolDefinition } from '../../discovery/tool.ts';
import { purposesOfParameter } from './alias.ts';
import { type Coerced, coerce } from './coerce.ts';
import { composedValue } from './composed.ts';
import { fitOf } from './fit.ts';
import { isHere } from './here.ts';
import { type Parameter, parametersOf } from './parameter.ts';
import { type KnownParameter, type Literal, readPrompt } from './prompt.ts';
import { remainderFor } from './remainder.ts';
import { spokenValue } from './spoken.ts';

/** What a prompt gives a tool. */
export interface Filling {
	readonly input: Readonly<Record<string, unknown>>;
	/** Required parameters without a value; the call must not be made while there are any. */
	readonly missing: readonly Parameter[];
	/** Names of the parameters that the words of the user filled, presets not among them. */
	readonly said: ReadonlySet<string>;
	/** Values of the prompt that found no parameter; guesses do not count. */
	readonly unused: readonly Literal[];
	/** The words after the literals were taken (`echo hello`) stand for a value, which is no evidence for the tool. */
	readonly byRemainder: boolean;
}

/** Fills the parameters of a tool from a request in the user's words. Never invents a value. */
export function fillParameters(tool: ToolDefinition, prompt: string): Filling {
	const values = new Values(tool, prompt);
	values.takeLiterals();
	values.takeComposed();
	values.takeSpoken();
	values.takeRemainder();
	return values.finish();
}

/**
 * Completes what an earlier request left open with the user's answer. Only the open parameters are filled, and those
 * that the answer names. If a single one is open and the answer names none, the whole answer is its value.
 */
export function completeParameters(tool: ToolDefinition, earlier: Filling, answer: string): Filling {
	const values = new Values(tool, answer, earlier);
	values.takeLiterals();
	values.takeComposed();
	const [only, ...others] = earlier.missing;
	if (only && others.length === 0 && !values.has(only)) values.takeWhole(only);
	values.takeSpoken();
	return values.finish();
}

class Values {
	readonly #tool: ToolDefinition;
	readonly #prompt: string;
	readonly #parameters: readonly Parameter[];
	readonly #literals: readonly Literal[];
	readonly #input = new Map<string, unknown>();
	readonly #said = new Set<string>();
	readonly #used = new Set<Literal>();
	readonly #earlier: Filling | undefined;
	#byRemainder = false;

	constructor(tool: ToolDefinition, prompt: string, earlier?: Filling) {
		this.#tool = tool;
		this.#prompt = prompt;
		this.#parameters = parametersOf(tool);
		this.#literals = readPrompt(prompt, withNested(this.#parameters));
		this.#earlier = earlier;
	}

	has(parameter: Parameter): boolean {
		return this.#said.has(parameter.name);
	}

	/** Best fit first; each literal and each parameter once. */
	takeLiterals(): void {
		const pairs = this.#parameters.flatMap((parameter) =>
			this.#literals.flatMap((literal) => this.#pair(literal, parameter)),
		);
		pairs.sort((a, b) => b.points - a.points || Number(b.parameter.required) - Number(a.parameter.required));
		for (const { literal, parameter, value } of pairs) {
			if (this.#used.has(literal) || this.has(parameter)) continue;
			this.#set(parameter, value.value);
			this.#used.add(literal);
			this.#gather(parameter, literal);
		}
	}

	/** Objects last, of what no parameter of its own has taken. */
	takeComposed(): void {
		for (const parameter of this.#open().filter(({ required }) => required)) {
			const composed = composedValue(
				parameter,
				this.#literals.filter((literal) => !this.#used.has(literal)),
			);
			if (!composed) continue;
			this.#set(parameter, composed.value);
			for (const literal of composed.used) this.#used.add(literal);
		}
	}

	takeSpoken(): void {
		for (const parameter of this.#open()) {
			const spoken = spokenValue(parameter, this.#prompt, [...this.#used]);
			if (spoken) this.#set(parameter, spoken.value);
		}
	}

	takeRemainder(): void {
		const open = this.#open().filter(({ required }) => required);
		const [only] = open;
		if (!only || open.length > 1 || this.#isLimited(only)) return;
		const text = remainderFor(only, this.#tool, this.#parameters, this.#prompt, [...this.#used]);
		const value = text === undefined ? undefined : coerce(text, only);
		if (!value) return;
		this.#set(only, value.value);
		this.#byRemainder = true;
	}

	/** "the last 3 commits" says how many, which is no value of what is neither text nor a question. */
	#isLimited({ name }: Parameter): boolean {
		const isText = purposesOfParameter(name).some((purpose) => ['content', 'query'].includes(purpose));
		return !isText && this.#unused().some(({ kind, strength }) => kind === 'number' && strength === 'phrase');
	}

	/** The whole prompt as the value; quotes around all of it are not part of it. */
	takeWhole(parameter: Parameter): void {
		if (this.#literals.some((literal) => this.#used.has(literal) && literal.strength === 'explicit')) return;
		const [first] = this.#literals;
		const trimmed = this.#prompt.trim();
		const isOne =
			first?.label === undefined &&
			first?.start === this.#prompt.indexOf(trimmed) &&
			first.end - first.start === trimmed.length;
		const value = coerce(first && isOne ? first.text : trimmed, parameter);
		if (trimmed === '' || !value) return;
		this.#set(parameter, value.value);
		for (const literal of this.#literals) this.#used.add(literal);
	}

	finish(): Filling {
		const input = new Map([...Object.entries(this.#earlier?.input ?? {}), ...this.#input]);
		for (const { name, required, preset } of this.#parameters) {
			if (required && preset && !input.has(name)) input.set(name, preset.value);
		}
		for (const parameter of this.#earlier ? [] : this.#open().filter(({ required }) => required)) {
			if (!input.has(parameter.name) && isHere(parameter, this.#tool, this.#prompt, [...this.#used]))
				input.set(parameter.name, '.');
		}
		// In the order of the schema, as people read it in the confirmation.
		const ordered = this.#parameters.filter(({ name }) => input.has(name)).map(({ name }) => name);
		return {
			// fromEntries defines properties, so that a parameter `__proto__` is one like any other.
			input: Object.fromEntries(ordered.map((name) => [name, input.get(name)])),
			missing: this.#parameters.filter(({ name, required }) => required && !input.has(name)),
			said: new Set([...(this.#earlier?.said ?? []), ...this.#said]),
			unused: [...(this.#earlier?.unused ?? []), ...this.#unused()],
			byRemainder: this.#byRemainder,
		};
	}

	#unused(): readonly Literal[] {
		return this.#literals.filter((literal) => literal.strength !== 'weak' && !this.#used.has(literal));
	}

	#open(): readonly Parameter[] {
		return this.#parameters.filter((parameter) => !this.has(parameter) && this.#isOpenEarlier(parameter));
	}

	#isOpenEarlier({ name }: Parameter): boolean {
		return !this.#earlier || this.#earlier.missing.some((missing) => missing.name === name);
	}

	#pair(literal: Literal, parameter: Parameter) {
		const points = fitOf(literal, parameter, this.#parameters);
		if (points === 0 || (literal.strength !== 'explicit' && !this.#isOpenEarlier(parameter))) return [];
		const value = valueFor(literal, parameter);
		return value ? [{ literal, parameter, points, value }] : [];
	}

	/** A list takes the other values that look like its first: `read a.txt and b.txt`. */
	#gather(parameter: Parameter, first: Literal): void {
		const list = this.#input.get(parameter.name);
		if (!Array.isArray(list) || first.kind === 'json' || first.strength === 'explicit') return;
		for (const literal of this.#literals) {
			if (this.#used.has(literal) || literal.kind !== first.kind || literal.label !== undefined) continue;
			const more = valueFor(literal, parameter)?.value;
			if (!Array.isArray(more)) continue;
			list.push(...more);
			this.#used.add(literal);
		}
	}

	#set(parameter: Parameter, value: unknown): void {
		this.#input.set(parameter.name, value);
		this.#said.add(parameter.name);
	}
}

/** Names that may label a value: the parameters', and those of the objects that they take. */
function withNested(parameters: readonly Parameter[]): readonly KnownParameter[] {
	const nested = parameters.flatMap(({ properties = [], items }) => [
		...properties,
		...(items?.properties ?? []),
	]);
	return [...parameters, ...nested.map(({ name }) => ({ name, required: false }))];
}

/** A quoted value is one item of a list, whatever commas and "and"s it holds; `names=a,b` is a list. */
function valueFor(literal: Literal, parameter: Parameter): Coerced | undefined {
	const isList = parameter.types.includes('array') && !parameter.types.includes('string');
	if (!isList || literal.strength === 'explicit' || ['json', 'text'].includes(literal.kind)) {
		return coerce(literal.text, parameter);
	}
	const item = coerce(literal.text, parameter.items ?? { types: ['string'] });
	return item && { value: [item.value] };
}
