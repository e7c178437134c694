import { Redactor } from '../../common/secrets/redactor.ts';
import { folded, visible } from '../../common/text.ts';

/**
 * Somebody else's text on one line of a label or a notification: shown as it is. `$(name)` would be drawn as an icon, and in a notification
 * `[text](command:name)` would be a link that runs a command; parted, they are text.
 */
export function labelText(text: string, limit: number): string {
	return folded(visible(text), limit).replaceAll('$(', '$\u200b(').replaceAll('](', ']\u200b(');
}

/** Characters of a failure in a notification. */
const failureCharacters = 1000;

const redactor = new Redactor();

/**
 * The message of an error for a notification. It may repeat what a server or a file says, so what looks like a secret is hidden; known secrets
 * are hidden where they are known.
 */
export function failureText(error: unknown): string {
	return labelText(redactor.hide(error instanceof Error ? error.message : String(error)), failureCharacters);
}

/** Somebody else's name as part of a file's name: only of characters that cannot lead out of a folder. */
export function fileBaseName(name: string): string {
	const legal = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '');
	return legal.slice(0, 60) || 'result';
}
