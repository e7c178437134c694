import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { isRecord } from '../../discovery/record.ts';
import { tokenOf } from '../cancellation.ts';
import { resultFromParts } from '../models/languageModel.ts';

/** Levels of a rendered prompt that are read: tools render a few. */
const promptDepth = 50;

/**
 * Runs the editor's tools of one chat request itself, and all others as before. Whether the user is asked is the matter of each of the
 * editor's tools.
 */
export function withEditorTools(
	servers: ToolRunner,
	isEditors: (tool: CatalogTool) => boolean,
	toolInvocationToken: vscode.ChatParticipantToolToken | undefined,
): ToolRunner {
	return async (tool, call, signal, ...watch) => {
		if (!isEditors(tool)) return servers(tool, call, signal, ...watch);
		const cancellation = tokenOf(signal);
		try {
			const options = { input: { ...call.input }, toolInvocationToken };
			const { content } = await vscode.lm.invokeTool(tool.name, options, cancellation.token);
			return resultFromParts(content.map(withoutPrompt));
		} finally {
			cancellation.dispose();
		}
	};
}

/** Some tools answer with a rendered prompt, which only the editor's own models read: its texts, one after the other. */
function withoutPrompt(part: unknown): unknown {
	if (!(part instanceof vscode.LanguageModelPromptTsxPart)) return part;
	return new vscode.LanguageModelTextPart(textsOf(part.value, promptDepth).join(''));
}

function textsOf(node: unknown, depth: number): string[] {
	if (depth === 0) return [];
	if (Array.isArray(node)) return node.flatMap((child) => textsOf(child, depth - 1));
	if (!isRecord(node)) return [];
	const { text, lineBreakBefore, node: root, children } = node;
	const own = typeof text === 'string' ? [lineBreakBefore === true ? `\n${text}` : text] : [];
	return [...own, ...textsOf(root, depth - 1), ...textsOf(children, depth - 1)];
}
