import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf } from '../common/json.ts';
import { serverSections } from './config.ts';
import { ConfigText } from './file/configText.ts';
import { type Path, quoted } from './file/jsonPath.ts';
import { type ConfigProblem, ProblemReport } from './file/problemReport.ts';
import { suggestedName, withSuggestion } from './problemText.ts';
import { variablesIn } from './secrets/environmentNames.ts';

/** Environment variables that the servers of a configuration read, each once; empty if it cannot be read. */
export function serverVariables(text: string): readonly string[] {
	const { value } = ConfigText.of(text);
	return isRecord(value) ? variablesIn(serverSections.map((section) => value[section])) : [];
}

/** Servers of a configuration that read an environment variable; empty if it cannot be read. */
export function serversReading(text: string, variable: string): readonly string[] {
	const { value } = ConfigText.of(text);
	const readers = serverSections
		.flatMap((section) => entriesAt(value, section))
		.filter(([, entry]) => variablesIn(entry).includes(variable));
	return [...new Set(readers.map(([name]) => name))];
}

/** A name in the file that should be one of a server's tools. */
interface NamedTool {
	readonly path: Path;
	readonly part: 'key' | 'value';
	readonly server: string;
	readonly tool: string;
}

/**
 * Warnings for tools that the configuration names and their servers do not have. `toolsOf`: the names of a server's tools; `undefined`
 * while they are unknown.
 */
export function unknownToolProblems(
	text: string,
	toolsOf: (server: string) => readonly string[],
): readonly ConfigProblem[] {
	const { text: content, root, value } = ConfigText.of(text);
	const report = new ProblemReport(content, root, []);
	for (const { path, part, server, tool } of namedTools(value)) {
		const names = toolsOf(server);
		if (names.length === 0 || names.includes(tool)) continue;
		const message = () => {
			const missing = l10n.t('the server {0} has no tool with this name', quoted(server));
			return withSuggestion(missing, suggestedName(tool, names));
		};
		report.warning(path, message, part);
	}
	return report.problems;
}

function* namedTools(file: unknown): Generator<NamedTool> {
	for (const section of serverSections) {
		for (const [server, entry] of entriesAt(file, section)) {
			yield* toolsInList(server, isRecord(entry) ? entry.pinned : undefined, [section, server, 'pinned']);
			for (const [tool] of entriesAt(entry, 'tools')) {
				yield { path: [section, server, 'tools', tool], part: 'key', server, tool };
			}
		}
	}
	for (const [name, toolset] of entriesAt(file, 'tool_sets')) {
		for (const [server, choice] of entriesAt(toolset, 'servers')) {
			const path = ['tool_sets', name, 'servers', server];
			yield* toolsInList(server, choice, path);
			yield* toolsInList(server, isRecord(choice) ? choice.exclude : undefined, [...path, 'exclude']);
		}
	}
}

function* toolsInList(server: string, list: unknown, path: Path): Generator<NamedTool> {
	if (!Array.isArray(list)) return;
	for (const [index, tool] of list.entries()) {
		if (typeof tool === 'string') yield { path: [...path, index], part: 'value', server, tool };
	}
}

function entriesAt(value: unknown, key: string): [string, unknown][] {
	return Object.entries(objectAt(value, key));
}

/** The object under a key; an empty one if there is none. */
function objectAt(value: unknown, key: string): JsonRecord {
	return recordOf(isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined);
}
