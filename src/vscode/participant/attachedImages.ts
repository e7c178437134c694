import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { ImageContent } from '../../discovery/catalog/tool.ts';

/** Largest picture that is sent along, in bytes; providers take 5 MB at most, and refuse the whole request beyond it. */
const maxImageBytes = 5 * 1024 * 1024;

/** What the user has attached to a message of pictures. */
interface AttachedImages {
	readonly images: readonly ImageContent[];
	/** Sentences on those that cannot be sent. */
	readonly faults: readonly string[];
}

/** Whether the user has attached a picture to a message. */
export function hasImages({ references }: Pick<vscode.ChatRequest, 'references'>): boolean {
	return references.some(({ value }) => isImage(value));
}

/** The pictures that the user has attached to a message. */
export async function attachedImages({
	references,
}: Pick<vscode.ChatRequest, 'references'>): Promise<AttachedImages> {
	const read = await Promise.all(references.map(({ value }) => imageOf(value)));
	return {
		images: read.filter((one) => typeof one === 'object'),
		faults: read.filter((one) => typeof one === 'string'),
	};
}

/** The editor hands pictures over as an object with their data on demand, which has no name in its stable API yet. */
function isImage(value: unknown): value is { readonly mimeType: string; readonly data: () => unknown } {
	return (
		isRecord(value) &&
		typeof value.mimeType === 'string' &&
		value.mimeType.startsWith('image/') &&
		typeof value.data === 'function'
	);
}

async function imageOf(value: unknown): Promise<ImageContent | string | undefined> {
	if (!isImage(value)) return undefined;
	try {
		const data: unknown = await value.data();
		if (!(data instanceof Uint8Array)) return unreadable();
		if (data.length > maxImageBytes) {
			return l10n.t(
				'A picture of {0} MB was not sent: models take {1} MB at most. Attach a smaller one.',
				megabytes(data.length),
				megabytes(maxImageBytes),
			);
		}
		return { type: 'image', data: Buffer.from(data).toString('base64'), mimeType: value.mimeType };
	} catch {
		return unreadable();
	}
}

function unreadable(): string {
	return l10n.t('A picture cannot be read, so it was not sent.');
}

function megabytes(bytes: number): string {
	return (bytes / 1024 / 1024).toFixed(1);
}
