import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { masked, spansInText, spansOfValue } from '../../common/secrets/secretSpans.ts';
import { environmentName, looksRandom, nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { hijacksProcess, redirectsTraffic, variablesIn } from '../../config/secrets/environmentNames.ts';

/** Last words of the names of variables that tell a program what to run. */
const namesCode =
	/(^|_)(COMMANDS?|CMD|CMDLINE|ARGS?|ARGV|ARGUMENTS?|OPTIONS?|OPTS|FLAGS?|EXEC|EXE|EXECUTABLE|PROGRAM|SCRIPTS?|BIN|BINARY|ENTRYPOINT|PACKAGES?|IMAGES?|MODULES?|PLUGINS?|EXTENSIONS?|HOOKS?|LOADERS?|PRELOAD|REQUIRE|IMPORTS?|SHELL|STARTUP|INIT)$/;

/** Whether a variable decides what code runs, or where it is downloaded from. The password of a registry does not. */
export function decidesWhatRuns(name: string): boolean {
	if (hijacksProcess(name)) return true;
	return (redirectsTraffic(name) && nameVerdict(name) !== 'secret') || namesCode.test(environmentName(name));
}

/** Part of a command line. */
const holdsOptions = /(?:^|\s)--?[A-Za-z][\w-]*(?:\s+\S|=[^=\s])|\s--?[A-Za-z]/;

/**
 * The value of a variable or a header for the review, with `***` for keys. Whatever could decide what runs or is reached is never masked,
 * even if it looks like a key: the values of some variables, command lines, hosts, addresses, paths, and references to other variables.
 */
export function reviewedValue(name: string, value: string): string {
	if (decidesWhatRuns(name) || holdsOptions.test(value)) return value;
	const textOf = ({ start, end }: SecretSpan) => value.slice(start, end);
	// All of an address decides where it leads, except the password before its host. With a second `@`, programs disagree on the host.
	const keys = address.test(value.trim())
		? spansInText('', value).filter((span) => span.evidence === 'password' && !textOf(span).includes('@'))
		: spansOfValue('', name, value).filter((span) => !textOf(span).split(betweenWords).some(isPlace));
	return masked(
		value,
		keys.filter((span) => variablesIn(textOf(span)).length === 0),
	);
}

const betweenWords = /[\s"'`,;|<>(){}=@]+/;

const address = /^[a-z][a-z0-9+.:-]*:\/\/\S*$/i;
const label = '[\\p{L}\\p{N}_-]{1,63}';
const port = '(?::\\d{1,5})?';
const hosts = [
	// The last part of a host has no digits, unlike the last part of a token with dots.
	`(?:${label}\\.)+(?:\\p{L}{2,24}|xn--[a-z0-9-]{1,59})\\.?${port}`,
	`(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9a-f:.]{2,}\\]|localhost)${port}`,
	`${label}:\\d{2,5}`,
];
const hostAndPath = new RegExp(`^(?:${hosts.join('|')})(?:[/?#]\\S*)?$`, 'iu');
const root = /^(?:[a-z]+:)?(?:\.{0,2}[\\/]|~[\\/])/i;
/** A word in a part of a path. Keys in Base64 contain slashes, too, but change case within words. */
const plainWord = /^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d*|[A-Z\d]*)$/;

/** Whether a word is an address, a host, or a path. */
export function isPlace(word: string): boolean {
	const text = word.trim();
	if (address.test(text) || hostAndPath.test(text)) return true;
	if (!/[\\/]/.test(text) || /\s/.test(text) || (text.length >= 20 && /[+=]/.test(text))) return false;
	const parts = text.split(/[\\/]+/).filter((part) => part !== '');
	if (root.test(text) && parts.length > 1) return true;
	return parts.every(
		(part) => part.split(/[^\p{L}\d]/u).every((one) => plainWord.test(one)) && !looksRandom(part),
	);
}
