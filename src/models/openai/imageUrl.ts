import type { ImageContent } from '../../discovery/catalog/tool.ts';

/** What models take as pictures, under the names that servers give it. */
const mimeTypes: ReadonlyMap<string, string> = new Map([
	['image/png', 'image/png'],
	['image/jpeg', 'image/jpeg'],
	['image/jpg', 'image/jpeg'],
	['image/gif', 'image/gif'],
	['image/webp', 'image/webp'],
]);

/** A picture as a `data:` address; `undefined` where a provider would refuse the whole request for it. */
export function imageUrl({ data, mimeType }: ImageContent): string | undefined {
	const type = mimeTypes.get(mimeType.trim().toLowerCase());
	const base64 = data.replace(/\s+/g, '');
	const isPicture = type !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
	return isPicture ? `data:${type};base64,${base64}` : undefined;
}
