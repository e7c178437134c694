import { hash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ChatMessage } from '../discovery/catalog/message.ts';
import { type ImageContent, type ResultContent, resultText } from '../discovery/catalog/tool.ts';
import type { Remedy } from './http/refusals.ts';

/** A picture in a format that models accept, with base64 without white space. */
export interface Picture extends ImageContent {
	readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
}

/** A part as a model sees it. */
export type VisiblePart = Extract<ResultContent, { readonly type: 'text' }> | Picture;

/** Magic numbers of the formats that models accept. WebP is a RIFF file whose name follows the length. */
const magicNumbers: readonly (readonly [Picture['mimeType'], RegExp])[] = [
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
	const mimeType = magicNumbers.find(([, pattern]) => pattern.test(beginning))?.[0];
	return mimeType && { type: 'image', mimeType, data: base64 };
}

/** Parts as a model sees them: pictures that it accepts, and texts, with a placeholder such as `[image image/bmp]` for everything else. */
export function visibleParts(parts: readonly ResultContent[], takesImages: boolean): VisiblePart[] {
	return parts.map((part) => {
		const picture = takesImages && part.type === 'image' ? pictureOf(part) : undefined;
		return picture ?? { type: 'text', text: resultText({ content: [part], isError: false }).toWellFormed() };
	});
}

export function picturesIn(parts: readonly VisiblePart[]): Picture[] {
	return parts.filter((part) => part.type === 'image');
}

/** A picture as a `data:` address. */
export function pictureUrl({ mimeType, data }: Picture): string {
	return `data:${mimeType};base64,${data}`;
}

/**
 * Pictures that a model has refused: they are too large for it or broken, or it takes none. With them, every later request of the conversation would
 * be refused as well.
 */
export class RefusedPictures {
	/** Hashes, because the editor makes new objects for each request. */
	readonly #refused = new Set<string>();

	/** The messages in which refused pictures are empty, so that a placeholder stands for each. */
	without(messages: readonly ChatMessage[]): readonly ChatMessage[] {
		if (this.#refused.size === 0) return messages;
		const withoutRefused = (part: ImageContent) =>
			this.#refused.has(hashOf(part)) ? { ...part, data: '' } : part;
		return messages.map((message) => {
			if (message.role === 'assistant') return message;
			if (message.role === 'user')
				return message.images ? { ...message, images: message.images.map(withoutRefused) } : message;
			const results = message.results.map(({ result, ...more }) => {
				const content = result.content.map((part) => (isImage(part) ? withoutRefused(part) : part));
				return { ...more, result: { ...result, content } };
			});
			return { ...message, results };
		});
	}

	/** Leaves out the newest pictures, because a model has accepted earlier ones; then all. */
	remedy(messages: readonly ChatMessage[]): Remedy {
		let isNewest = true;
		const sent = () =>
			this.without(messages)
				.map((message) => imagesOf(message).filter(({ data }) => data !== ''))
				.filter(({ length }) => length > 0);
		return {
			name: 'pictures',
			reasons: ['invalidRequest', 'notFound', 'server', 'contextTooLong'],
			appliesTo: (failure) => failure.says(pictureRefusal) && sent().length > 0,
			apply: () => {
				const leftOut = sent().slice(isNewest ? -1 : 0);
				for (const part of leftOut.flat()) this.#refused.add(hashOf(part));
				isNewest = false;
				return true;
			},
			notice: (model) => l10n.t('“{0}” refused a picture of this chat, so that was left out.', model),
			repeats: true,
		};
	}
}

const pictureRefusal = /\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj/i;

function hashOf({ data }: ImageContent): string {
	return hash('sha256', data);
}

function imagesOf(message: ChatMessage): readonly ImageContent[] {
	if (message.role === 'user') return message.images ?? [];
	const results = message.role === 'tool' ? message.results : [];
	return results.flatMap(({ result }) => result.content.filter(isImage));
}

function isImage(part: ResultContent): part is ImageContent {
	return part.type === 'image';
}
