import { isRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { weakMemo } from '../../common/memo.ts';
import { cleanText, visible } from '../../common/text.ts';
import type { Tool } from './tool.ts';

/** Keywords with explanatory text. All other texts are names and values, which a call must repeat exactly. */
const prose: readonly string[] = ['description', 'title', '$comment'];

/** Nesting levels that are read. Servers do not nest deeper, and nothing deeper can be sent. */
const maxDepth = 500;

/** A server's schema without invisible characters. Explanations are cleaned like {@link cleanText}. Returns the same object if nothing changes. */
export const cleanSchema = weakMemo((schema: JsonSchema): JsonSchema => {
	const clean = cleanValue(schema, maxDepth);
	return isRecord(clean) ? clean : schema;
});

/** Returns the same value if nothing changes. */
function cleanValue(value: unknown, levels: number): unknown {
	if (typeof value === 'string') return visible(value);
	if (levels === 0) return value;
	if (Array.isArray(value)) {
		const items = value.map((item) => cleanValue(item, levels - 1));
		return items.some((item, i) => item !== value[i]) ? items : value;
	}
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	const clean = entries.map(([key, inner]): [string, unknown] => [
		visible(key),
		typeof inner === 'string' && prose.includes(key) ? cleanText(inner) : cleanValue(inner, levels - 1),
	]);
	const isSame = clean.every(([key, inner], i) => key === entries[i]?.[0] && inner === entries[i]?.[1]);
	return isSame ? value : Object.fromEntries(clean);
}

/**
 * What was removed from a server's text. `hidden`: characters that are invisible to people but read by models. `framing`: tags that could end the part
 * of the prompt that holds the text.
 */
export type Alteration = 'hidden' | 'framing';

interface ServerTexts {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
}

/** What is removed from a tool's names and texts, including its schema's; usually nothing. */
export const alterationsOfTool = weakMemo((tool: Tool): readonly Alteration[] => {
	const { name, title, description, annotations, inputSchema } = tool;
	const inTexts = alterationsOf([name, title, description, annotations?.title]);
	return merged([...alterationsOfSchema(inputSchema), ...inTexts]);
});

/** Cached by schema: every catalog holds the same object for it. */
const alterationsOfSchema = weakMemo((schema: JsonSchema) => alterationsOf(schema));

/** The same for a server's own texts. */
export function alterationsOfServer({
	name,
	title,
	description,
	instructions,
}: ServerTexts): readonly Alteration[] {
	return alterationsOf([name, title, description, instructions]);
}

function alterationsOf(value: unknown): readonly Alteration[] {
	const found = new Set<Alteration>();
	for (const text of textsOf(value)) {
		const visibleText = visible(text);
		if (visibleText !== text) found.add('hidden');
		if (cleanText(visibleText) !== visibleText) found.add('framing');
	}
	return merged(found);
}

/** All texts and names in a value at any depth, without invisible characters. */
export function textsIn(value: unknown): readonly string[] {
	return textsOf(value).map(visible);
}

function textsOf(value: unknown, levels = maxDepth, texts: string[] = []): readonly string[] {
	if (typeof value === 'string') texts.push(value);
	else if (levels > 0 && typeof value === 'object' && value !== null)
		for (const [key, inner] of Object.entries(value)) {
			if (!Array.isArray(value)) texts.push(key);
			textsOf(inner, levels - 1, texts);
		}
	return texts;
}

function merged(alterations: Iterable<Alteration>): readonly Alteration[] {
	return [...new Set(alterations)].sort();
}
