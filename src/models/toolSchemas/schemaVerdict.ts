import { visible } from '../../common/invisible.ts';
import { isRecord } from '../../discovery/record.ts';
import { cut, folded } from '../../discovery/text.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { Budget, OverBudget } from './budget.ts';
import { Definitions } from './definitions.ts';
import type { Dialect } from './dialects.ts';
import { charactersSent, charactersWithReferences, referenceDepths } from './limits.ts';
import { objectAtTop, withKnownArguments } from './objectAtTop.ts';
import { readSchema } from './reading.ts';

/** What a provider takes of a tool's schema. */
export type SchemaVerdict =
	/** `words`: what the schema says and the provider would not take, for the tool's description. */
	| { readonly schema: JsonSchema; readonly words: readonly string[] }
	/** Why it takes nothing of it, as a sentence. */
	| { readonly reason: string };

/** Characters of an argument's name in a reason. */
const nameCharacters = 64;

/** Reads a schema in time bounded by its size and ours: with references written out as deep as there is room for the result. */
export function schemaVerdict(schema: JsonSchema, dialect: Dialect): SchemaVerdict {
	const definitions = new Definitions(schema);
	for (const referenceDepth of referenceDepths) {
		const verdict = verdictOf(schema, dialect, definitions, referenceDepth);
		if (verdict) return verdict;
		if (!definitions.areUsed) break;
	}
	return { reason: 'Its schema is too large.' };
}

/** `undefined`: there is too much of it. */
function verdictOf(
	schema: JsonSchema,
	dialect: Dialect,
	definitions: Definitions,
	referenceDepth: number,
): SchemaVerdict | undefined {
	const budget = new Budget(dialect.enumValues);
	const words: string[] = [];
	const say = (said: string) => void words.push(said);
	const place = { dialect, budget, definitions, referenceDepth, references: [], depth: 1 };
	const read = readWithin(() => readSchema(schema, place, say));
	if (read === undefined) return undefined;
	if ('$ref' in schema && !isRecord(read.properties)) {
		return { reason: 'Its schema refers to definitions that it does not hold.' };
	}
	const top = objectAtTop(read, say);
	if (!top) return { reason: 'Its schema asks for something else than an object of arguments.' };
	const known = withKnownArguments(top, dialect, say);
	if (typeof known === 'string') return { reason: refusedName(known) };
	const isGrown = definitions.areUsed && referenceDepth > 0;
	const room = isGrown ? charactersWithReferences : charactersSent;
	return JSON.stringify(known).length > room ? undefined : { schema: known, words };
}

function readWithin(read: () => JsonSchema): JsonSchema | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof OverBudget) return undefined;
		throw error;
	}
}

function refusedName(name: string): string {
	const shown = cut(folded(visible(name)), nameCharacters);
	return `It requires the argument “${shown}”, a name that the provider does not take.`;
}
