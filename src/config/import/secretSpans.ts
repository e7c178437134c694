import { holdsLiteralSecret } from '../literalSecret.ts';
import { environmentName, namesSecret, secretKind } from './secretWords.ts';

/** A stretch of a text, in UTF-16 units, that a secret stands in or is to be filled in. */
export interface SecretSpan {
	readonly kind: 'secret' | 'placeholder';
	readonly start: number;
	readonly end: number;
	/** The name that an environment variable for it would best have. */
	readonly wish: string;
}

/** Shortest stretch of an address's path that is taken for a key if letters and digits are mixed in it; a UUID has 36 characters. */
const minKeyInPathLength = 32;
/** Options before a whole command line: of `sh`, of `cmd`, of `powershell`. */
const forShell = /^(-\w*c|\/c|-command)$/i;
const authorizationScheme = /^(bearer|basic|token|bot|api-?key)\s+/i;

/** True if one of the stretches is a secret, rather than the place for one. */
export function holdsSecret(spans: readonly SecretSpan[]): boolean {
	return spans.some(({ kind }) => kind === 'secret');
}

/**
 * Secrets in the value of a name that tells what it is: a variable, a header, an option, a parameter. `owner` goes before
 * the name where the name alone says too little.
 */
export function spansOfValue(owner: string, name: string, value: string): readonly SecretSpan[] {
	if (!namesSecret(name)) return spansInText(environmentName(owner, name), value);
	const scheme = authorizationScheme.exec(value)?.[0] ?? '';
	const span = spanOf(name, value.slice(scheme.length), scheme.length, environmentName(owner, name));
	return span.length > 0 ? span : spansInText(environmentName(owner, name), value);
}

/** Secrets in the arguments of a command, by the argument: `--token abc`, `--token=abc`, `TOKEN=abc`, `--header "Authorization: …"`. */
export function spansOfArguments(owner: string, args: readonly string[]): readonly (readonly SecretSpan[])[] {
	return args.map((text, index) => {
		const option = args[index - 1] ?? '';
		const isValue = /^--?[A-Za-z][\w-]*$/.test(option) && namesSecret(option) && !text.startsWith('-');
		if (isValue) return spansOfValue(owner, option, text);
		return forShell.test(option) ? spansInText(owner, text) : spansOfArgument(owner, text);
	});
}

function spansOfArgument(owner: string, text: string): readonly SecretSpan[] {
	const [lead, name = ''] =
		/^-{0,2}([A-Za-z_][\w.-]*)=/.exec(text) ?? /^([A-Za-z][\w-]*):\s*(?!\/\/)/.exec(text) ?? [];
	if (lead === undefined || !namesSecret(name)) return spansInText(owner, text);
	return shifted(spansOfValue(ownerOf(owner, lead), name, text.slice(lead.length)), lead.length);
}

/** What is written like an environment variable is one, and has a name of its own: `docker run -e GITHUB_TOKEN=…`. */
function ownerOf(owner: string, lead: string): string {
	return /^[A-Z_][A-Z0-9_]*=$/.test(lead) ? '' : owner;
}

/** Secrets that stand in a text of any kind: keys with a known prefix, parts of addresses, of JSON and of command lines. */
export function spansInText(owner: string, text: string): readonly SecretSpan[] {
	const found = [jsonSpans, schemeSpans, addressSpans, commandLineSpans, tokenSpans].flatMap((spans) =>
		spans(owner, text),
	);
	return found.filter((span, index) =>
		found.slice(0, index).every((earlier) => span.end <= earlier.start || span.start >= earlier.end),
	);
}

function jsonSpans(owner: string, text: string): readonly SecretSpan[] {
	const pairs = text.matchAll(/("([\w.-]+)"\s*:\s*")((?:[^"\\]|\\.)*)"/g);
	return [...pairs].flatMap(({ 1: lead = '', 2: name = '', 3: value = '', index }) =>
		namesSecret(name) ? shifted(spansOfValue(owner, name, value), index + lead.length) : [],
	);
}

/** What people put into a variable for a whole header: `AUTH_HEADER=Bearer …`. */
function schemeSpans(owner: string, text: string): SecretSpan[] {
	return [...text.matchAll(/\b((?:bearer|basic)\s+)([\w.~+/=-]{8,})/gi)].flatMap(
		({ 1: scheme = '', 2: value = '', index }) =>
			spanOf('', value, index + scheme.length, environmentName(owner, namesSecret(owner) ? '' : 'token')),
	);
}

/** In a text for a shell: `TOKEN=abc run`, `run --token abc`. */
function commandLineSpans(owner: string, text: string): readonly SecretSpan[] {
	const words = text.matchAll(
		/(?<=^|\s)((?:-{0,2}([A-Za-z_][\w.-]*)=|--([A-Za-z][\w-]*)\s+)["']?)([^\s"']+)/g,
	);
	return [...words].flatMap(({ 1: lead = '', 2: assigned, 3: option = '', 4: value = '', index }) => {
		const name = assigned ?? option;
		return namesSecret(name)
			? shifted(spansOfValue(ownerOf(owner, lead), name, value), index + lead.length)
			: [];
	});
}

function addressSpans(owner: string, text: string): SecretSpan[] {
	const addresses = text.matchAll(
		/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>]*)([^\s?#"'<>]*)(\?[^\s#"'<>]*)?/gi,
	);
	return [...addresses].flatMap(({ 1: scheme = '', 2: host = '', 3: path = '', 4: query = '', index }) => {
		const hostStart = index + scheme.length;
		const pathStart = hostStart + host.length;
		return [
			...passwordSpans(owner, host, hostStart),
			...(/^https?:/i.test(scheme) ? pathSpans(owner, path, pathStart) : []),
			...querySpans(owner, query, pathStart + path.length),
		];
	});
}

function passwordSpans(owner: string, host: string, start: number): SecretSpan[] {
	const [, lead = '', password = ''] = /^([^:@]*:)(.+)@[^@]*$/.exec(host) ?? [];
	return spanOf('password', password, start + lead.length, environmentName(owner, 'password'));
}

function pathSpans(owner: string, path: string, start: number): SecretSpan[] {
	return [...path.matchAll(/[\w=-]+/g)].flatMap(({ 0: part, index }) =>
		part.length >= minKeyInPathLength && /\d/.test(part) && /[A-Za-z]/.test(part)
			? spanOf('', part, start + index, environmentName(owner, 'address key'))
			: [],
	);
}

function querySpans(owner: string, query: string, start: number): SecretSpan[] {
	return [...query.matchAll(/([?&])([^=&]+)=([^&]*)/g)].flatMap(
		({ 1: sign = '', 2: name = '', 3: value = '', index }) =>
			namesSecret(name)
				? spanOf(name, value, start + index + sign.length + name.length + 1, environmentName(owner, name))
				: [],
	);
}

function tokenSpans(owner: string, text: string): SecretSpan[] {
	return [...text.matchAll(/[\w-]+/g)]
		.filter(([token]) => holdsLiteralSecret(token))
		.map(({ 0: token, index }) => ({
			kind: 'secret',
			start: index,
			end: index + token.length,
			wish: environmentName(owner, namesSecret(owner) ? '' : 'key'),
		}));
}

function spanOf(name: string, value: string, start: number, wish: string): SecretSpan[] {
	const kind = secretKind(name, value);
	return kind === 'plain' ? [] : [{ kind, start, end: start + value.length, wish }];
}

function shifted(spans: readonly SecretSpan[], by: number): SecretSpan[] {
	return spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }));
}
