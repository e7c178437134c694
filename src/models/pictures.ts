import { type ImageContent, type ResultContent, resultText } from '../discovery/catalog/tool.ts';

/** A picture in a format that models accept. */
export interface Picture {
	readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
	/** Base64, without white space. */
	readonly data: string;
}

/** Magic numbers of the formats that models accept. WebP is a RIFF file whose name follows the length. */
const beginnings: readonly (readonly [Picture['mediaType'], RegExp])[] = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/**
 * A picture of a server or the user, with the media type that its data has: providers compare the two, and refuse every later request of a
 * conversation with a mislabelled picture. `undefined` if no model accepts it.
 */
function pictureOf({ data }: ImageContent): Picture | undefined {
	const base64 = data.replace(/\s+/g, '');
	if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
	const beginning = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1');
	const mediaType = beginnings.find(([, pattern]) => pattern.test(beginning))?.[0];
	return mediaType && { mediaType, data: base64 };
}

/** Parts as a model sees them: pictures that it accepts, and texts, with a placeholder such as `[image image/bmp]` for everything else. */
export function seenParts(
	parts: readonly ResultContent[],
	takesImages: boolean,
): ({ readonly text: string } | Picture)[] {
	return parts.map((part) => {
		const picture = takesImages && part.type === 'image' ? pictureOf(part) : undefined;
		return picture ?? { text: resultText({ content: [part], isError: false }) };
	});
}

/** A picture as a `data:` address. */
export function pictureUrl({ mediaType, data }: Picture): string {
	return `data:${mediaType};base64,${data}`;
}
