import * as vscode from 'vscode';
import type { Activation } from '../../discovery/activationSet.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { labelText } from '../labelText.ts';
import type { Unloads } from '../loaded/unloads.ts';

/** What tools are loaded and unloaded in. */
export interface LoadingParts {
	readonly hub: DiscoveryHub;
	readonly unloads: Unloads;
}

const messageMs = 5000;
const nameLength = 80;

/**
 * Loads a tool for the last used chat. `why`: what is to be said of why it is loaded, where that is not that the user has just asked
 * for it.
 */
export function loadTool(
	{ hub }: Pick<LoadingParts, 'hub'>,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): void {
	const { discovery } = hub.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return;
	const before = discovery.activated;
	discovery.load([tool], why.reason, why.words);
	if (!discovery.loadedTools.includes(tool)) {
		// The last turn fills the set. What a person asks for by hand is a turn of its own, as `/load` is: what others loaded may make room.
		discovery.beginTurn();
		discovery.load([tool], why.reason, why.words);
	}
	const gone = before.filter((other) => !discovery.loadedTools.includes(other));
	if (gone.length === 0) return;
	const names = gone.map(({ id }) => labelText(id, nameLength)).join(', ');
	vscode.window.setStatusBarMessage(`Discovery: unloaded ${names} to make room.`, messageMs);
}

/** Unloads a tool from the last used chat; that can be undone. */
export function unloadTool({ hub, unloads }: LoadingParts, wireName: string): void {
	const tool = hub.current?.discovery.surface.get(wireName);
	if (hub.current && tool) unloads.unload(hub.current, tool);
}

/** Loads what was unloaded last, for the reason it was loaded for. */
export function undoUnload(parts: LoadingParts): void {
	const { hub, unloads } = parts;
	const unload = hub.current && unloads.last(hub.current);
	if (!unload) throw new Error('nothing to undo: no tool was unloaded from the last used chat.');
	loadTool(parts, unload.tool.wireName, unload.activation);
}
