import { cleanJson, toolDetails } from '../inspection/toolJson.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { callableName, callableTool, failedAnswer, jsonAnswer, type VerbAnswer } from './verb.ts';

/** `{tool}` → `{tool, description, inputSchema}`. */
export function toolDetailsVerb(surface: ToolSurface, input: Readonly<Record<string, unknown>>): VerbAnswer {
	const found = callableTool(input.tool, surface);
	if (!found.ok) return failedAnswer(found.message);
	const { description, inputSchema } = toolDetails(found.tool);
	return jsonAnswer(cleanJson({ tool: callableName(found.tool, surface.names), description, inputSchema }));
}
