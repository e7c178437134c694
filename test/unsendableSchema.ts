import type { JsonSchema } from '../src/common/jsonSchema.ts';

/** A schema that no provider is sent: it is too large. */
export const unsendableSchema: JsonSchema = {
	type: 'object',
	properties: Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`property_${i}`, {}])),
};
