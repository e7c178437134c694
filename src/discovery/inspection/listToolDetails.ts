import { fingerprintOf } from '../fingerprint.ts';
import { namedServer, unknownServer } from '../namedServer.ts';
import { listToolDetailsName, type SyntheticResult, type SyntheticTool } from '../syntheticTool.ts';
import { nameLimit, oneLine } from '../text.ts';
import type { ToolDefinition } from '../tool.ts';
import { errorResult, textResult } from '../toolResult.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { answered, letters } from './listAvailableTools.ts';
import { cleanJson, errorJson, toolDetails } from './toolJson.ts';

export const listToolDetailsDefinition: ToolDefinition = {
	name: listToolDetailsName,
	description: 'Tells name, description and input schema of one tool, as a JSON object. It does not load it.',
	inputSchema: {
		type: 'object',
		properties: {
			server: { type: 'string', description: 'Name of the server.' },
			tool_name: { type: 'string', description: 'Name of the tool on that server.' },
		},
		required: ['server', 'tool_name'],
	},
};

/** The synthetic tool that tells all there is to know of one tool. */
export class ListToolDetails implements SyntheticTool {
	readonly name = listToolDetailsName;
	readonly definition = listToolDetailsDefinition;
	readonly #surface: ToolSurface;

	constructor(surface: ToolSurface) {
		this.#surface = surface;
	}

	execute({ server, tool_name: name }: Readonly<Record<string, unknown>>): SyntheticResult {
		if (typeof server !== 'string' || typeof name !== 'string' || !server.trim() || !name.trim()) {
			return answered(errorResult(errorJson("Give 'server' and 'tool_name', each as a string.")));
		}
		const its = namedServer(this.#surface, server.trim());
		if (its === undefined)
			return answered(errorResult(errorJson(unknownServer(this.#surface, server.trim()))));
		const resolution = this.#surface.names.resolve(name, its);
		if (resolution.kind === 'found' && resolution.tool.server === its) {
			const details = cleanJson(toolDetails(resolution.tool));
			// A schema may be larger than a result may be; the name is the same as long as the details are.
			return {
				...answered(textResult(details)),
				listing: `${letters(its)}-${fingerprintOf(details)}-details`,
			};
		}
		const near = resolution.kind === 'unknown' ? resolution.closest : this.#surface.names.closest(name);
		const message = `There is no tool '${oneLine(name, nameLimit)}' on '${oneLine(its, nameLimit)}'.`;
		return answered(errorResult(errorJson(message, near)));
	}
}
