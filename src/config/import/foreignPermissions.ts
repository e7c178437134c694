import { isRecord, type JsonRecord } from '../../common/json.ts';
import { readDocument } from '../file/document.ts';

/** What another program lets a tool do: run without asking, or never. `tool`: as the server calls it; `*`: all tools. */
export interface ForeignDecision {
	readonly decision: 'allow' | 'never';
	readonly tool: string;
}

/** Lists in a server's entry: the first in Roo Code, the second in Cline and Kiro. */
export const listKeys = ['alwaysAllow', 'autoApprove'];

/** Most decisions read for one server, and the longest tool name. */
const mostDecisions = 500;
const nameCharacters = 1_000;

/** Reads an entry's lists; only names count. */
export function decisionsOf(entry: JsonRecord): readonly ForeignDecision[] {
	const names = listKeys.flatMap((key) => (Array.isArray(entry[key]) ? entry[key] : []));
	return [...new Set(names.filter(isName))]
		.slice(0, mostDecisions)
		.map((tool) => ({ decision: 'allow', tool }));
}

/**
 * What Claude Code's settings say about one server: `mcp__server` and `mcp__server__*` mean all of its tools, `mcp__server__tool` one.
 * Other patterns, and rules with parentheses, name no tool. A denial in one file wins over a permission in another.
 */
export function claudeDecisions(texts: readonly string[], server: string): readonly ForeignDecision[] {
	const permissions = texts
		.map((text) => readDocument(text).value)
		.map((settings) => (isRecord(settings) ? settings.permissions : undefined))
		.filter(isRecord);
	const prefix = `mcp__${server.replace(/[^\w-]/g, '_')}`;
	const toolsIn = (list: unknown) =>
		(Array.isArray(list) ? list : []).flatMap((rule) => toolOf(rule, prefix)).filter(isName);
	const denied = new Set(permissions.flatMap(({ deny }) => toolsIn(deny)));
	// If the whole server is denied, there is nothing to decide per tool.
	if (denied.has('*')) return [];
	const allowed = new Set(permissions.flatMap(({ allow }) => toolsIn(allow)));
	const decided: ForeignDecision[] = [
		...[...denied].map((tool) => ({ decision: 'never', tool }) as const),
		...[...allowed].filter((tool) => !denied.has(tool)).map((tool) => ({ decision: 'allow', tool }) as const),
	];
	return decided.slice(0, mostDecisions);
}

function toolOf(rule: unknown, prefix: string): readonly string[] {
	if (typeof rule !== 'string') return [];
	if (rule === prefix) return ['*'];
	const tool = rule.startsWith(`${prefix}__`) ? rule.slice(prefix.length + 2) : '';
	return tool === '*' || !/[*()]/.test(tool) ? [tool] : [];
}

function isName(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= nameCharacters;
}
