import { applyEdits, findNodeAtLocation, type Node } from 'jsonc-parser';
import type { ServerPolicy } from '../../discovery/catalog/policy.ts';
import { serverSections } from '../config.ts';
import { type SalvagedConfig, type ServerEntry, salvage } from '../salvage.ts';
import { configSchema } from '../schema.ts';
import { serverPolicyOf, winningSection } from '../servers/servers.ts';
import { defersAll } from '../settings/discoverySettings.ts';
import { ConfigText } from './configText.ts';
import {
	type Json,
	withItem,
	withoutChildren,
	withoutItems,
	withoutProperty,
	withValue,
} from './jsoncText.ts';
import { ProblemReport } from './problemReport.ts';
import { type ConfigEdits, smallestEdit } from './textEdit.ts';

export function pinServer(text: string, server: string): ConfigEdits {
	return editServer(text, server, ({ policy }) =>
		policy.pinned === true ? [] : [{ kind: 'set', key: ['pinned'], value: true }],
	);
}

/** Defers every tool of a server, even tools that are pinned or set to load individually. */
export function deferServer(text: string, server: string): ConfigEdits {
	return editServer(text, server, ({ entry, policy, deferAll }) => {
		const changes: Change[] = [];
		if (entry.lazy === false) changes.push({ kind: 'set', key: ['lazy'], value: true });
		if (entry.pinned === true) changes.push({ kind: 'set', key: ['pinned'], value: false });
		if (Array.isArray(entry.pinned)) changes.push({ kind: 'remove', key: ['pinned'], item: () => true });
		const isDeferred = deferAll || (entry.defer_loading ?? entry.lazy !== undefined);
		if (!isDeferred) changes.push({ kind: 'set', key: ['defer_loading'], value: true });
		for (const [tool, { deferLoading }] of policy.tools) {
			if (deferLoading === false) changes.push(deferringOf(tool));
		}
		return changes;
	});
}

/** Pins one tool without changing the others. */
export function pinTool(text: string, server: string, tool: string): ConfigEdits {
	return editServer(text, server, ({ policy: { pinned } }) => {
		if (pinned === true || (pinned !== false && pinned.includes(tool))) return [];
		if (pinned === false) return [{ kind: 'set', key: ['pinned'], value: [tool] }];
		return [{ kind: 'add', key: ['pinned'], item: tool }];
	});
}

/**
 * Defers one tool without changing the others. `serverTools`: all tools of the server. If the whole server is pinned, the other tools
 * become its list of pinned tools.
 */
export function deferTool(
	text: string,
	server: string,
	tool: string,
	serverTools: readonly string[],
): ConfigEdits {
	return editServer(text, server, ({ entry, policy, deferAll }) => {
		const changes: Change[] = [];
		if (policy.pinned === true) {
			const others = serverTools.filter((name) => name !== tool);
			// `"lazy": false` pins the whole server, so a list of pinned tools replaces it.
			if (entry.lazy === false) changes.push({ kind: 'unset', key: ['lazy'] });
			changes.push(
				others.length > 0
					? { kind: 'set', key: ['pinned'], value: others }
					: { kind: 'unset', key: ['pinned'] },
			);
		} else if (policy.pinned !== false && policy.pinned.includes(tool)) {
			// Without a list, it would pin the whole server again.
			if (entry.lazy === false && policy.pinned.length === 1) changes.push({ kind: 'unset', key: ['lazy'] });
			changes.push({ kind: 'remove', key: ['pinned'], item: (name) => name === tool });
		}
		const ownDeferral = policy.tools.get(tool)?.deferLoading;
		if (!(ownDeferral ?? (deferAll || policy.deferLoading))) changes.push(deferringOf(tool));
		return changes;
	});
}

/** Disables or enables a server, or one `tool` of it. */
export function setDisabled(
	text: string,
	{ server, tool }: { readonly server: string; readonly tool?: string },
	disabled: boolean,
): ConfigEdits {
	return editServer(text, server, ({ entry, policy }) => {
		if (tool === undefined) {
			const isDisabled = entry.disabled === true;
			return isDisabled === disabled ? [] : [{ kind: 'set', key: ['disabled'], value: disabled }];
		}
		const { enabledTools, tools } = policy;
		const isDisabled =
			tools.get(tool)?.disabled ?? (enabledTools !== undefined && !enabledTools.includes(tool));
		if (isDisabled === disabled) return [];
		return [{ kind: 'set', key: ['tools', tool, 'disabled'], value: disabled }];
	});
}

