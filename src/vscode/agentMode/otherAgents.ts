import type { BoundedFolder } from '../../chat/boundedFolder.ts';
import { ChatResults, readResult } from '../../chat/results/chatResults.ts';
import { assertNever } from '../../common/assertNever.ts';
import { JoinedSignal } from '../../common/cancellation.ts';
import { systemClock } from '../../common/clock.ts';
import { errorMessage } from '../../common/errors.ts';
import type { Disposable } from '../../common/event.ts';
import { recordOf } from '../../common/json.ts';
import { estimateTokens } from '../../common/tokens.ts';
import { readResultName } from '../../discovery/catalog/syntheticTool.ts';
import { errorResult, resultText, type ToolResult } from '../../discovery/catalog/tool.ts';
import {
	listToolsAnswer,
	SearchMemory,
	searchToolsAnswer,
	toolDetailsAnswer,
} from '../../discovery/tools/otherChats.ts';
import type { AgentUses } from '../../gateway/agentUses.ts';
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
	readonly uses: AgentUses;
	/** For large results, which agents read page by page. */
	readonly resultsFolder: BoundedFolder;
	/** Size from which a result counts as large, in bytes; 0: never. */
	readonly largeResultBytes: () => number;
	/** Shows a call of an agent that takes long, until disposed; `stop`: the user does not want to wait. */
	readonly showLongCall: (agent: string, tool: string, stop: () => void) => Disposable;
}

type Input = Readonly<Record<string, unknown>>;

/** What is remembered for one session of an agent, and for no other. */
interface AgentSession {
	readonly memory: SearchMemory;
	/** Its large results; it can read no others. */
	readonly results: ChatResults;
}

/** Delay of the first note to an agent that its call is waiting, and the interval of later notes, in milliseconds. */
const waitNoteMs = 1_000;
const waitNoteEveryMs = 15_000;

/** Answers other agents as other chats of the editor are answered. */
export class OtherAgents implements GatewayTools {
	readonly #parts: AgentParts;
	/** By session, the most recently used one last. */
	readonly #sessions = new Map<string, AgentSession>();

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
		rawInput: unknown,
		call: GatewayCall,
	): Promise<ToolResult> {
		const { surface, listings, uses } = this.#parts;
		const input = recordOf(rawInput);
		const { name } = client;
		if (uses.isDisconnected(name)) return errorResult(disconnectedText(name));
		const noted = (answer: ToolResult, foundIds: readonly string[] = []) => {
			uses.found(name, foundIds, estimateTokens(resultText(answer)));
			return answer;
		};
		try {
			await listings.wait(() => call.onProgress('Waiting for servers that are starting'), call.signal);
			switch (tool) {
				case 'search_tools': {
					const foundIds: string[] = [];
					const { memory } = this.#sessionOf(client);
					const answer = await searchToolsAnswer(surface.get(), input, memory, (tools) =>
						foundIds.push(...tools.map(({ id }) => id)),
					);
					return noted(answer, foundIds);
				}
				case 'list_tools':
					return noted(listToolsAnswer(surface.get(), input));
				case 'tool_details':
					return noted(toolDetailsAnswer(surface.get(), input));
				case 'call_tool':
					return await this.#run(client, input, call);
				default:
					return assertNever(tool);
			}
		} catch (error) {
			if (call.signal.aborted) throw error;
			return errorResult(errorMessage(error));
		}
	}

	async #run(
		client: GatewayClient,
		{ tool, arguments: args }: Input,
		call: GatewayCall,
	): Promise<ToolResult> {
		if (typeof tool !== 'string') return errorResult("Provide 'tool', a name that search_tools gave.");
		const { results, memory } = this.#sessionOf(client);
		if (tool === readResultName) return readResult(recordOf(args), results);
		// A client that hears nothing gives up.
		const note = () => {
			call.onProgress('Waiting for the tool, or for you in VS Code');
			timer = systemClock.after(waitNoteEveryMs, note);
		};
		let timer = systemClock.after(waitNoteMs, note);
		const { calls, uses, showLongCall } = this.#parts;
		const stopped = new AbortController();
		const ending = new JoinedSignal(call.signal, stopped.signal);
		let display: Disposable | undefined;
		const onBegun = (id: string) => {
			uses.called(client.name, id);
			memory.called(id);
			display = showLongCall(client.name, id, () => stopped.abort());
		};
		try {
			const { signal } = ending;
			const result = await calls.callFor(client, { tool, arguments: args }, { ...call, signal, onBegun });
			const limit = this.#parts.largeResultBytes();
			return limit > 0 ? await results.fit(result, limit) : result;
		} catch (error) {
			if (stopped.signal.aborted && !call.signal.aborted) return errorResult(stoppedText);
			throw error;
		} finally {
			for (const part of [timer, ending, display]) part?.dispose();
		}
	}

	#sessionOf({ session }: GatewayClient): AgentSession {
		const { resultsFolder } = this.#parts;
		const agentSession = this.#sessions.get(session) ?? {
			results: new ChatResults(resultsFolder),
			memory: new SearchMemory(),
		};
		this.#sessions.delete(session);
		this.#sessions.set(session, agentSession);
		for (const old of [...this.#sessions.keys()].slice(0, -keptSessions)) this.#sessions.delete(old);
		return agentSession;
	}
}

/** Sessions that are remembered. */
const keptSessions = 100;

const stoppedText =
	'The user stopped this call in VS Code. It may have run in part. Do not repeat it unless the user asks for it.';

function disconnectedText(name: string): string {
	return `The user has disconnected ${name} from this VS Code window. Go on without these tools. The user can connect it again on the page of “Discovery: Show Context”.`;
}
