import type * as vscode from 'vscode';
import { withoutAddress } from '../../chat/chatHistory.ts';
import { isAttached, isLocation, isUri } from './attachments.ts';

/** A file, or a part of one, as the command that opens the chat takes it. */
type AttachedFile = vscode.Uri | { readonly uri: vscode.Uri; readonly range: object };

/** What the command that opens the chat is told, to send a message in it; what is being typed there stays. */
interface SentAgain {
	readonly query: string;
	readonly attachFiles: readonly AttachedFile[];
	readonly preserveInput: true;
}

/** A message with its files, to be sent again. `undefined`: it came with what only the user can attach again, such as a pasted picture. */
export function sentAgain({
	prompt,
	references,
}: Pick<vscode.ChatRequest, 'prompt' | 'references'>): SentAgain | undefined {
	// The editor attaches the file in front of the user by itself.
	const given = references.filter((one) => isAttached(one) && !/^vscode\.implicit\b/.test(one.id));
	const attachFiles = given.map(({ value }) => attachedFile(value));
	if (!attachFiles.every((file) => file !== undefined)) return undefined;
	return { query: `@discovery ${withoutAddress(prompt)}`, attachFiles, preserveInput: true };
}

function attachedFile(value: unknown): AttachedFile | undefined {
	if (isUri(value)) return value;
	if (!isLocation(value)) return undefined;
	const { start, end } = value.range;
	// The editor's own lines and columns begin with 1.
	const range = {
		startLineNumber: start.line + 1,
		startColumn: start.character + 1,
		endLineNumber: end.line + 1,
		endColumn: end.character + 1,
	};
	return { uri: value.uri, range };
}
