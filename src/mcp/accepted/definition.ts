import { createHash } from 'node:crypto';
import { writtenOut } from '../../common/exactText.ts';
import { stableJson } from '../../common/json.ts';
import type { WaitingTool } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';

const hashes = new WeakMap<Tool, string>();

/**
 * All that a server says of a tool, as JSON with sorted keys: what a model, a search or a confirmation ever shows of it comes from here.
 * Whatever a tool will have besides is part of it; what the configuration adds, or a model wrote for the search, is not.
 */
export function definitionText({ server: _, searchHint: __, expansion: ___, ...definition }: Tool): string {
	return stableJson(definition);
}

/**
 * By what a definition is told from any other, whatever the order of its keys: a SHA-256 in base64. Made once for each object. `text`: its
 * {@link definitionText}, where that is at hand.
 */
export function definitionHash(tool: Tool, text?: string): string {
	let hash = hashes.get(tool);
	if (hash === undefined) {
		hash = sha256(text ?? definitionText(tool));
		hashes.set(tool, hash);
	}
	return hash;
}

/** A definition of {@link definitionText} to be read and compared, line by line; what is invisible in it is written as an escape. */
export function readableDefinition(text: string): string {
	const pretty = JSON.stringify(JSON.parse(text), undefined, 2);
	return `${writtenOut(pretty)}\n`;
}

/** 43 characters. */
export function sha256(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}

/** What was accepted of one tool. */
export interface AcceptedTool {
	/** See `definitionHash`. */
	readonly hash: string;
	/** See `definitionText`; absent where it was too large to be kept. */
	readonly text?: string;
}

/** A tool that is not to be used until the user accepts it as it is now. */
export interface QuarantinedTool {
	/** As the server lists it now. */
	readonly tool: Tool;
	/** `unknown`: nobody can tell what was accepted, as it could not be read or there was no room to keep it. */
	readonly why: 'changed' | 'unknown';
	/** The definition as it was accepted (`definitionText`), where it is known. */
	readonly accepted?: string;
}

/** A quarantined tool for the catalog. Where what was accepted was too large to be kept, its name is what is known of it. */
export function waitingTool({ tool, why, accepted = '{"inputSchema":{}}' }: QuarantinedTool): WaitingTool {
	const { server, name } = tool;
	return why === 'unknown' ? tool : { ...tool, accepted: { ...JSON.parse(accepted), server, name } };
}

/** A server's tools by what may be done with them. */
export interface Screening {
	/** Those that may be used, as listed. */
	readonly usable: readonly Tool[];
	readonly held: readonly QuarantinedTool[];
	/** Those of {@link usable} that have no pin yet: what they are now is what they have to stay. */
	readonly fresh: readonly Tool[];
}

/**
 * Tells which of a server's tools are as they were accepted. A tool that was never seen may be used at once: who has approved a server
 * has approved that it offers tools, and a new one changes nothing of what was accepted; to ask for each would teach to accept unread.
 * `room`: how many new ones are taken; the rest are held.
 */
export function screen(
	tools: readonly Tool[],
	pinOf: (tool: Tool) => AcceptedTool | undefined,
	room: number,
): Screening {
	const usable: Tool[] = [];
	const held: QuarantinedTool[] = [];
	const fresh: Tool[] = [];
	for (const tool of tools) {
		const pin = pinOf(tool);
		if (pin && pin.hash !== definitionHash(tool)) held.push(changed(tool, pin));
		else if (!pin && fresh.length >= room) held.push({ tool, why: 'unknown' });
		else {
			usable.push(tool);
			if (!pin) fresh.push(tool);
		}
	}
	return { usable, held, fresh };
}

/** Whether the same tools are held for the same. */
export function quarantinesSame(a: Screening | undefined, b: Screening | undefined): boolean {
	return a === b || signature(a) === signature(b);
}

function changed(tool: Tool, { text }: AcceptedTool): QuarantinedTool {
	return { tool, why: 'changed', ...(text !== undefined && { accepted: text }) };
}

function signature(screening: Screening | undefined): string {
	return JSON.stringify(screening?.held.map(({ tool, why }) => [tool.name, why, definitionHash(tool)]) ?? []);
}

/** By what a pin is found: a name may be of any length, and anything. */
export function nameHash({ name }: Pick<Tool, 'name'>): string {
	return sha256(name);
}

/** Pins tools as they are. Their definitions are kept as well, as far as there is room, so that a change can be shown. */
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
