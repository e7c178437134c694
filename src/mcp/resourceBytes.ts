import { oneLine, percentDecoded } from '../common/text.ts';
import type { ResultContent } from '../discovery/catalog/tool.ts';

/** Media types of texts, without parameters. */
const textType =
	/^text\/|[/+.-](json|json5|jsonl|ndjson|xml|ya?ml|toml|csv|(java|type|ecma)script|sql|graphql|markdown|x-www-form-urlencoded|x-sh|x-httpd-php|x-python|x-tex|x-subrip)$/;
/** Types that say nothing about the bytes. */
const unspecificType = /^$|^(application|binary)\/octet-stream$/;
/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binaryCharacters = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const maxTypeCharacters = 100;
const maxFileNameCharacters = 100;

/** Bytes as part of a result: as text if they are one, else as an image, a sound, or a file. `source`: their address or name. */
export function partOfBytes(base64: string, mimeType: string, source: unknown): ResultContent {
	const text = textOfBytes(base64, mimeType);
	if (text !== undefined) return { type: 'text', text };
	const data = plainBase64(base64);
	const [type = ''] = typesOf(mimeType);
	const kind = /^(image|audio)\//.exec(type)?.[1] as 'image' | 'audio' | undefined;
	if (kind) return { type: kind, data, mimeType };
	const shownType = oneLine(mimeType, maxTypeCharacters) || 'application/octet-stream';
	return { type: 'file', name: fileNameOf(source), data, mimeType: shownType };
}

/**
 * The text that bytes are; `undefined`: they are none. The type decides. If it says nothing, bytes that are UTF-8 without control characters count
 * as text.
 */
export function textOfBytes(base64: string, mimeType = ''): string | undefined {
	const [type = '', ...parameters] = typesOf(mimeType);
	const isText = textType.test(type);
	if (!isText && !unspecificType.test(type)) return undefined;
	const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
	const bytes = Buffer.from(plainBase64(base64), 'base64');
	const text = decoded(bytes, charset?.replaceAll('"', '') ?? encodingOf(bytes)) ?? decoded(bytes, 'utf-8');
	return text !== undefined && (isText || !binaryCharacters.test(text)) ? text : undefined;
}

/** The type and its parameters. */
function typesOf(mimeType: string): string[] {
	return mimeType.split(';').map((part) => part.trim().toLowerCase());
}

/** As its byte order mark says. */
function encodingOf(bytes: Buffer): string {
	const mark = bytes.toString('latin1', 0, 2);
	return mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** Some servers send a `data:` URL where only Base64 belongs, and some write Base64 as in URLs. */
export function plainBase64(data: string): string {
	const base64 = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
	return base64.replaceAll('-', '+').replaceAll('_', '/');
}

/** The last part of an address, to show. Never used as a path. */
function fileNameOf(source: unknown): string {
	const path = typeof source === 'string' ? (source.split(/[?#]/, 1)[0] ?? '') : '';
	const last = percentDecoded(path.split('/').findLast((part) => part !== '') ?? '');
	return oneLine(last.split(/[\\/]/).at(-1) ?? '', maxFileNameCharacters) || 'file';
}
