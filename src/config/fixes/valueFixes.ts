import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import { nearestName, typoTolerance } from '../../common/nearestName.ts';
import type { Json } from '../file/jsoncText.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	type ReasonOf,
	rewriteText,
	withNodeReplaced,
} from './configFix.ts';
import { removal } from './keyFixes.ts';
import { argumentsOf, splitCommand } from './launchFixes.ts';

type ValueReason = ReasonOf<
	'wrong-type' | 'not-one-of' | 'out-of-range' | 'control-characters' | 'no-template'
>;

/** Keys without which an entry is useless. */
const neededKeys = new Set(['command', 'url', 'provider', 'client', 'model']);

/** Fixes for a value of the wrong kind. */
export function fixesForValue(place: FaultPlace, reason: ValueReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'wrong-type':
			return retyped(place, reason.expected);
		case 'not-one-of':
			return choice(place, reason.values);
		case 'out-of-range':
			return use(place, reason.nearest, String(reason.nearest), true);
		case 'control-characters':
			return withoutControls(place);
		case 'no-template':
			return nearestFix(place, reason.names);
	}
}

function use(place: FaultPlace, value: Json, shown: string, preferred: boolean): ConfigFix[] {
	const node = findNodeAtLocation(place.root, [...place.path]);
	if (!node) return [];
	return editFix(
		l10n.t('Use {0}', shown),
		place.text,
		withNodeReplaced(place.text, node, JSON.stringify(value)),
		preferred,
	);
}

/** Fixes an address or a command that was pasted with a line break. */
function withoutControls(place: FaultPlace): ConfigFix[] {
	const title = l10n.t('Remove the line breaks and control characters');
	const clean = (written: string) => written.replace(/\s*\p{Cc}+\s*/gu, '').trim() || written;
	return rewriteText(place, title, clean, true);
}

/** The choice that was probably meant. */
function choice(place: FaultPlace, values: readonly (string | boolean)[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path])?.value;
	const names = values.filter((value) => typeof value === 'string');
	const nearest =
		values.find((value) => value === flagOf(written)) ??
		(typeof written === 'string' ? nearestName(written, names, typoTolerance) : undefined);
	return nearest === undefined ? [] : use(place, nearest, JSON.stringify(nearest), true);
}

function retyped(place: FaultPlace, expected: string): ConfigFix[] {
	const node = findNodeAtLocation(place.root, [...place.path]);
	if (!node) return [];
	if (node.type === 'null') return neededKeys.has(String(place.path.at(-1))) ? [] : removal(place, true);
	if (place.path.at(-1) === 'command' && node.type === 'array') return splitCommand(place);
	const isPlain = node.type !== 'array' && node.type !== 'object';
	const meant = isPlain ? valueMeant(node.value, expected, place.path) : undefined;
	// Text that becomes a list is free-form, and may be a secret.
	const shown = typeof meant === 'object' ? l10n.t('a list') : JSON.stringify(meant);
	return meant === undefined ? [] : use(place, meant, shown, true);
}

/** What a number, a flag or a text of another type obviously means. */
function valueMeant(value: unknown, expected: string, path: Path): Json | undefined {
	switch (expected) {
		case 'boolean':
			return flagOf(value);
		case 'number':
		case 'int':
			return numberOf(value);
		case 'string':
			return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
		case 'array':
			if (typeof value !== 'string') return undefined;
			return path.at(-1) === 'args' ? argumentsOf(value) : [value];
		case 'union':
			return flagOf(value) ?? (typeof value === 'string' && value !== '' ? [value] : undefined);
		default:
			return undefined;
	}
}

function flagOf(value: unknown): boolean | undefined {
	const word = String(value).trim().toLowerCase();
	if (['true', 'yes', 'on', '1'].includes(word)) return true;
	return ['false', 'no', 'off', '0'].includes(word) ? false : undefined;
}

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
	return typeof value !== 'boolean' && Number.isFinite(number) ? Math.round(number) : undefined;
}

/** Replaces a text by the nearest name; no fix if none is near. */
export function nearestFix(place: FaultPlace, names: readonly string[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path])?.value;
	const name = nearestName(String(written), names);
	return name === undefined ? [] : use(place, name, quoted(name), true);
}
