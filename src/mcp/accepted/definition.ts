import { sha256 } from '../../common/digest.ts';
import { writtenOut } from '../../common/exactText.ts';
import { stableJson } from '../../common/json.ts';
import type { WaitingTool } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';

const hashes = new WeakMap<Tool, string>();

/**
 * Everything that a server says about a tool, as JSON with sorted keys: whatever a model, search or a confirmation shows of it. Future
 * members are included automatically. What the configuration adds, or a model wrote for search, is not.
 */
export function definitionText({ server, searchHint, expansion, alwaysLoad, ...definition }: Tool): string {
	return stableJson(definition);
}

/**
 * Identifies a definition, regardless of the order of its keys: a SHA-256 in base64, cached per object. `text`: its {@link definitionText},
 * if known.
 */
export function definitionHash(tool: Tool, text?: string): string {
	let hash = hashes.get(tool);
	if (hash === undefined) {
		hash = sha256(text ?? definitionText(tool));
		hashes.set(tool, hash);
	}
	return hash;
}

/** A {@link definitionText} for people, line by line. Invisible characters are written as escapes. */
export function readableDefinition(text: string): string {
	const pretty = JSON.stringify(JSON.parse(text), undefined, 2);
	return `${writtenOut(pretty)}\n`;
}

export interface AcceptedTool {
	readonly hash: string;
	/** See `definitionText`; absent if it was too large to keep. */
	readonly text?: string | undefined;
}

/** A tool that must not be used until the user accepts its present definition. */
export interface QuarantinedTool {
	/** As the server lists it now. */
	readonly tool: Tool;
	/** `unknown`: what was accepted was lost, or there was no room to keep it. `unread`: it cannot be read now. */
	readonly why: 'changed' | 'unknown' | 'unread';
	/** The accepted definition (`definitionText`), if known. */
	readonly accepted?: string;
}

/** A quarantined tool for the catalog. If the accepted definition was too large to keep, only its name is known. */
export function waitingTool({ tool, why, accepted = '{"inputSchema":{}}' }: QuarantinedTool): WaitingTool {
	const { server, name } = tool;
	return why !== 'changed' ? tool : { ...tool, accepted: { ...JSON.parse(accepted), server, name } };
}

export interface Screening {
	/** As listed. */
	readonly usable: readonly Tool[];
	readonly quarantined: readonly QuarantinedTool[];
	/** Usable tools without a pin. They are pinned as they are now. */
	readonly fresh: readonly Tool[];
}

/**
 * Sorts a server's tools by whether they are as accepted. New tools may be used at once: approving a server means approving that it offers
 * tools, and asking about each one would teach people to accept without reading. `room`: how many new ones are taken; the rest are
 * quarantined. `isKnown`: whether it is known what was accepted.
 */
export function screen(
	tools: readonly Tool[],
	pinOf: (tool: Tool) => AcceptedTool | undefined,
	{ room, isKnown }: { readonly room: number; readonly isKnown: boolean },
): Screening {
	const usable: Tool[] = [];
	const quarantined: QuarantinedTool[] = [];
	const fresh: Tool[] = [];
	for (const tool of tools) {
		const pin = pinOf(tool);
		if (pin && pin.hash !== definitionHash(tool)) quarantined.push(changed(tool, pin));
		else if (!pin && fresh.length >= room) quarantined.push({ tool, why: isKnown ? 'unknown' : 'unread' });
		else {
			usable.push(tool);
			if (!pin) fresh.push(tool);
		}
	}
	return { usable, quarantined, fresh };
}

function changed(tool: Tool, { text }: AcceptedTool): QuarantinedTool {
	return { tool, why: 'changed', ...(text !== undefined && { accepted: text }) };
}

/** Names are hashed because they can be of any length. */
export function nameHash({ name }: Pick<Tool, 'name'>): string {
	return sha256(name);
}

/** Pins tools as they are now. Definitions are kept while there is room, so that a change can be shown. */
export function acceptTools(
	pins: Map<string, AcceptedTool>,
	tools: readonly Tool[],
	limits: AcceptanceLimits,
): void {
	for (const tool of tools) pins.delete(nameHash(tool));
	let room = limits.definitionsPerServer;
	for (const { text = '' } of pins.values()) room -= text.length;
	for (const tool of tools) {
		const text = definitionText(tool);
		const fits = text.length <= Math.min(limits.definition, room);
		if (fits) room -= text.length;
		pins.set(nameHash(tool), { hash: definitionHash(tool, text), ...(fits && { text }) });
	}
}
