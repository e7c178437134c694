import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isRecord } from '../common/json.ts';
import { type Path, quoted } from './file/jsonPath.ts';
import type { ProblemReport } from './file/problemReport.ts';
import { exceededLimit, issueReason, issueText, suggestedKey, withSuggestion } from './problemText.ts';
import type { configSchema, serverSchema } from './schema.ts';

/** A value without its faulty parts: even required keys may be missing. */
export type Salvaged<S> =
	S extends z.ZodOptional<infer Inner>
		? Salvaged<Inner>
		: S extends z.ZodObject<infer Shape>
			? { readonly [Key in keyof Shape]?: Salvaged<Shape[Key]> }
			: S extends z.ZodRecord<infer _Key, infer Value>
				? ReadonlyMap<string, Salvaged<Value>>
				: z.output<S>;

/** The whole file without its faulty parts. */
export type SalvagedConfig = Salvaged<typeof configSchema>;

/** A server's entry without its faulty parts. */
export type ServerEntry = Salvaged<typeof serverSchema>;

/** Its settings for signing in. */
export type SignInEntry = NonNullable<ServerEntry['oauth']>;

/**
 * Validates entry by entry: a faulty field or entry is reported and dropped, all others stay. Zod's `parse` would reject the whole file for
 * one. `undefined`: nothing could be kept.
 */
export function salvage<S extends z.ZodType>(
	schema: S,
	value: unknown,
	path: Path,
	report: ProblemReport,
): Salvaged<S> | undefined {
	// The recursion follows the schema at run time and `Salvaged` follows its type; only this cast connects them.
	return salvageAny(schema, value, path, report) as Salvaged<S> | undefined;
}

function salvageAny(schema: z.core.$ZodType, value: unknown, path: Path, report: ProblemReport): unknown {
	if (schema instanceof z.ZodOptional) return salvageAny(schema.unwrap(), value, path, report);
	if (schema instanceof z.ZodObject) return salvageObject(schema, value, path, report);
	if (schema instanceof z.ZodRecord) return salvageRecord(schema, value, path, report);
	const result = z.safeParse(schema, value, { error: issueText });
	if (result.success) return result.data;
	const nearest = nearestInRange(value, path, result.error.issues);
	if (nearest !== undefined) {
		const [issue] = result.error.issues;
		const message = () => l10n.t('{0}; {1} is used', issue?.message ?? '', nearest);
		report.warning(path, message);
		return nearest;
	}
	for (const issue of result.error.issues.flatMap(innermost)) {
		const inside = issue.path.filter((key) => typeof key !== 'symbol');
		const reason = issueReason(issue);
		report.error([...path, ...inside], issue.message, reason && { reason });
	}
	return undefined;
}

/**
 * The nearest allowed number for a discovery setting that is too small or too large, as for limits in VS Code's settings. Not for model
 * settings, where another number would do harm.
 */
function nearestInRange(
	value: unknown,
	[section]: Path,
	issues: readonly z.core.$ZodIssue[],
): number | undefined {
	if (section !== 'tool_discovery') return undefined;
	const [issue] = issues;
	return typeof value === 'number' && issue && issues.length === 1 ? exceededLimit(issue) : undefined;
}

function salvageObject(schema: z.ZodObject, value: unknown, path: Path, report: ProblemReport): unknown {
	if (!isRecord(value)) return reportNoObject(value, path, report);
	const knownKeys = Object.keys(schema.shape);
	const saved: Record<string, unknown> = {};
	for (const [key, field] of Object.entries(value)) {
		const fieldSchema = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
		if (!fieldSchema) {
			const message = () => {
				const suggestion = suggestedKey(key, knownKeys);
				return withSuggestion(l10n.t('unknown key, ignored'), suggestion && JSON.stringify(suggestion));
			};
			report.warning([...path, key], message, {
				part: 'key',
				reason: { kind: 'unknown-key', knownKeys },
			});
			continue;
		}
		const savedField = salvageAny(fieldSchema, field, [...path, key], report);
		if (savedField !== undefined) saved[key] = savedField;
	}
	for (const [key, field] of Object.entries(schema.shape)) {
		if (!Object.hasOwn(value, key) && !(field instanceof z.ZodOptional)) {
			report.error(path, l10n.t('{0} is missing', quoted(key)), 'key');
		}
	}
	return saved;
}

function salvageRecord(schema: z.ZodRecord, value: unknown, path: Path, report: ProblemReport): unknown {
	if (!isRecord(value)) return reportNoObject(value, path, report);
	const saved = new Map<string, unknown>();
	for (const [key, entry] of Object.entries(value)) {
		const savedEntry = salvageAny(schema.valueType, entry, [...path, key], report);
		if (savedEntry !== undefined) saved.set(key, savedEntry);
	}
	return saved;
}

/** The issues to report for a failing union: those of the member with the right outer type, since they say more. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
	if (issue.code !== 'invalid_union') return [issue];
	const fitting = issue.errors.find((member) => member.every((inner) => inner.path.length > 0));
	return fitting?.length ? fitting : [issue];
}

function reportNoObject(value: unknown, path: Path, report: ProblemReport): undefined {
	const issue = { code: 'invalid_type', expected: 'object', input: value } as const;
	report.error(path, issueText(issue));
}
