import type { Tool } from '../../discovery/tool.ts';
import { definitionHash } from './definition.ts';

/** What was accepted of one tool. */
export interface Pin {
	/** See `definitionHash`. */
	readonly hash: string;
	/** See `definitionText`; absent where it was too large to be kept. */
	readonly text?: string;
}

/** A tool that is not to be used until the user accepts it as it is now. */
export interface HeldTool {
	/** As the server lists it now. */
	readonly tool: Tool;
	/** `unknown`: nobody can tell what was accepted, as it could not be read or there was no room to keep it. */
	readonly why: 'changed' | 'unknown';
	/** The definition as it was accepted (`definitionText`), where it is known. */
	readonly accepted?: string;
}

/** A server's tools by what may be done with them. */
export interface Screening {
	/** Those that may be used, as listed. */
	readonly usable: readonly Tool[];
	readonly held: readonly HeldTool[];
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
	pinOf: (tool: Tool) => Pin | undefined,
	room: number,
): Screening {
	const usable: Tool[] = [];
	const held: HeldTool[] = [];
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
export function holdsSame(a: Screening | undefined, b: Screening | undefined): boolean {
	return a === b || signature(a) === signature(b);
}

function changed(tool: Tool, { text }: Pin): HeldTool {
	return { tool, why: 'changed', ...(text !== undefined && { accepted: text }) };
}

function signature(screening: Screening | undefined): string {
	return JSON.stringify(screening?.held.map(({ tool, why }) => [tool.name, why, definitionHash(tool)]) ?? []);
}
