import { isRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { weakMemo } from '../../common/memo.ts';
import { cleanText, visible } from '../../common/text.ts';
import type { Tool } from './tool.ts';

/** Keywords with explanatory text. All other texts are names and values, which a call must repeat exactly. */
const prose: readonly string[] = ['description', 'title', '$comment'];

/** Nesting levels that are read. Servers do not nest deeper, and nothing deeper can be sent. */
const deepest = 500;

/** A server's schema without invisible characters. Explanations are cleaned like {@link cleanText}. Returns the same object if nothing changes. */
export const cleanSchema = weakMemo((schema: JsonSchema): JsonSchema => {
	const clean = cleanValue(schema, deepest);
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
	look(value, deepest, found);
	return merged(found);
}

/** All texts and names in a value at any depth, without invisible characters. */
export function textsIn(value: unknown): readonly string[] {
	const texts: string[] = [];
	const collect = (one: unknown, levels: number): void => {
		if (typeof one === 'string') texts.push(visible(one));
		else if (levels > 0 && typeof one === 'object' && one !== null)
			for (const [key, inner] of Object.entries(one)) {
				if (!Array.isArray(one)) texts.push(visible(key));
				collect(inner, levels - 1);
			}
	};
	collect(value, deepest);
	return texts;
}

function merged(alterations: Iterable<Alteration>): readonly Alteration[] {
	return [...new Set(alterations)].sort();
}

function look(value: unknown, levels: number, found: Set<Alteration>): void {
	if (typeof value === 'string') {
		const seen = visible(value);
		if (seen !== value) found.add('hidden');
		if (cleanText(seen) !== seen) found.add('framing');
	} else if (levels === 0) return;
	else if (Array.isArray(value)) for (const item of value) look(item, levels - 1, found);
	else if (isRecord(value)) {
		for (const [key, inner] of Object.entries(value)) {
			look(key, 1, found);
			look(inner, levels - 1, found);
		}
	}
}
