import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { loadConfig } from '../../../../src/config/load.ts';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog.ts';
import { DiscoverySession } from '../../../../src/discovery/discoverySession.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../../../src/discovery/policy.ts';
import { type ToolResult, textResult } from '../../../../src/discovery/toolResult.ts';
import { ToolSurface } from '../../../../src/discovery/toolSurface.ts';
import type { ChatMessage, ChatModelEvent, ToolCall } from '../../../../src/models/chatModel.ts';
import { type Decision, decide, type Surroundings } from '../../../../src/models/planner/offlinePlanner.ts';
import { today, workspaceFolder } from './requests.ts';

/** The tools of 27 published servers as they list them, started with dummy keys; the sample workspace's five are among them. */
export const fleetServers: readonly CatalogServer[] = JSON.parse(
	gunzipSync(readFileSync(fileURLToPath(new URL('fleet.json.gz', import.meta.url)))).toString(),
);

const sampleFile = new URL('../../../../examples/workspace/casual_mcp_config.json', import.meta.url);
const sampleConfig = loadConfig(readFileSync(sampleFile, 'utf8'), { workspaceFolder, env: {} }).config;
if (!sampleConfig) throw new Error("The sample workspace's configuration cannot be read.");

const sampleServers = fleetServers.filter(({ name }) => sampleConfig.launches.has(name));
const allDeferred: DiscoveryPolicy = {
	...defaultPolicy,
	enabled: true,
	deferAll: true,
	servers: new Map(fleetServers.map(({ name }) => [name, defaultServerPolicy])),
};

function surface(servers: readonly CatalogServer[], policy: DiscoveryPolicy): ToolSurface {
	return new ToolSurface(new Catalog(servers, 1), policy);
}

/** The sample workspace: what is deferred there, and what is said about its servers. Chats share a surface, and so its index. */
export const sample = surface(sampleServers, sampleConfig.policy);
/** The fleet, all deferred. */
export const fleet = surface(fleetServers, allDeferred);
/** The sample workspace's servers, all deferred. */
export const deferred = surface(sampleServers, allDeferred);
/** The same with discovery off. */
export const allLoaded = surface(sampleServers, defaultPolicy);

export const surroundings: Surroundings = {
	workspaceFolder,
	unavailable: [],
	now: today,
	continueLabel: 'Weiter',
};

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
	surroundings = surroundings;
	/** What the last message came to. */
	last: Decision | undefined;
	readonly #answer: Answers;

	constructor(answer: Answers = () => textResult('done'), surface = sample) {
		this.session = new DiscoverySession(surface);
		this.#answer = answer;
	}

	/** Sends a message and does what the planner decides until it says something. */
	async say(prompt: string): Promise<string> {
		this.messages.push({ role: 'user', text: prompt });
		for (let round = 0; round < 40; round++) {
			const next = decide({ messages: this.messages, tools: this.session.definitions }, this.surroundings);
			this.last = next;
			if (next.kind !== 'call') {
				this.messages.push({ role: 'assistant', text: next.text, toolCalls: [] });
				return next.text;
			}
			const call = { id: `call-${this.calls.length}`, name: next.name, input: next.input };
			this.messages.push({ role: 'assistant', text: '', toolCalls: [call] });
			this.messages.push({ role: 'tool', results: [{ callId: call.id, result: await this.#run(call) }] });
		}
		throw new Error('The turn did not end.');
	}

	/** The calls of MCP tools, as `server__tool` with their input. */
	get toolCalls(): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
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
