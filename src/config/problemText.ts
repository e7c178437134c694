import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { nearestName, typoTolerance } from '../common/nearestName.ts';
import { quoted } from './file/jsonPath.ts';
import type { FaultReason } from './file/problemReport.ts';

/** The name that was probably meant, in quotes; `undefined`: none. */
export function suggestedName(name: string, candidates: readonly string[]): string | undefined {
	const nearest = nearestName(name, candidates, typoTolerance);
	return nearest === undefined ? undefined : JSON.stringify(nearest);
}

/** Appends the name that was probably meant, if there is one. */
export function withSuggestion(message: string, suggestion: string | undefined): string {
	return suggestion === undefined ? message : l10n.t('{0}; did you mean {1}?', message, suggestion);
}

/** Other names for our keys. Some are closer in spelling to a key that they do not mean (`cmd`, `cwd`). */
const otherNamesOfKeys: Readonly<Record<string, readonly string[]>> = {
	command: ['cmd', 'program', 'executable', 'exec', 'run'],
	args: ['arguments', 'argv', 'params', 'parameters'],
	env: ['environment', 'environmentvariables', 'envvars', 'variables'],
	inherit_env: ['envpassthrough', 'passenv', 'forwardenv', 'inheritenvironment'],
	cwd: ['workingdirectory', 'workingdir', 'workdir', 'directory', 'dir', 'folder'],
	url: ['uri', 'address', 'endpoint', 'href', 'serverurl', 'httpurl', 'sseurl'],
	headers: ['requestheaders', 'httpheaders'],
	transport: ['transporttype', 'protocol'],
	defer_loading: ['deferred', 'defer', 'deferloading'],
	pinned: ['pin', 'alwaysload', 'alwaysloaded'],
	base_url: ['url', 'endpoint', 'apibase', 'host', 'address'],
	provider: ['type', 'kind', 'vendor'],
	model: ['name', 'id', 'modelname', 'modelid'],
	context_tokens: ['contextwindow', 'contextlength', 'maxcontexttokens', 'numctx'],
	max_output_tokens: ['maxtokens', 'maxcompletiontokens', 'outputtokens'],
	tool_sets: ['toolsets', 'sets'],
};

/** The key that was probably meant by an unknown one, if any is near enough. */
export function suggestedKey(written: string, knownKeys: readonly string[]): string | undefined {
	const letters = written.toLowerCase().replace(/[_-]/g, '');
	return (
		knownKeys.find(
			(key) => Object.hasOwn(otherNamesOfKeys, key) && otherNamesOfKeys[key]?.includes(letters),
		) ?? nearestName(written, knownKeys, typoTolerance)
	);
}

/** A zod issue, which may not have a message yet. */
type RawIssue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** A JSON or schema type with its article. */
export function nounOf(type: string): string | undefined {
	switch (type) {
		case 'string':
			return l10n.t('a string');
		case 'number':
			return l10n.t('a number');
		case 'int':
			return l10n.t('a whole number');
		case 'boolean':
			return l10n.t('true or false');
		case 'array':
			return l10n.t('a list');
		case 'object':
		case 'record':
			return l10n.t('an object');
		default:
			return undefined;
	}
}

/**
 * The message for a zod issue, without the path. Never shows a free-form value, which may be a secret; a value from a fixed list may be
 * shown.
 */
export function issueText(issue: RawIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return typeText(String(issue.expected), issue.input);
		case 'invalid_value':
			return valueText(issue.values as readonly unknown[], issue.input);
		case 'too_small':
			return issue.origin === 'string'
				? l10n.t('must not be empty')
				: l10n.t('expected at least {0}', String(issue.minimum));
		case 'too_big':
			return l10n.t('expected at most {0}', String(issue.maximum));
		case 'unrecognized_keys':
			return l10n.t('unknown key {0}', (issue.keys as readonly string[]).map(quoted).join(', '));
		default:
			return issue.message ?? l10n.t('this value is not allowed here');
	}
}

/** The type that was expected, if a value has another one. */
export function issueReason(issue: z.core.$ZodIssue): FaultReason | undefined {
	if (issue.code === 'invalid_type') return { kind: 'wrong-type', expected: issue.expected };
	const isFlag = issue.code === 'invalid_value' && issue.values.some((value) => typeof value === 'boolean');
	return isFlag ? { kind: 'wrong-type', expected: 'boolean' } : undefined;
}

/** The limit that a number exceeds, if that is what is wrong with it. */
export function exceededLimit(issue: z.core.$ZodIssue): number | undefined {
	if (issue.code === 'too_small' && issue.origin !== 'string') return Number(issue.minimum);
	return issue.code === 'too_big' ? Number(issue.maximum) : undefined;
}

function typeText(expected: string, input: unknown): string {
	const [expectedNoun, inputNoun] = [nounOf(expected) ?? expected, kindOf(input)];
	if (expected === 'string' && (typeof input === 'number' || typeof input === 'boolean')) {
		return l10n.t('expected {0}, not {1}; put it in quotes', expectedNoun, inputNoun);
	}
	return typeof input === 'string' && isQuotedLiteral(expected, input)
		? l10n.t('expected {0}, not {1}; remove the quotes', expectedNoun, inputNoun)
		: l10n.t('expected {0}, not {1}', expectedNoun, inputNoun);
}

/** Whether a string would have the expected type without its quotes. */
export function isQuotedLiteral(expected: string, written: string): boolean {
	if (expected === 'boolean') return written === 'true' || written === 'false';
	const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(written);
	if (expected === 'number') return isNumber && Number.isFinite(Number(written));
	return expected === 'int' && isNumber && Number.isSafeInteger(Number(written));
}

function kindOf(input: unknown): string {
	if (input === undefined) return l10n.t('nothing');
	if (input === null) return 'null';
	if (Array.isArray(input)) return l10n.t('a list');
	return (typeof input === 'boolean' ? undefined : nounOf(typeof input)) ?? String(input);
}

function valueText(values: readonly unknown[], input: unknown): string {
	const list = quotedList(values);
	if (typeof input !== 'string') return l10n.t('expected {0}, not {1}', list, kindOf(input));
	if (values.some((value) => typeof value === 'boolean') && isQuotedLiteral('boolean', input)) {
		return l10n.t('expected {0}, not {1}; remove the quotes', list, kindOf(input));
	}
	const suggestion = suggestedName(
		input,
		values.filter((value) => typeof value === 'string'),
	);
	return withSuggestion(l10n.t('unknown value {0}, expected {1}', quoted(input), list), suggestion);
}

/** `"a", "b" or "c"`. */
export function quotedList(values: readonly unknown[]): string {
	const valid = values.map((value) => JSON.stringify(value));
	return valid.length > 1
		? l10n.t('{0} or {1}', valid.slice(0, -1).join(', '), valid.at(-1) ?? '')
		: `${valid[0]}`;
}