/** Removes a server with its comments, from every section: another entry of that name would take its place. */
export function removeServer(text: string, server: string): ConfigEdits {
	const textWithout = serverSections.reduce((rest, section) => {
		const { root } = ConfigText.of(rest);
		const property = root && findNodeAtLocation(root, [section, server])?.parent;
		return property?.parent ? withoutChildren(rest, property.parent, (child) => child === property) : rest;
	}, text);
	return textWithout === text ? undefined : smallestEdit(text, textWithout);
}

/** Turns discovery on. If the file has servers but defers none of their tools, all are deferred, or nothing would change. */
export function enableDiscovery(text: string): ConfigEdits {
	const file = openFile(text);
	if (!file) return undefined;
	const switches = [['tool_discovery', 'enabled'], ['tools', 'lazy_mcp'], ['lazy_mcp']];
	// Set every existing switch, so that they do not contradict each other.
	const present = switches.filter((key) => findNodeAtLocation(file.root, key));
	const keys = present.length > 0 ? present : switches.slice(0, 1);
	const deferAll = defersNothing(file.config) ? [['tool_discovery', 'defer_all']] : [];
	return editsFor(
		text,
		[...keys, ...deferAll].map((key): Change => ({ kind: 'set', key, value: true })),
	);
}

function defersNothing(config: SalvagedConfig): boolean {
	const servers = serverSections
		.flatMap((section) => [...(config[section]?.values() ?? [])])
		.map(serverPolicyOf);
	const defers = ({ deferLoading, tools }: ServerPolicy) =>
		deferLoading || [...tools.values()].some((tool) => tool.deferLoading);
	return servers.length > 0 && !defersAll(config) && !servers.some(defers);
}

type Change =
	| { readonly kind: 'set'; readonly key: readonly string[]; readonly value: Json }
	| { readonly kind: 'unset'; readonly key: readonly string[] }
	| { readonly kind: 'add'; readonly key: readonly string[]; readonly item: string }
	/** A list that becomes empty is removed. */
	| { readonly kind: 'remove'; readonly key: readonly string[]; readonly item: (item: unknown) => boolean };

interface WrittenServer {
	readonly entry: ServerEntry;
	readonly policy: ServerPolicy;
	readonly deferAll: boolean;
}

function deferringOf(tool: string): Change {
	return { kind: 'set', key: ['tools', tool, 'defer_loading'], value: true };
}

function editServer(
	text: string,
	server: string,
	plan: (state: WrittenServer) => readonly Change[],
): ConfigEdits {
	const file = openFile(text);
	const section = file && winningSection(file.config, server);
	const entry = section && file.config[section]?.get(server);
	if (!entry) return undefined;
	const deferAll = defersAll(file.config);
	const changes = plan({ entry, policy: serverPolicyOf(entry), deferAll });
	return editsFor(
		text,
		changes.map((change) => ({ ...change, key: [section, server, ...change.key] })),
	);
}

/** Combines several edits, each planned on the result of the previous one; `undefined` if one of them fails. */
export function combinedEdits(text: string, plans: readonly ((text: string) => ConfigEdits)[]): ConfigEdits {
	let after = text;
	for (const plan of plans) {
		const edits = plan(after);
		if (!edits) return undefined;
		after = applyEdits(after, [...edits]);
	}
	return smallestEdit(text, after);
}

/** Applies changes one after another, and returns the one edit with the same result. */
function editsFor(text: string, changes: readonly Change[]): ConfigEdits {
	return smallestEdit(text, changes.reduce(changed, text));
}

function changed(text: string, change: Change): string {
	const { root } = ConfigText.of(text);
	if (!root) return text;
	if (change.kind === 'set') return withValue(text, root, change.key, change.value);
	if (change.kind === 'unset') return withoutProperty(text, root, change.key);
	const list = findNodeAtLocation(root, [...change.key]);
	if (!list) return text;
	if (change.kind === 'add') return withItem(text, root, list, change.item);
	const remainingText = withoutItems(text, list, change.item);
	const isEmpty = list.children?.every(({ value }) => change.item(value));
	const emptied = isEmpty ? ConfigText.of(remainingText).root : undefined;
	return emptied ? withoutProperty(remainingText, emptied, change.key) : remainingText;
}

function openFile(text: string): { root: Node; config: SalvagedConfig } | undefined {
	const { root, value } = ConfigText.of(text);
	const config = root && salvage(configSchema, value, [], new ProblemReport(text, root, []));
	return config && { root, config };
}
