/**
 * All members of VS Code that we use although its stable API does not have them. Each function says what happens without the member, and never
 * fails.
 */
import type * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';

/** Keeps the order of a quick pick. Without it, VS Code sorts by label while the user types. */
export function keepOrder(pick: vscode.QuickPick<vscode.QuickPickItem>): void {
	Reflect.set(pick, 'sortByLabel', false);
}

/** A chat result with a line below the answer, even if it was stopped. Without it, the line is missing. */
export function withDetails(result: vscode.ChatResult, details: string): vscode.ChatResult {
	return Object.assign(result, { details });
}

const systemRole: number = 3;

/** Whether a message to one of our models is a system message. Without it, there are none. */
export function isSystemMessage({ role }: Pick<vscode.LanguageModelChatRequestMessage, 'role'>): boolean {
	return role === systemRole;
}

/** Whether a tool result is an error. Without it, only its text says so. */
export function isErrorResult(part: vscode.LanguageModelToolResultPart): boolean {
	return 'isError' in part && part.isError === true;
}

/** Whether a model takes images. Without it, images are sent, and other models reject them. */
export function takesImages(model: vscode.LanguageModelChat): boolean {
	const capabilities = 'capabilities' in model ? model.capabilities : undefined;
	return !isRecord(capabilities) || capabilities.supportsImageToText !== false;
}

/** The name of an attachment. Without it, a text has none. */
export function attachmentName(reference: Omit<vscode.ChatPromptReference, 'value'>): string | undefined {
	return 'name' in reference && typeof reference.name === 'string' ? reference.name : undefined;
}

/** An attached image, with its data on demand. */
interface AttachedImage {
	readonly mimeType: string;
	readonly data: () => unknown;
}

/** Whether an attachment is an image from the clipboard. Without it, images can only be attached as files. */
export function isAttachedImage(value: unknown): value is AttachedImage {
	return (
		isRecord(value) &&
		typeof value.mimeType === 'string' &&
		value.mimeType.startsWith('image/') &&
		typeof value.data === 'function'
	);
}

/**
 * Opens an address unchanged: a `Uri` would decode its escapes, and a decoded `&` would end a parameter. Without it, the address is opened as
 * a `Uri`.
 */
export async function openExactUrl(
	address: string,
	{ env, Uri }: Pick<typeof vscode, 'env' | 'Uri'>,
): Promise<boolean> {
	try {
		return await env.openExternal(address as unknown as vscode.Uri);
	} catch {
		return env.openExternal(Uri.parse(address, true));
	}
}
