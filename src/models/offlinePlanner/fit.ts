import { type Purpose, purposesOfLabel, purposesOfParameter } from './alias.ts';
import type { Parameter } from './parameter.ts';
import type { Literal } from './prompt.ts';
import { countedPlace } from './quantity.ts';
import { compact, singular } from './words.ts';

/** Points of a fit; only their order matters. A label beats looks, and the surer the label the more it counts. */
const pointsFor = {
	ownName: 100,
	explicit: 70,
	phrase: 60,
	/** `5 steps` for a parameter of the steps, `3 seconds` for a duration. */
	counted: 55,
	preposition: 50,
	/** What a value looks like is what the parameter is for. */
	looks: 40,
	/** A bare word after a preposition: `in docs`. */
	weak: 25,
	/** A value without label for a required parameter of its type, whatever the name. */
	type: 12,
	/** `3 commits` for a limit, whatever is limited. */
	count: 30,
	/** The tool's only number, or its only parameter, though it is optional. */
	only: 8,
	/** Off for each purpose of a label that is less likely. */
	lessLikely: 5,
	/** Off for a parameter that works without. */
	hasPreset: 3,
} as const;

/** Purposes that a value may have by its looks, the likeliest first. */
const purposesByKind: Readonly<Record<Literal['kind'], readonly Purpose[]>> = {
	url: ['url', 'path', 'content'],
	email: ['email'],
	path: ['path', 'source', 'target', 'url', 'query', 'name'],
	glob: ['query', 'path'],
	date: ['date'],
	quoted: ['content', 'query', 'name', 'path', 'old', 'new', 'target', 'place'],
	number: [],
	json: [],
	text: [],
};

/** How well a value suits a parameter; 0: not at all. Types are not looked at here. */
export function fitOf(literal: Literal, parameter: Parameter, parameters: readonly Parameter[]): number {
	const points = pointsOf(literal, parameter, parameters);
	return points === 0 ? 0 : Math.max(1, points - (parameter.preset ? pointsFor.hasPreset : 0));
}

function pointsOf(literal: Literal, parameter: Parameter, parameters: readonly Parameter[]): number {
	if (literal.strength === 'counted') return countedFit(literal, parameter, parameters);
	const points = Math.max(byLabel(literal, parameter), byLooks(literal, parameter, parameters));
	if (literal.kind !== 'glob' || literal.strength === 'explicit') return points;
	// A glob is a pattern, whatever leads it ("files named *.md"), and no path as long as there is a parameter for it.
	if (takesPattern(parameter)) return isExcluding(parameter) ? points : Math.max(points, pointsFor.phrase);
	return parameters.some((other) => takesPattern(other) && !isExcluding(other)) ? 0 : points;
}

function takesPattern({ name }: Parameter): boolean {
	return purposesOfParameter(name).includes('query');
}

function isExcluding({ name }: Parameter): boolean {
	return /^(?:exclude|ignore|skip)/i.test(name);
}

function byLabel(literal: Literal, parameter: Parameter): number {
	const { label, strength } = literal;
	if (label === undefined || strength === undefined) return 0;
	if (isOwnName(label, parameter.name)) return strength === 'weak' ? pointsFor.weak : pointsFor.ownName;
	// A count is no text: "5 files" is not a path.
	if (literal.kind === 'number' && strength !== 'explicit' && !isNumeric(parameter)) return 0;
	const purposes = purposesOfLabel(label);
	const place = firstShared(purposes, purposesOfParameter(parameter.name));
	if (place < 0) return 0;
	// `in docs` names one place; and a guess is not worth filling what can stay empty.
	if (strength === 'weak' && (!parameter.required || parameter.types.includes('array'))) return 0;
	return pointsFor[strength] - Math.min(place, 4) * pointsFor.lessLikely;
}

function isOwnName(label: string, name: string): boolean {
	return label === compact(name) || singular(label) === singular(compact(name));
}

function byLooks(literal: Literal, parameter: Parameter, parameters: readonly Parameter[]): number {
	const { kind, strength } = literal;
	// `foo=1` is for a parameter `foo` and no other; words without looks need their label.
	if (strength === 'explicit' || strength === 'weak' || kind === 'text') return 0;
	if (kind === 'number' && isNumeric(parameter)) return numberFit(parameter, parameters);
	// "the last 3" counts; only a number that stands alone may be an identifier.
	if (kind === 'number' && strength !== undefined) return 0;
	const place = firstShared(purposesByKind[kind], purposesOfParameter(parameter.name));
	if (place >= 0) return looksFit(literal, parameter, parameters, place);
	if (kind === 'json') return jsonFit(literal, parameter);
	if (isNumeric(parameter)) return 0;
	return parameter.required ? pointsFor.type : onlyFit(parameters);
}

function looksFit(
	literal: Literal,
	parameter: Parameter,
	parameters: readonly Parameter[],
	place: number,
): number {
	// Quotes alone say little: an optional parameter wants a label.
	if (literal.kind === 'quoted' && !parameter.required) return onlyFit(parameters);
	const isFile =
		literal.kind === 'path' && /\.\w+$/.test(literal.text) && /file|paths$/i.test(parameter.name);
	return pointsFor.looks - Math.min(place, 4) * pointsFor.lessLikely + (isFile ? 2 : 0);
}

function onlyFit(parameters: readonly Parameter[]): number {
	return parameters.length === 1 ? pointsFor.only : 0;
}

function jsonFit(literal: Literal, parameter: Parameter): number {
	const takes = literal.text.startsWith('[') ? ['array'] : ['object', 'array'];
	return parameter.types.some((type) => takes.includes(type)) ? pointsFor.looks : 0;
}

function numberFit(parameter: Parameter, parameters: readonly Parameter[]): number {
	if (parameter.required) return pointsFor.looks;
	return parameters.filter(isNumeric).length === 1 ? pointsFor.only : 0;
}

/** A number with what it counts is for a number of that, for a time, or for a limit; never for a text. */
function countedFit({ label = '' }: Literal, parameter: Parameter, parameters: readonly Parameter[]): number {
	if (!isNumeric(parameter)) return 0;
	if (isOwnName(label, parameter.name)) return pointsFor.ownName;
	const place = countedPlace(label, parameter);
	if (place === 'own') return pointsFor.counted;
	if (place === 'limit') return pointsFor.count;
	return place === 'any' ? numberFit(parameter, parameters) : 0;
}

function isNumeric(parameter: Parameter): boolean {
	return parameter.types.some((type) => type === 'number' || type === 'integer');
}

function firstShared(likely: readonly Purpose[], purposes: readonly Purpose[]): number {
	return likely.findIndex((purpose) => purposes.includes(purpose));
}
