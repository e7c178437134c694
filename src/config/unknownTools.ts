import * as l10n from '@vscode/l10n';
import { isRecord } from '../discovery/record.ts';
import { type ConfigProblem, serverSections } from './config.ts';
import { nodeValue, parseDocument, withoutByteOrderMark } from './document.ts';
import { type Path, quoted } from './place.ts';
import { ProblemReport } from './problemReport.ts';
import { suggestion } from './suggestion.ts';

/** A name in the file that is meant to be one of a server's tools. */
interface NamedTool {
	readonly path: Path;
	readonly part: 'key' | 'value';
	readonly server: string;
	readonly tool: string;
}

/**
 * Warnings for tools that a configuration names and their servers do not have. `toolsOf` gives the names of a server's tools, or
 * none while they are not known: then nothing is said of them.
 */
export function unknownToolProblems(
	text: string,
	toolsOf: (server: string) => readonly string[],
): readonly ConfigProblem[] {
	const shown = withoutByteOrderMark(text);
	const { root } = parseDocument(shown);
	if (!root) return [];
	const report = new ProblemReport(shown, root, []);
	for (const { path, part, server, tool } of namedTools(nodeValue(root))) {
		const names = toolsOf(server);
		if (names.length === 0 || names.includes(tool)) continue;
		const message = () => noToolText(quoted(server), suggestion(tool, names));
		const reason = { kind: 'no-tool', names } as const;
		report.warning(path, message, part === 'key' ? { part, reason } : { reason });
	}
	return report.problems;
}

function noToolText(server: string, meant: string | undefined): string {
	return meant === undefined
		? l10n.t('the server {0} has no tool of this name', server)
		: l10n.t('the server {0} has no tool of this name; did you mean {1}?', server, meant);
}

function* namedTools(file: unknown): Generator<NamedTool> {
	for (const section of serverSections) {
		for (const [server, entry] of entriesAt(file, section)) {
			yield* listed(server, isRecord(entry) ? entry.pinned : undefined, [section, server, 'pinned']);
			for (const [tool] of entriesAt(entry, 'tools')) {
				yield { path: [section, server, 'tools', tool], part: 'key', server, tool };
			}
		}
	}
	for (const [name, toolset] of entriesAt(file, 'tool_sets')) {
		for (const [server, choice] of entriesAt(toolset, 'servers')) {
			const path = ['tool_sets', name, 'servers', server];
			yield* listed(server, choice, path);
			yield* listed(server, isRecord(choice) ? choice.exclude : undefined, [...path, 'exclude']);
		}
	}
}

function* listed(server: string, list: unknown, path: Path): Generator<NamedTool> {
	if (!Array.isArray(list)) return;
	for (const [index, tool] of list.entries()) {
		if (typeof tool === 'string') yield { path: [...path, index], part: 'value', server, tool };
	}
}

function entriesAt(value: unknown, key: string): [string, unknown][] {
	const inner = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	return isRecord(inner) ? Object.entries(inner) : [];
}
