import { baseName } from '../ui/labelText.ts';
import type { FilePart } from './result.ts';

/** Endings by type. An SVG is not drawn: it is a text that can hold more than a picture. */
const endings: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/bmp': 'bmp',
	'audio/mpeg': 'mp3',
	'audio/wav': 'wav',
	'audio/x-wav': 'wav',
	'audio/ogg': 'ogg',
	'application/pdf': 'pdf',
	'application/gzip': 'gz',
	'application/zip': 'zip',
	'application/json': 'json',
	'image/svg+xml': 'svg.txt',
	'text/plain': 'txt',
	'text/csv': 'csv',
};

/** A name for a file of a result, made of what cannot lead out of a folder; the server's own name for it is not used. */
export function fileName(tool: string, number: number, { mimeType }: FilePart): string {
	const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	return `${baseName(tool)}-${number}.${Object.hasOwn(endings, type) ? endings[type] : 'bin'}`;
}

/** Whether VS Code shows such a file, and does nothing else with it. */
export function isViewable({ mimeType }: FilePart): boolean {
	return /^image\/(png|jpeg|gif|webp|bmp)$/.test(mimeType.toLowerCase());
}
