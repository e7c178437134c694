import { createHash } from 'node:crypto';
import type { Tool } from '../../discovery/tool.ts';
import { sortedKeys } from '../sortedKeys.ts';

/** What cannot be seen in a text, or is taken for something else: in a difference it must not go unnoticed. Line ends of the JSON stay. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

const hashes = new WeakMap<Tool, string>();

/**
 * All that a server says of a tool, as JSON with sorted keys: what a model, a search or a confirmation ever shows of it comes from here.
 * Whatever a tool will have besides is part of it; what the configuration adds is not.
 */
export function definitionText({ server: _, searchHint: __, ...definition }: Tool): string {
	return JSON.stringify(sortedKeys(definition));
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
	return `${pretty.replace(unseen, escaped)}\n`;
}

/** 43 characters. */
export function sha256(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}

function escaped(character: string): string {
	const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
	return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
