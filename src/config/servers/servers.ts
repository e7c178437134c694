import * as l10n from '@vscode/l10n';
import { defined } from '../../common/json.ts';
import type { ServerPolicy, ToolPolicy } from '../../discovery/catalog/policy.ts';
import { isServerSection, serverSections } from '../config.ts';
import { legibleName, serverNameFault } from '../file/entryNames.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import type { SalvagedConfig, ServerEntry } from '../salvage.ts';
import { serverSchema } from '../schema.ts';
import type { VariableScope } from '../secrets/variables.ts';
import type { ServerLaunch } from './launch.ts';
import { readRemoteLaunch, readStdioLaunch, warnOfSecrets } from './readLaunch.ts';

/** Keys that say when a server's tools load. A fault in one of them does not prevent the server from starting. */
const policyKeys = ['defer_loading', 'lazy', 'pinned', 'search_hint', 'tools'];

/** The section whose entry with this name counts. */
export function winningSection(
	config: SalvagedConfig,
	server: string,
): (typeof serverSections)[number] | undefined {
	return serverSections.find((section) => config[section]?.has(server));
}

/**
 * An entry's deferral policy with aliases resolved: `lazy: true` is `defer_loading: true` and `lazy: false` is `pinned: true`, each unless
 * the canonical key is set. A tool's `deferred` is its `defer_loading`.
 */
export function serverPolicyOf(entry: ServerEntry): ServerPolicy {
	const tools = [...(entry.tools ?? [])].map(([name, tool]): [string, ToolPolicy] => {
		const { disabled, search_hint: searchHint } = tool;
		const deferLoading = tool.defer_loading ?? tool.deferred;
		return [name, defined({ disabled, deferLoading, searchHint })];
	});
	const { search_hint: searchHint, disabled, enabled_tools: enabledTools } = entry;
	return {
		deferLoading: entry.defer_loading ?? entry.lazy ?? false,
		pinned: entry.pinned ?? entry.lazy === false,
		tools: new Map(tools),
		...defined({ searchHint, disabled, enabledTools }),
	};
}

/** A tool whose `disabled` has a fault is disabled: its author did not want it to be called. */
function withUnclearDisabled(policy: ServerPolicy, path: Path, report: ProblemReport): ServerPolicy {
	const tools = [...policy.tools].map(([name, tool]): [string, ToolPolicy] =>
		report.hasErrorAt([...path, 'tools', name, 'disabled'])
			? [name, { ...tool, disabled: true }]
			: [name, tool],
	);
	return { ...policy, tools: new Map(tools) };
}

export interface Servers {
	/** Every server with a valid name, even if it cannot start: its tools may be known from earlier. */
	readonly policies: ReadonlyMap<string, ServerPolicy>;
	/** Those that can start. */
	readonly launches: ReadonlyMap<string, ServerLaunch>;
}

/** Merges the sections of servers and reads each entry separately. */
export function readServers(config: SalvagedConfig, scope: VariableScope, report: ProblemReport): Servers {
	const policies = new Map<string, ServerPolicy>();
	const launches = new Map<string, ServerLaunch>();
	const legible = new Map<string, string>();
	for (const { section, name, entry } of mergedEntries(config, report)) {
		const path = [section, name] as const;
		const fault = serverNameFault(name);
		if (fault) {
			report.error(path, fault, 'key');
			continue;
		}
		checkSimilarity(name, path, legible, report);
		checkAliases(entry, path, report);
		policies.set(name, withUnclearDisabled(serverPolicyOf(entry), path, report));
		const launch = readLaunch(entry, path, scope, report);
		if (launch && !report.hasErrorAt(path, policyKeys)) launches.set(name, launch);
	}
	return { policies, launches };
}

const keysBesideAddress = Object.keys(serverSchema.shape).filter((key) => key !== 'command' && key !== 'url');

type Section = (typeof serverSections)[number];

/** In the order of the file, each name once. */
function mergedEntries(
	config: SalvagedConfig,
	report: ProblemReport,
): { section: Section; name: string; entry: ServerEntry }[] {
	const inFileOrder = Object.keys(config).filter(isServerSection);
	return inFileOrder.flatMap((section) =>
		[...(config[section] ?? [])].flatMap(([name, entry]) => {
			const winner = winningSection(config, name);
			if (winner === section) return [{ section, name, entry }];
			const message = l10n.t('also in {0}, which takes precedence; this entry is ignored', winner ?? '');
			report.warning([section, name], message, 'key');
			return [];
		}),
	);
}

function readLaunch(
	entry: ServerEntry,
	path: readonly [string, string],
	scope: VariableScope,
	report: ProblemReport,
): ServerLaunch | undefined {
	const { command, url } = entry;
	if (command !== undefined && url !== undefined) {
		warnOfSecrets(entry, path, report);
		report.error(path, l10n.t('has both "command" and "url"; remove one'), 'key');
		return undefined;
	}
	if (command !== undefined) {
		checkKind(entry, path, 'command', ['transport', 'headers', 'oauth'], report);
		return readStdioLaunch({ ...entry, command }, path, scope, report);
	}
	if (url !== undefined) {
		checkKind(entry, path, 'url', ['args', 'env', 'inherit_env', 'cwd'], report);
		return readRemoteLaunch({ ...entry, url }, path, scope, report);
	}
	// Nothing is started, but the key is in the file all the same.
	warnOfSecrets(entry, path, report);
	// A `command` or `url` of the wrong type has been reported, and is not missing.
	if (!report.hasErrorAt(path, keysBesideAddress)) {
		report.error(path, l10n.t('needs "command" to start a process, or "url" of a remote server'), 'key');
	}
	return undefined;
}

function checkKind(
	entry: ServerEntry,
	path: Path,
	kind: 'command' | 'url',
	useless: readonly (keyof ServerEntry)[],
	report: ProblemReport,
): void {
	for (const key of useless) {
		if (entry[key] !== undefined)
			report.warning([...path, key], l10n.t('has no effect together with {0}', `"${kind}"`), 'key');
	}
	if (entry.type !== undefined && (entry.type === 'stdio') !== (kind === 'command')) {
		report.warning([...path, 'type'], l10n.t('contradicts "{0}", which takes precedence', kind));
	}
}

function checkAliases(entry: ServerEntry, path: Path, report: ProblemReport): void {
	const { lazy, pinned, defer_loading: deferLoading } = entry;
	const overruled =
		(lazy === false && pinned !== undefined && pinned !== true && '"pinned"') ||
		(lazy === true && deferLoading === false && '"defer_loading"');
	if (overruled)
		report.warning(
			[...path, 'lazy'],
			l10n.t('has no effect together with {0}, which takes precedence', overruled),
		);
}

/** Equal wire names are distinguished by a hash, but a model that sees both cannot know which to choose. */
function checkSimilarity(
	name: string,
	path: Path,
	earlier: Map<string, string>,
	report: ProblemReport,
): void {
	const legible = legibleName(name);
	const twin = earlier.get(legible);
	if (twin === undefined) earlier.set(legible, name);
	else {
		const message = l10n.t('a model can barely tell this from {0}', quoted(twin));
		report.warning(path, message, 'key');
	}
}
