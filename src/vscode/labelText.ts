import { folded, visible } from '../discovery/text.ts';

/**
 * Somebody else's text on one line of a label or a notification: shown as it is. `$(name)` would be drawn as an icon, and in a notification
 * `[text](command:name)` would be a link that runs a command; parted, they are text.
 */
export function labelText(text: string, limit: number): string {
	return folded(visible(text), limit).replaceAll('$(', '$\u200b(').replaceAll('](', ']\u200b(');
}

/** Characters of a failure in a notification. */
const failureCharacters = 1000;

/** What has failed, for a notification: the message of an error, which may repeat what a server or a file says. */
export function failureText(error: unknown): string {
	return labelText(error instanceof Error ? error.message : String(error), failureCharacters);
}
