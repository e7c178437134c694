import type * as vscode from 'vscode';
import { isRecord } from '../../discovery/record.ts';
import type { ImageContent } from '../../discovery/toolResult.ts';

/** Largest picture that is sent along, in bytes; providers take 5 MB at most, and refuse the whole request beyond it. */
const maxImageBytes = 5 * 1024 * 1024;

/** The pictures that the user has attached to a message. */
export async function attachedImages({ references }: vscode.ChatRequest): Promise<ImageContent[]> {
	const images = await Promise.all(references.map(({ value }) => imageOf(value)));
	return images.filter((image) => image !== undefined);
}

/** The editor hands pictures over as an object with their data on demand, which has no name in its stable API yet. */
async function imageOf(value: unknown): Promise<ImageContent | undefined> {
	if (!isRecord(value) || typeof value.mimeType !== 'string' || typeof value.data !== 'function')
		return undefined;
	if (!value.mimeType.startsWith('image/')) return undefined;
	const data: unknown = await value.data();
	if (!(data instanceof Uint8Array) || data.length > maxImageBytes) return undefined;
	return { type: 'image', data: Buffer.from(data).toString('base64'), mimeType: value.mimeType };
}
