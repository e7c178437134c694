import { assertNever } from '../../common/assertNever.ts';
import { systemClock } from '../../common/clock.ts';
import { recordOf } from '../../common/json.ts';
import { errorResult, type ToolResult } from '../../discovery/catalog/tool.ts';
import { listToolsAnswer, searchToolsAnswer, toolDetailsAnswer } from '../../discovery/tools/otherChats.ts';
import type { GatewayCall, GatewayClient, GatewayTool, GatewayTools } from '../../gateway/gatewayTools.ts';
import type { ListingWait } from '../../mcp/listing/listingWait.ts';
import type { SearchableSurface } from './searchableSurface.ts';

/** Runs a call as the editor would for another chat: it asks the user, and keeps the answer for a program that has given up. */
interface CallsOfAgents {
	callFor(
		client: GatewayClient,
		input: { readonly tool: string; readonly arguments?: unknown },
		call: GatewayCall,
	): Promise<ToolResult>;
}

interface AgentParts {
	readonly surface: SearchableSurface;
	readonly listings: ListingWait;
	readonly calls: CallsOfAgents;
}

/** When an agent is first told that its call is waiting, and how often from then on, in milliseconds. */
const waitNoteMs = 1_000;
const waitNoteEveryMs = 15_000;

/** Answers other agents as other chats of the editor are answered. */
export class OtherAgents implements GatewayTools {
	readonly #parts: AgentParts;

	constructor(parts: AgentParts) {
		this.#parts = parts;
	}

	async services(): Promise<readonly string[]> {
		const { loaded, deferred } = this.#parts.surface.get();
		return [...new Set([...loaded, ...deferred].map(({ server }) => server))];
	}

	async call(
		client: GatewayClient,
		tool: GatewayTool,
		given: unknown,
		call: GatewayCall,
	): Promise<ToolResult> {
		const { surface, listings } = this.#parts;
		const input = recordOf(given);
		try {
			await listings.wait(() => call.onProgress('Waiting for servers that are starting'), call.signal);
			switch (tool) {
				case 'search_tools':
					return await searchToolsAnswer(surface.get(), input);
				case 'list_tools':
					return listToolsAnswer(surface.get(), input);
				case 'tool_details':
					return toolDetailsAnswer(surface.get(), input);
				case 'call_tool':
					return await this.#run(client, input, call);
				default:
					return assertNever(tool);
			}
		} catch (error) {
			if (call.signal.aborted) throw error;
			return errorResult(error instanceof Error ? error.message : String(error));
		}
	}

	async #run(
		client: GatewayClient,
		{ tool, arguments: args }: Readonly<Record<string, unknown>>,
		call: GatewayCall,
	): Promise<ToolResult> {
		if (typeof tool !== 'string') return errorResult("Provide 'tool', a name that search_tools gave.");
		// A client that hears nothing gives up.
		const note = () => {
			call.onProgress('Waiting for the tool, or for you in VS Code');
			timer = systemClock.after(waitNoteEveryMs, note);
		};
		let timer = systemClock.after(waitNoteMs, note);
		try {
			return await this.#parts.calls.callFor(client, { tool, arguments: args }, call);
		} finally {
			timer.dispose();
		}
	}
}
