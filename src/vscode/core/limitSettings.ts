import * as vscode from 'vscode';
import type { McpLimits } from '../../mcp/limits.ts';
import { settings } from '../ui/ids.ts';
import { userLimits } from './limits.ts';

export const limitsSection = `${settings.section}.${settings.limits}`;

/** The limits from the user's settings, which a workspace cannot change. */
export function readLimits(): McpLimits {
	const configuration = vscode.workspace.getConfiguration(limitsSection);
	return userLimits((name) => configuration.get(name));
}
