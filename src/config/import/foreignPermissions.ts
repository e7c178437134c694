import { isRecord, type JsonRecord } from '../../common/json.ts';
import { readDocument } from '../file/document.ts';

/** What another program lets a tool do: run without a question, or never. `tool`: as the server calls it; `*`: all of them. */
export interface ForeignDecision {
	readonly decision: 'allow' | 'never';
	readonly tool: string;
}

/** Lists of a server's entry: Roo Code has the first, Cline and Kiro the second. */
export const listKeys = ['alwaysAllow', 'autoApprove'];

/** Decisions of one server that are read, and characters of a tool's name; more is no list that somebody has made. */
const mostDecisions = 500;
const nameCharacters = 1_000;

/** What a server's entry says. Nothing else than names counts. */
export function decisionsOf(entry: JsonRecord): readonly ForeignDecision[] {
	const names = listKeys.flatMap((key) => (Array.isArray(entry[key]) ? entry[key] : []));
	return [...new Set(names.filter(isName))]
		.slice(0, mostDecisions)
		.map((tool) => ({ decision: 'allow', tool }));
}

/**
 * What settings of Claude Code say of one server: `mcp__server` and `mcp__server__*` are for all of its tools, `mcp__server__tool` for one.
 * Other patterns, and rules with parentheses, name no tool. What is denied in one file counts before what another allows.
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
	// Of a server that is denied as a whole there is nothing to decide tool by tool.
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
