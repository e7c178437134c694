import type { PackedTables } from './thesaurusTables.ts';

/** The tables of the built-in synonyms. The bundler writes them here: to find them out takes ten times as long as to read them. */
export const packedTables: PackedTables | undefined = undefined;
