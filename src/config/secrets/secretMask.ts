import { isRecord } from '../../common/json.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import type { SecretSpan, TextKind } from '../../common/secrets/secretSpan.ts';
import { spansInText, spansOfArguments, spansOfValue } from '../../common/secrets/secretSpans.ts';
import { merged, type Stretch, visible } from '../../common/text.ts';
import { ConfigText, nodeValue } from '../file/configText.ts';
import { addressKey } from '../servers/address.ts';

interface MaskedText {
	/** With `***` for each secret, and the same number of lines. */
	readonly text: string;
	/** Each secret and its line, from 0. */
	readonly secrets: readonly { readonly line: number; readonly value: string }[];
}

/** Names of settings files. In them, everything after a name is its value, and an address may hold a key in its path. */
const settingsFile =
	/(^|\/)\.(env(\.[\w.-]+)?|\w*(rc|pass|passwd))$|\.(env|ya?ml|toml|ini|cfg|conf|properties|tfvars)$/i;
/** Pasted text, and files that are written for people. All others are programs. */
const proseFile = /^$|\.(md|txt|log|rst|adoc)$/i;

function readingOf(name: string): TextKind {
	return proseFile.test(name) ? 'prose' : 'code';
}

/** How JSON begins, with or without a leading comment. */
const jsonStart = /^\s*(?:[[{]|\/[/*])/;

/** Masks secrets in texts that are about to be sent to a model: known values, and everything that looks like a key. */
export class SecretMask {
	readonly #knownSecrets: readonly string[];
	readonly #redactor: Redactor;

	/** `knownSecrets`: values that are secret wherever they occur. */
	constructor(knownSecrets: readonly string[]) {
		this.#knownSecrets = knownSecrets;
		this.#redactor = new Redactor(knownSecrets);
	}

	/** `name`: of the file, to recognize settings. */
	mask(text: string, name = ''): MaskedText {
		const secretsInText = jsonStart.test(text) ? secretsInJson(text) : [];
		const redactor =
			secretsInText.length > 0 ? new Redactor([...this.#knownSecrets, ...secretsInText]) : this.#redactor;
		const stretchesIn = (content: string) =>
			merged([
				...redactor.knownIn(content),
				...spansInText('', content, readingOf(name)).filter(isSecret),
				...(settingsFile.test(name) ? spansInText('', content).filter(isSecret) : []),
			]);
		const stretches = stretchesIn(text);
		// An invisible character could hide a secret from us, but from nobody else.
		const visibleText = visible(text);
		const inSeen = visibleText === text ? stretches : stretchesIn(visibleText);
		return inSeen.length > stretches.length ? maskedAt(visibleText, inSeen) : maskedAt(text, stretches);
	}
}

/** Shortest value of a JSON text that is masked everywhere in it. A shorter one could be any word. */
const minOwnSecretLength = 6;

/**
 * Values in a JSON text that are keys by their names, their position in a command line, or their form. Also works for files of other
 * programs, faulty entries, and unfinished files.
 */
function secretsInJson(text: string): readonly string[] {
	const root = ConfigText.of(text).unfinished;
	const secrets = root ? [...secretsOf('', nodeValue(root), {})] : [];
	return secrets.filter(({ length }) => length >= minOwnSecretLength);
}

function* secretsOf(
	name: string,
	value: unknown,
	parent: Readonly<Record<string, unknown>>,
): Generator<string> {
	if (typeof value === 'string') {
		// "key" alone says little elsewhere, but in a client it is the API key.
		const isOfClient = /^key$/i.test(name) && parent.provider !== undefined;
		const spans = spansOfValue('', isOfClient ? 'api_key' : name, value);
		yield* slices(
			value,
			spans.filter(({ evidence }) => evidence !== 'path' || addressKey.test(name)),
		);
	} else if (Array.isArray(value)) {
		if (typeof parent.command === 'string') yield* secretsOfArguments(value);
		for (const item of value) yield* secretsOf(name, item, {});
	} else if (isRecord(value)) {
		for (const [key, child] of Object.entries(value)) yield* secretsOf(key, child, value);
	}
}

function secretsOfArguments(args: readonly unknown[]): readonly string[] {
	const texts = args.map((item) => (typeof item === 'string' ? item : ''));
	return spansOfArguments('', texts).flatMap((spans, index) => slices(texts[index] ?? '', spans));
}

function slices(text: string, spans: readonly SecretSpan[]): readonly string[] {
	return spans.filter(isSecret).map(({ start, end }) => text.slice(start, end));
}

function isSecret({ kind }: SecretSpan): boolean {
	return kind === 'secret';
}

function maskedAt(text: string, stretches: readonly Stretch[]): MaskedText {
	let rest = '';
	let from = 0;
	let line = 0;
	const secrets = stretches.map(({ start, end }) => {
		const lead = text.slice(from, start);
		const value = text.slice(start, end);
		line += linesIn(lead);
		const at = line;
		line += linesIn(value);
		rest += `${lead}***${'\n'.repeat(linesIn(value))}`;
		from = end;
		return { line: at, value };
	});
	return { text: rest + text.slice(from), secrets };
}

function linesIn(text: string): number {
	return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
