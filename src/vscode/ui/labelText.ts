import { errorMessage } from '../../common/errors.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { folded, visible } from '../../common/text.ts';

/** Characters of a foreign name in a label or a message. */
const nameLength = 100;
/** Characters of a line of foreign text: a description, a prompt. */
export const lineLength = 200;

/**
 * Foreign text, by default a name, on one line of a label or a notification. `$(name)` would be drawn as an icon, and in a notification `[text](command:name)` would be
 * a link that runs a command; a zero-width space keeps them text.
 */
export function labelText(text: string, limit = nameLength): string {
	return folded(visible(text), limit).replaceAll('$(', '$\u200b(').replaceAll('](', ']\u200b(');
}

const failureCharacters = 1000;

const redactor = new Redactor();

/** The message of an error for a notification. It may quote a server or a file, so what looks like a secret is hidden. */
export function failureText(error: unknown): string {
	return labelText(redactor.hide(errorMessage(error)), failureCharacters);
}

/** A foreign name as part of a file name, with only characters that cannot lead out of a folder. */
export function fileBaseName(name: string): string {
	const legal = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '');
	return legal.slice(0, 60) || 'result';
}
