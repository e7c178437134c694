import type { OutputUnit } from '@cfworker/json-schema';
import { type CheckedSchema, keywordAt, placeText, valueAt } from './pointer.ts';
import { list, sentence, shown } from './sentence.ts';

/** Faults that are told of one value; mending those often mends the rest. */
const maxFaults = 5;
/** Characters of one fault. */
const maxCharacters = 300;

/** What was checked. */
export interface Checked extends CheckedSchema {
	readonly value: unknown;
}

/** The library's findings as sentences: the innermost ones only, since the others just say that there are some. */
export function faultsOf(units: readonly OutputUnit[], checked: Checked): string[] {
	const sentences = new Set<string>();
	for (const fault of innermost(located(units), checked)) {
		const place = placeText(fault.location);
		const text = place === '' ? fault.text : `${place}: ${fault.text}`;
		sentences.add(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
		if (sentences.size === maxFaults) break;
	}
	return [...sentences];
}

interface Fault {
	readonly location: string;
	readonly text: string;
}

/** Findings that only introduce those inside them. */
const introductions = new Set([
	'$ref',
	'$recursiveRef',
	'additionalItems',
	'additionalProperties',
	'allOf',
	'dependentSchemas',
	'if',
	'items',
	'patternProperties',
	'prefixItems',
	'properties',
	'unevaluatedItems',
	'unevaluatedProperties',
]);
/** Findings on several forms that would do: those inside them are of each form. */
const unions = new Set(['anyOf', 'oneOf']);
/** Findings that say all that can be said: those inside them are of attempts that need not have succeeded. */
const conclusions = new Set(['contains', 'propertyNames']);

/** The library gives the findings of the schema `false` the place of the value; theirs is that of the keyword before them. */
function located(units: readonly OutputUnit[]): OutputUnit[] {
	return units.map((unit, index) =>
		unit.keyword === 'false'
			? { ...unit, keywordLocation: `${units[index - 1]?.keywordLocation ?? '#'}/false` }
			: unit,
	);
}

function* innermost(units: readonly OutputUnit[], checked: Checked): Generator<Fault> {
	for (let index = 0; index < units.length; index++) {
		const unit = units[index];
		if (unit === undefined || introductions.has(unit.keyword)) continue;
		const isUnion = unions.has(unit.keyword);
		const inside = isUnion || conclusions.has(unit.keyword) ? insideOf(unit, units.slice(index + 1)) : [];
		if (isUnion) yield* ofUnion(unit, inside, checked);
		else yield { location: unit.instanceLocation, text: textOf(unit, checked) };
		index += inside.length;
	}
}

function insideOf({ keywordLocation }: OutputUnit, following: readonly OutputUnit[]): readonly OutputUnit[] {
	const end = following.findIndex((unit) => !unit.keywordLocation.startsWith(`${keywordLocation}/`));
	return end < 0 ? following : following.slice(0, end);
}

/** Of several forms, the one that was meant is the one of the right type, if there is just one. */
function* ofUnion(union: OutputUnit, inside: readonly OutputUnit[], checked: Checked): Generator<Fault> {
	const { keyword, keywordLocation, instanceLocation: location } = union;
	const forms = Map.groupBy(inside, (unit) =>
		Number(unit.keywordLocation.slice(keywordLocation.length + 1).split('/', 1)[0]),
	);
	const allowed = keywordAt(checked, keywordLocation);
	const count = Array.isArray(allowed) ? allowed.length : forms.size;
	const isTypeFault = (unit: OutputUnit) => unit.keyword === 'type' && unit.instanceLocation === location;
	const [meant, ...others] = [...forms.values()].filter((form) => !form.some(isTypeFault));
	const types = inside.filter(isTypeFault).flatMap((unit) => keywordAt(checked, unit.keywordLocation));
	if (keyword === 'oneOf' && forms.size < count) {
		yield { location, text: `fits more than one of ${count} forms, of which it must have exactly one` };
	} else if (meant !== undefined && others.length === 0) {
		yield* innermost(meant, checked);
	} else if (meant === undefined && types.length > 0) {
		yield { location, text: sentence('type', { limit: types, actual: valueAt(checked.value, location) }) };
	} else {
		yield { location, text: `fits none of the ${count} forms that are allowed here` };
	}
}

function textOf({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, checked: Checked): string {
	if (keyword === 'false') return refusedText(keywordLocation, checked);
	const limit = keywordAt(checked, keywordLocation);
	const actual = valueAt(checked.value, instanceLocation);
	return sentence(keyword, { limit, actual }) || error;
}

/** Where a schema allows nothing: mostly a property that it does not know. */
function refusedText(keywordLocation: string, checked: Checked): string {
	const [, around, keyword] = /^(.*)\/([^/]+)\/false$/.exec(keywordLocation) ?? [];
	if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') return 'is not allowed here';
	const known = Object.keys(keywordAt(checked, `${around}/properties`) ?? {});
	return known.length > 0
		? `unknown property; known are ${list(known.map(shown), 'and')}`
		: 'unknown property';
}
