import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog.ts';
import { DiscoverySession } from '../../../../src/discovery/discoverySession.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../../src/discovery/policy.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import type { ToolDefinition } from '../../../../src/discovery/tool.ts';
import { type ToolResult, textResult } from '../../../../src/discovery/toolResult.ts';
import { ToolSurface } from '../../../../src/discovery/toolSurface.ts';
import type { ChatMessage, ChatModelEvent, ToolCall } from '../../../../src/models/chatModel.ts';
import { OfflinePlanner } from '../../../../src/models/offlinePlanner/offlinePlanner.ts';
import listed from './servers.json' with { type: 'json' };
import work from './workServers.json' with { type: 'json' };

/** Definitions as the published servers list them. */
export const realServers: readonly CatalogServer[] = listed;

/** Servers of a board, a chat and a repository, a few tools of each. */
export const workServers: readonly CatalogServer[] = work;

/** Ranks as the extension does: an index over the tools in question. */
export function rank(query: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	const index = new ToolIndex(
		tools.map(({ name, description, inputSchema }) => ({ server: '', name, description, inputSchema })),
	);
	return index.search(query).flatMap(({ tool }) => byName.get(tool.name) ?? []);
}

/** All that a stream yields. */
export async function collect(stream: AsyncIterable<ChatModelEvent>): Promise<ChatModelEvent[]> {
	const events: ChatModelEvent[] = [];
	for await (const event of stream) events.push(event);
	return events;
}

/** How the tools of a conversation answer. */
export type Answers = (call: ToolCall) => ToolResult;

/** A chat with the planner over a real discovery session; only the MCP servers' answers are given by the test. */
export class Conversation {
	readonly messages: ChatMessage[] = [];
	readonly calls: ToolCall[] = [];
	readonly session: DiscoverySession;
	readonly #answer: Answers;

	constructor(
		answer: Answers = () => textResult('done'),
		deferAll = true,
		all = realServers,
		pinned: readonly string[] = [],
		hints: Readonly<Record<string, string>> = {},
	) {
		const servers = new Map(
			all.map(({ name }) => {
				const searchHint = hints[name];
				const hint = searchHint === undefined ? {} : { searchHint };
				return [name, { ...defaultServerPolicy, ...hint, pinned: pinned.includes(name) }];
			}),
		);
		const policy = { ...defaultPolicy, enabled: deferAll, deferAll, servers };
		this.session = new DiscoverySession(new ToolSurface(new Catalog(all, 1), policy));
		this.#answer = answer;
	}

	/** Sends a message and runs the tool loop to its end; the answer is the last text. */
	async say(prompt: string): Promise<string> {
		this.messages.push({ role: 'user', text: prompt });
		const planner = new OfflinePlanner({ rank });
		for (let round = 0; round < 25; round++) {
			let text = '';
			const toolCalls: ToolCall[] = [];
			const request = { system: '', messages: this.messages, tools: this.session.definitions };
			for await (const event of planner.stream(request, new AbortController().signal)) {
				if (event.type === 'text') text += event.text;
				if (event.type === 'toolCall') toolCalls.push(event.call);
			}
			this.messages.push({ role: 'assistant', text, toolCalls });
			if (toolCalls.length === 0) return text;
			const results = await Promise.all(
				toolCalls.map(async (call) => ({ callId: call.id, result: await this.#run(call) })),
			);
			this.messages.push({ role: 'tool', results });
		}
		throw new Error('The tool loop did not end.');
	}

	/** The calls of MCP tools, as `server__tool` with their input. */
	get toolCalls(): readonly (readonly [string, unknown])[] {
		return this.calls.filter(({ name }) => name !== 'search_tools').map(({ name, input }) => [name, input]);
	}

	get searches(): readonly unknown[] {
		return this.calls.filter(({ name }) => name === 'search_tools').map(({ input }) => input);
	}

	async #run(call: ToolCall): Promise<ToolResult> {
		this.calls.push(call);
		const target = this.session.resolve(call.name);
		if (target.kind === 'synthetic') return (await this.session.execute(target.tool, call.input)).result;
		return target.kind === 'refused'
			? { content: [{ type: 'text', text: target.message }], isError: true }
			: this.#answer(call);
	}
}
