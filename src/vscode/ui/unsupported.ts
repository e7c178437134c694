/**
 * What we use of the editor without its stable API naming it: all of it, so that nothing else reads or sets such a member. Each says what
 * happens in an editor that does not have it, and never fails there.
 */
import type * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';

/** Has a list keep the order of its rows. Without it, the editor sorts them by label as the user types. */
export function keepOrder(pick: vscode.QuickPick<vscode.QuickPickItem>): void {
	Reflect.set(pick, 'sortByLabel', false);
}

/** A result with a line that the editor shows below the answer, even of one that was stopped, to which it adds no text. Without it, the line is missing. */
export function withDetails(result: vscode.ChatResult, details: string): vscode.ChatResult {
	return Object.assign(result, { details });
}

/** The role of a system message. */
const systemRole: number = 3;

/** Whether a message to one of our models is a system message. Without it, nobody sends any. */
export function isSystemMessage({ role }: Pick<vscode.LanguageModelChatRequestMessage, 'role'>): boolean {
	return role === systemRole;
}

/** Whether a tool has failed, of whose result a model of ours is told. Without it, the result only says so in its text. */
export function isErrorResult(part: vscode.LanguageModelToolResultPart): boolean {
	return 'isError' in part && part.isError === true;
}

/** Whether a model takes pictures. Without it, they are sent, and a model that takes none refuses them. */
export function takesImages(model: vscode.LanguageModelChat): boolean {
	const capabilities = 'capabilities' in model ? model.capabilities : undefined;
	return !isRecord(capabilities) || capabilities.supportsImageToText !== false;
}

/** What the user sees an attachment called. Without it, a text has no name. */
export function attachmentName(reference: Omit<vscode.ChatPromptReference, 'value'>): string | undefined {
	return 'name' in reference && typeof reference.name === 'string' ? reference.name : undefined;
}

/** A picture that is attached, with its data on demand. */
interface AttachedImage {
	readonly mimeType: string;
	readonly data: () => unknown;
}

/** Whether an attachment is a picture from the clipboard. Without it, pictures can only be attached as files. */
export function isAttachedImage(value: unknown): value is AttachedImage {
	return (
		isRecord(value) &&
		typeof value.mimeType === 'string' &&
		value.mimeType.startsWith('image/') &&
		typeof value.data === 'function'
	);
}

/**
 * Opens an address as it stands: a `Uri` would decode what is encoded in it, and a `&` in a parameter would end that. Without it, the
 * address is opened as a `Uri`.
 */
export async function openAsItStands(
	address: string,
	{ env, Uri }: Pick<typeof vscode, 'env' | 'Uri'>,
): Promise<boolean> {
	try {
		return await env.openExternal(address as unknown as vscode.Uri);
	} catch {
		return env.openExternal(Uri.parse(address, true));
	}
}
