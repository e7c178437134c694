import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Activation } from '../../discovery/activationSet.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import type { ChatSession, DiscoveryHub } from '../discoveryHub.ts';
import { labelText } from '../labelText.ts';
import type { Unloads } from '../loaded/unloads.ts';
import type { UndoableChange, UndoStack } from '../undo/undoStack.ts';
import { unloadWords } from './placementWords.ts';

/** What tools are loaded and unloaded in. */
export interface LoadingParts {
	readonly hub: DiscoveryHub;
	readonly unloads: Unloads;
}

/** How loading or unloading is taken back: in its own chat, and only while that is the one that views show. */
export type LoadingStep = Omit<UndoableChange, 'what'>;

const messageMs = 5000;
const nameLength = 80;

/** Loads tools for the last used chat; `undefined`: it has them all. */
export function loadTools({ hub }: LoadingParts, wireNames: readonly string[]): LoadingStep | undefined {
	const chat = hub.currentOrNext();
	const { discovery } = chat;
	const before = discovery.activatedByUse;
	const names = wireNames.filter((name) => !isActive(chat, name));
	for (const name of names) loadTool({ hub }, name);
	sayCrowded(names.map((name) => discovery.surface.get(name)).filter((tool) => isLeftOut(chat, tool)));
	if (!names.some((name) => isActive(chat, name))) return undefined;
	const gone = before.filter(({ tool }) => !isActive(chat, tool.wireName));
	sayEvicted(gone.map(({ tool }) => tool));
	return {
		holds: () => hub.current === chat && names.some((name) => isActive(chat, name)),
		undo: () => {
			discovery.unload(discovery.activated.filter(({ wireName }) => names.includes(wireName)));
			for (const { activation } of gone) loadTool({ hub }, activation.wireName, activation);
		},
	};
}

/** Unloads tools from the last used chat; `undefined`: it has loaded none of them. */
export function unloadTools(
	{ hub, unloads }: LoadingParts,
	wireNames: readonly string[],
): LoadingStep | undefined {
	const chat = hub.current;
	if (!chat) return undefined;
	const taken = wireNames
		.map((name) => chat.discovery.surface.get(name))
		.filter((tool) => tool !== undefined)
		.map((tool) => unloads.unload(chat, tool))
		.filter((activation) => activation !== undefined);
	return taken.length === 0 ? undefined : unloadingStep({ hub, unloads }, chat, taken);
}

/** How the taking of tools out of a chat is taken back. */
function unloadingStep(
	{ hub, unloads }: LoadingParts,
	chat: ChatSession,
	taken: readonly Activation[],
): LoadingStep {
	const pending = () => taken.filter((activation) => unloads.isPending(chat, activation));
	return {
		holds: () => hub.current === chat && pending().length > 0,
		undo: () => {
			for (const activation of pending()) loadTool({ hub }, activation.wireName, activation);
		},
	};
}

/** Makes what a chat's own command has just taken out of it a step that can be undone, as if a view had done it. */
export function rememberUnloaded(
	parts: LoadingParts & { readonly undo: UndoStack },
	chat: ChatSession,
	taken: readonly Activation[],
): void {
	if (taken.length === 0) return;
	parts.unloads.remember(chat, taken);
	const { surface } = chat.discovery;
	const what = unloadWords(taken.map(({ wireName }) => surface.get(wireName)?.id ?? wireName));
	parts.undo.push({ what, ...unloadingStep(parts, chat, taken) });
}

/** Loads what was unloaded last, for the reason it was loaded for. */
export function undoUnload({ hub, unloads }: LoadingParts): void {
	const unload = hub.current && unloads.last(hub.current);
	if (!unload) throw new Error(l10n.t('nothing to undo: no tool was unloaded from the last used chat.'));
	sayEvicted(loadTool({ hub }, unload.tool.wireName, unload.activation));
}

/** Loads one tool, and returns what made room for it. `why`: what is to be said of why, where the user has not just asked for it. */
function loadTool(
	{ hub }: Pick<LoadingParts, 'hub'>,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): readonly CatalogTool[] {
	const { discovery } = hub.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return [];
	const before = discovery.activated;
	discovery.load([tool], why.reason, why.words);
	if (!discovery.loadedTools.includes(tool)) {
		// The last turn fills the set. For what a person asks for by hand, as with `/load`, what others loaded may make room.
		discovery.beginByHand();
		discovery.load([tool], why.reason, why.words);
	}
	return before.filter((other) => !discovery.loadedTools.includes(other));
}

function isActive({ discovery }: ChatSession, wireName: string): boolean {
	return discovery.activated.some((tool) => tool.wireName === wireName);
}

/** Whether a tool could have been loaded and is not, because requests have no room for it. */
function isLeftOut({ discovery }: ChatSession, tool: CatalogTool | undefined): tool is CatalogTool {
	return tool !== undefined && !discovery.loadedTools.includes(tool);
}

function sayCrowded(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id, nameLength)).join(', ');
	const message = l10n.t('Discovery: no room for {0}. Unload others, or defer what is always loaded.', names);
	vscode.window.setStatusBarMessage(message, messageMs);
}

function sayEvicted(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id, nameLength)).join(', ');
	vscode.window.setStatusBarMessage(l10n.t('Discovery: unloaded {0} to make room.', names), messageMs);
}
