import { setImmediate as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import type { ToolLabel } from '../../models/planner/answers.ts';
import { OfflinePlanner } from '../../models/planner/offlinePlanner.ts';
import { editorToolLimit } from '../ui/editorParts.ts';

export async function plannerModel(names: ToolLabel): Promise<OfflinePlanner> {
	// Loads the synonyms, which all indexes share, in steps before the planner needs them at once.
	await ToolIndex.build([], { pause });
	// The planner could take more tools, but VS Code's limit applies to its other models as well.
	return new OfflinePlanner(() => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, names, editorToolLimit);
}
