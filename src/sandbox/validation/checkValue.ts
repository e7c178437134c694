import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import type { ValidationOutcome } from '../outcome.ts';
import { faultsOf } from './faults.ts';

/**
 * Checks a value against a JSON Schema. The library interprets schemas and compiles nothing; a `$ref` that leads out of the schema is
 * never followed, and leaves the value unchecked. May take for ever: the sandbox's deadline ends it.
 */
export function checkValue(schema: unknown, value: unknown): ValidationOutcome {
	if (typeof schema !== 'boolean' && !isObject(schema)) return unchecked('the schema is not an object');
	try {
		const lookup = dereference(schema);
		const { valid, errors } = validate(value, schema, draftOf(schema), lookup, false);
		return valid
			? { kind: 'valid' }
			: { kind: 'invalid', faults: faultsOf(errors, { schema, lookup, value }) };
	} catch (error) {
		const detail = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
		return unchecked(`the schema cannot be evaluated: ${detail?.slice(0, 200)}`);
	}
}

function unchecked(reason: string): ValidationOutcome {
	return { kind: 'unchecked', reason };
}

function isObject(schema: unknown): schema is Schema {
	return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

const drafts: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
	[/draft-04/, '4'],
	// Draft 7 has all of draft 6, and only adds to it.
	[/draft-0[67]/, '7'],
	[/2019-09/, '2019-09'],
];

/** MCP's default is 2020-12. */
function draftOf(schema: Schema | boolean): SchemaDraft {
	const named = typeof schema === 'object' ? String(schema.$schema) : '';
	return drafts.find(([pattern]) => pattern.test(named))?.[1] ?? '2020-12';
}
