import type { Tool } from '../../discovery/tool.ts';
import { definitionHash, definitionText, sha256 } from './definition.ts';
import type { PinLimits } from './pinLimits.ts';
import type { Pin } from './screening.ts';

/** By what a pin is found: a name may be of any length, and anything. */
export function pinKey({ name }: Pick<Tool, 'name'>): string {
	return sha256(name);
}

/** Pins tools as they are. Their definitions are kept as well, as far as there is room, so that a change can be shown. */
export function pinTools(pins: Map<string, Pin>, tools: readonly Tool[], limits: PinLimits): void {
	for (const tool of tools) pins.delete(pinKey(tool));
	let room = limits.definitionsPerServer;
	for (const { text = '' } of pins.values()) room -= text.length;
	for (const tool of tools) {
		const text = definitionText(tool);
		const fits = text.length <= Math.min(limits.definition, room);
		if (fits) room -= text.length;
		pins.set(pinKey(tool), { hash: definitionHash(tool, text), ...(fits && { text }) });
	}
}
