import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { tokenOf } from '../cancellation.ts';
import { resultFromParts } from '../models/editorParts.ts';

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
			return resultFromParts(content);
		} finally {
			cancellation.dispose();
		}
	};
}
