import type Anthropic from '@anthropic-ai/sdk';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/toolResult.ts';

type MediaType = Anthropic.Base64ImageSource['media_type'];

/** A block of a user's message or of a result. */
export type ContentBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

const mediaTypes: readonly MediaType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** How the data of each kind of picture begins. WebP is RIFF, with its name behind the length. */
const beginnings: readonly (readonly [MediaType, RegExp])[] = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/** Largest picture that is sent, as base64: the API refuses a request with a larger one (Bedrock's limit, the lowest). */
const imageCharacters = 5 * 1024 * 1024;

/** A text as a block; none for what is only white space, which the API refuses. */
export function textBlocks(text: string): Anthropic.TextBlockParam[] {
	return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** A value of JSON without halves of surrogate pairs: the API takes a body that has any for broken JSON. */
export function wellFormed(value: unknown): unknown {
	const text = JSON.stringify(value, (_key, inner) =>
		typeof inner === 'string' ? inner.toWellFormed() : inner,
	);
	return JSON.parse(text);
}

/** Pieces as blocks; what the model does not take as a placeholder such as `[image image/bmp]`. */
export function contentBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return parts.flatMap((part): ContentBlock[] => {
		const image = part.type === 'image' && takesImages ? imageBlock(part) : undefined;
		return image ? [image] : textBlocks(resultText({ content: [part], isError: false }));
	});
}

/** Of some pieces the pictures that the model takes. */
export function imageBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return contentBlocks(parts, takesImages).filter(({ type }) => type === 'image');
}

/** A picture as a block; `undefined`: the API would refuse it. */
function imageBlock({ data, mimeType }: ImageContent): Anthropic.ImageBlockParam | undefined {
	const mediaType = mediaTypeOf(data) ?? mediaTypes.find((known) => known === mimeType.toLowerCase());
	if (mediaType === undefined || data === '' || data.length > imageCharacters) return undefined;
	return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** What the data says it is: the API compares, and one wrongly named picture would spoil the whole conversation. */
function mediaTypeOf(data: string): MediaType | undefined {
	const beginning = Buffer.from(data.slice(0, 24), 'base64').toString('latin1');
	return beginnings.find(([, pattern]) => pattern.test(beginning))?.[0];
}
