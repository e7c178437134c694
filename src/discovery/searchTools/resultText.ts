import { cleanText, cut, oneLine } from '../text.ts';
import type { JsonSchema } from '../tool.ts';
import type { MissingName } from './findTools.ts';
import type { OutcomeHit, SearchOutcome } from './outcome.ts';

/** Characters of a description in a result; the whole of it is in the schema that has been loaded. */
const descriptionLimit = 300;

/** What the model reads of a search. */
export function searchResultText(outcome: SearchOutcome): string {
	if (!outcome.ok) return `Error: ${outcome.message}`;
	const shown = outcome.hits.filter((hit) => hit.state !== 'refused');
	const refused = outcome.hits.filter((hit) => hit.state === 'refused').map((hit) => hit.tool.id);
	const parts = [
		...(shown.length > 0 ? [`Found ${shown.length} tools:`, ...shown.map(entry)] : nothingFound(outcome)),
		...outcome.missing.map(missingLine),
	];
	if (outcome.more > 0)
		parts.push(`${outcome.more} more tools match less well; say more of what you need to find them.`);
	if (refused.length > 0)
		parts.push(`Not loaded, because no more tools can be loaded in this turn: ${refused.join(', ')}`);
	if (outcome.evicted.length > 0) parts.push(`Unloaded to make room: ${outcome.evicted.join(', ')}`);
	if (shown.length > 0) parts.push('These tools are now loaded and available to call.');
	return parts.join('\n\n');
}

/** `a (string, required), b (string)`: the parameters of a tool as its schema names them. */
export function parameterList(schema: JsonSchema): string {
	const properties = isRecord(schema.properties) ? schema.properties : {};
	const required = Array.isArray(schema.required) ? schema.required : [];
	const listed = Object.entries(properties).map(([name, property]) => {
		const type = typeName(property);
		return `${oneLine(name, 80)} (${required.includes(name) ? `${type}, required` : type})`;
	});
	return listed.join(', ') || 'none';
}

function entry({ tool, state }: OutcomeHit): string {
	const mark = state === 'already-loaded' ? ' [Already loaded]' : '';
	const description = cut(cleanText(tool.description ?? tool.title ?? '').trim(), descriptionLimit);
	const lines = description.split('\n').filter((line) => line.trim());
	return [
		`- ${oneLine(tool.id)} (${tool.wireName})${mark}`,
		...lines.map((line) => `  ${line.trim()}`),
		`  Parameters: ${parameterList(tool.inputSchema)}`,
	].join('\n');
}

function nothingFound(outcome: SearchOutcome & { ok: true }): string[] {
	return [
		`No tools found matching '${outcome.query}'.`,
		'No matching tools found; try a different query, a server_name or exact tool_names.',
	];
}

function missingLine({ name, why, candidates }: MissingName): string {
	const ids = candidates.map((tool) => tool.id).join(', ');
	switch (why) {
		case 'unknown':
			return `Unknown tool '${oneLine(name, 100)}'.${ids ? ` Closest names: ${ids}` : ''}`;
		case 'ambiguous':
			return `More than one tool is called '${oneLine(name, 100)}': ${ids}. Give the full name of one.`;
		case 'other-server':
			return `Tool '${oneLine(name, 100)}' is not on that server; it is ${ids}.`;
	}
}

function typeName(schema: unknown): string {
	if (!isRecord(schema)) return 'any';
	const { type, items, anyOf, oneOf, enum: values } = schema as Record<string, unknown>;
	if (type === 'array') return isRecord(items) ? `${typeName(items)}[]` : 'array';
	if (typeof type === 'string') return oneLine(type, 40);
	if (Array.isArray(type)) return type.filter((one) => typeof one === 'string').join(' | ') || 'any';
	const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
	if (alternatives.length > 0) {
		return [
			...new Set(alternatives.slice(0, 8).map((one) => (isRecord(one) && one.anyOf ? 'any' : typeName(one)))),
		].join(' | ');
	}
	return Array.isArray(values) ? 'string' : 'any';
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
