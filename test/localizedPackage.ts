import { readFileSync } from 'node:fs';
import { type CommandName, commands } from '../src/vscode/ui/ids.ts';

/** A text of package.json that stands in package.nls.json: `%key%`. */
const REFERENCE = /^%(.+)%$/;

/** The key that a text of package.json refers to; undefined for a text that stands for itself. */
export function referredKey(text: string): string | undefined {
	return REFERENCE.exec(text)?.[1];
}

export function readTexts(): Record<string, string> {
	return JSON.parse(readFileSync('package.nls.json', 'utf8'));
}

const texts = readTexts();

/** The English title of one of our commands, as menus and buttons show it. */
export function titleOf(command: CommandName): string {
	return texts[`${commands[command]}.title`] ?? command;
}

/** package.json as VS Code reads it: with the texts of package.nls.json in it. */
export function readLocalizedPackage() {
	return JSON.parse(readFileSync('package.json', 'utf8'), (_name, value) => {
		const key = typeof value === 'string' ? referredKey(value) : undefined;
		return key === undefined ? value : texts[key];
	});
}
