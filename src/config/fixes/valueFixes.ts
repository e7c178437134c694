import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import { nearestName, slipOfThePen } from '../../common/nearestName.ts';
import { serverSections } from '../config.ts';
import type { Json } from '../file/jsoncText.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	nearestFirst,
	type ReasonOf,
	rewriteText,
	withNodeReplaced,
} from './configFix.ts';
import { isEntry, providers, removal } from './keyFixes.ts';
import { argumentsOf, splitCommand } from './launchFixes.ts';

type ValueReason = ReasonOf<
	'wrong-type' | 'not-one-of' | 'out-of-range' | 'control-characters' | 'no-template'
>;

/** Keys without which an entry means nothing. */
const neededKeys = new Set(['command', 'url', 'provider', 'client', 'model']);

/** Fixes for a value that is not what it has to be. */
export function fixesForValue(place: FaultPlace, reason: ValueReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'wrong-type':
			return retyped(place, reason.expected);
		case 'not-one-of':
			return choices(place, reason.values);
		case 'out-of-range':
			return use(place, reason.nearest, String(reason.nearest), true);
		case 'control-characters':
			return withoutControls(place);
		case 'no-template':
			return [...nearestFixes(place, reason.names), ...removal(place)];
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

function choices(place: FaultPlace, values: readonly (string | boolean)[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path])?.value;
	const names = values.filter((value) => typeof value === 'string');
	const nearest =
		values.find((value) => value === flagOf(written)) ??
		(typeof written === 'string' ? nearestName(written, names, slipOfThePen) : undefined);
	return nearestFirst(values, nearest, (value, preferred) =>
		use(place, value, JSON.stringify(value), preferred),
	);
}

function retyped(place: FaultPlace, expected: string): ConfigFix[] {
	const node = findNodeAtLocation(place.root, [...place.path]);
	if (!node) return [];
	if (node.type === 'null') return neededKeys.has(String(place.path.at(-1))) ? [] : removal(place, true);
	if (place.path.at(-1) === 'command' && node.type === 'array') return splitCommand(place);
	const value: unknown = node.value;
	const meant =
		node.type === 'array' || node.type === 'object' ? undefined : valueMeant(value, expected, place.path);
	if (meant !== undefined) {
		const shown = typeof meant === 'object' ? JSON.stringify(meant).slice(0, 60) : JSON.stringify(meant);
		// Numbers and flags are no secrets; what becomes a list or an object is text of the user's own.
		return use(
			place,
			meant,
			typeof value === 'string' && typeof meant === 'object' ? formName(meant) : shown,
			true,
		);
	}
	const isEmptyList = node.type === 'array' && !node.children?.length;
	return expected === 'object' && isEmptyList ? use(place, {}, '{}', true) : [];
}

function formName(value: Json): string {
	return Array.isArray(value) ? l10n.t('a list') : l10n.t('an entry of its own');
}

/** What a value of another type was probably meant to be. */
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
			return typeof value === 'string' ? listOf(value, path) : undefined;
		case 'object':
			if (typeof value === 'boolean' && path.join() === 'tool_discovery') return { enabled: value };
			return typeof value === 'string' ? entryOf(value, path) : undefined;
		case 'union':
			return flagOf(value) === true
				? true
				: typeof value === 'string' && value !== ''
					? [value]
					: flagOf(value);
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

function listOf(value: string, path: Path): readonly string[] {
	return path.at(-1) === 'args' ? argumentsOf(value) : [value];
}

/** `"weather": "npx weather"` and `"weather": "https://…"` for a server, `"openai": "openai"` for a client. */
function entryOf(value: string, path: Path): Json | undefined {
	if (isEntry(path, ['clients'])) return providers().includes(value) ? { provider: value } : undefined;
	if (!isEntry(path, serverSections) || value.trim() === '') return undefined;
	if (/^https?:\/\//.test(value)) return { url: value };
	const [command = '', ...args] = argumentsOf(value);
	return args.length === 0 ? { command } : { command, args };
}

/** The name that a text is nearest to first, then the others, as fixes that write it. */
export function nearestFixes(place: FaultPlace, names: readonly string[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path])?.value;
	return nearestFirst(names, nearestName(String(written), names), (name, preferred) =>
		use(place, name, quoted(name), preferred),
	);
}
