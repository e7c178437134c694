import * as vscode from 'vscode';
import {
	type ImageContent,
	type ResultContent,
	resultText,
	type ToolResult,
} from '../../discovery/catalog/tool.ts';
import { tokenOf } from './cancellation.ts';
import { dataText, promptText } from './editorValues.ts';

/** Most tools that VS Code passes to a language model in one request. */
export const editorToolLimit = 128;

/** A part of a tool's result in VS Code's types. */
export function resultPart(part: ResultContent): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
	if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
	if (part.type === 'image') {
		return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
	}
	return new vscode.LanguageModelTextPart(resultText({ content: [part], isError: false }));
}

export async function invokedTool(
	name: string,
	input: object,
	toolInvocationToken: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
): Promise<ToolResult> {
	using cancellation = tokenOf(signal);
	const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, cancellation.token);
	return resultFromParts(content);
}

/** VS Code's parts of a tool's result in our types; rendered prompts and other data become text. */
export function resultFromParts(parts: readonly unknown[], isError = false): ToolResult {
	const content = parts.flatMap((part): ResultContent[] => {
		const text = partText(part);
		return text === undefined ? imagesOf([part]) : [{ type: 'text', text }];
	});
	return { content, isError };
}

export function imagesOf(parts: readonly unknown[]): ImageContent[] {
	return parts.flatMap((part): ImageContent[] => {
		if (!(part instanceof vscode.LanguageModelDataPart) || !part.mimeType.startsWith('image/')) return [];
		return [{ type: 'image', data: Buffer.from(part.data).toString('base64'), mimeType: part.mimeType }];
	});
}

/** The text of a part; `undefined`: it has none, or is an image. */
export function partText(part: unknown): string | undefined {
	if (part instanceof vscode.LanguageModelTextPart) return part.value;
	if (part instanceof vscode.LanguageModelPromptTsxPart) return promptText(part.value);
	if (!(part instanceof vscode.LanguageModelDataPart) || part.mimeType.startsWith('image/')) return undefined;
	return dataText(part.mimeType, part.data);
}
