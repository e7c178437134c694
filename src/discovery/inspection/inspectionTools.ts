import type { SyntheticTool } from '../syntheticTool.ts';
import type { ToolDefinition } from '../tool.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { ListAvailableTools, listAvailableToolsDefinition } from './listAvailableTools.ts';
import { ListToolDetails, listToolDetailsDefinition } from './listToolDetails.ts';

/** The tools that tell of tools, where the user wants a model to have them; whether anything is deferred does not matter. */
export function inspectionTools(surface: ToolSurface): readonly SyntheticTool[] {
	return offersInspection(surface) ? [new ListAvailableTools(surface), new ListToolDetails(surface)] : [];
}

/** {@link inspectionTools} as a model is told of them. */
export function inspectionDefinitions(surface: ToolSurface): readonly ToolDefinition[] {
	return offersInspection(surface) ? [listAvailableToolsDefinition, listToolDetailsDefinition] : [];
}

function offersInspection({ policy }: ToolSurface): boolean {
	return policy.enabled && policy.inspectionTools;
}
