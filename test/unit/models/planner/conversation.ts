import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { loadConfig } from '../../../../src/config/load.ts';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { ChatMessage, ToolCall } from '../../../../src/discovery/catalog/message.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../../../src/discovery/catalog/policy.ts';
import { type ToolResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import type { Hit } from '../../../../src/discovery/search/hit.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { hitsByWords } from '../../../../src/discovery/tools/findTools.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import { type Decision, decide } from '../../../../src/models/planner/offlinePlanner.ts';
import { answers, type ExpectedCall, type Request, workspaceFolder } from './requests.ts';

/** The tools of 27 published servers as they list them, started with dummy keys; the sample workspace's five are among them. */
export const fleetServers: readonly CatalogServer[] = JSON.parse(
	gunzipSync(readFileSync(fileURLToPath(new URL('fleet.json.gz', import.meta.url)))).toString(),
);

const sampleFile = new URL('../../../../examples/workspace/casual_mcp_config.json', import.meta.url);
const sampleConfig = loadConfig(readFileSync(sampleFile, 'utf8'), {
	file: sampleFile.href,
	workspaceFolder,
	env: {},
}).config;
if (!sampleConfig) throw new Error("The sample workspace's configuration cannot be read.");

const sampleServers = fleetServers.filter(({ name }) => sampleConfig.launches.has(name));
const allDeferred: DiscoveryPolicy = {
	...defaultPolicy,
	enabled: true,
	deferAll: true,
	servers: new Map(fleetServers.map(({ name }) => [name, defaultServerPolicy])),
};

/** Tools of servers under a policy; chats that share it share its index. */
export function surface(servers: readonly CatalogServer[], policy: DiscoveryPolicy): ToolSurface {
	return new ToolSurface(new Catalog(servers, 1), policy);
}

/** The sample workspace: what is deferred there, and what is said about its servers. */
export const sample = surface(sampleServers, { ...sampleConfig.policy, enabled: true });
/** The fleet, all deferred. */
export const fleet = surface(fleetServers, allDeferred);
/** The sample workspace's servers, all deferred. */
export const deferred = surface(sampleServers, allDeferred);
/** The same with discovery off. */
export const allLoaded = surface(sampleServers, defaultPolicy);

/** How the tools of a conversation answer. */
export type Answers = (call: ToolCall) => ToolResult;

/** A chat with the planner over a real discovery session; only the MCP servers' answers are given by the test. */
export class Conversation {
	readonly messages: ChatMessage[] = [];
	readonly calls: ToolCall[] = [];
	readonly session: DiscoverySession;
	/** What the last message came to. */
	last: Decision | undefined;
	/** What the last search found. */
	found: readonly Hit[] | undefined;
	readonly #answer: Answers;

	constructor(answer: Answers = () => textResult('done'), surface = sample) {
		this.session = new DiscoverySession(surface);
		this.#answer = answer;
	}

	/** Sends a message and does what the planner decides until it says something. */
	async say(prompt: string): Promise<string> {
		this.messages.push({ role: 'user', text: prompt });
		this.found = undefined;
		this.session.beginTurn({ model: 'm', loading: 'append', isByRules: true });
		for (let round = 0; round < 40; round++) {
			const next = decide(
				{
					messages: this.messages,
					tools: this.session.nextHead.tools,
					...(this.found !== undefined && { found: this.found }),
				},
				workspaceFolder,
				(name) => this.session.knownAs(name),
			);
			this.last = next;
			if (next.kind !== 'call') {
				this.messages.push(plainAnswer(next.text));
				return next.text;
			}
			const call = { id: `call-${this.calls.length}`, name: next.name, input: next.input };
			this.messages.push(plainAnswer('', [call]));
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
		this.session.called(target);
		if (target.kind === 'synthetic') {
			const { result, search } = await target.tool.execute(call.input);
			this.found = (search && hitsByWords(search)) ?? this.found;
			return result;
		}
		return target.kind === 'refused'
			? { content: [{ type: 'text', text: target.message }], isError: true }
			: this.#answer(call);
	}
}

/** Names of tools that change nothing, by the first verb in them: written for this test, so that no rule of the planner's excuses itself. */
const reads =
	/(?:^|[-_])(?:read|list|get|search|find|show|log|status|diff|blame|directory_tree|retrieve|fetch|crawl|echo|open_nodes|geocode|directions|scrape|map|query|describe|api-retrieve)/i;

/** What came of a request. */
export interface Run {
	readonly request: Request;
	readonly isRight: boolean;
	/** Whether it ended with a question. */
	readonly isAsked: boolean;
	/** Calls that change something and are in none of the right outcomes. */
	readonly wrongChanges: readonly string[];
	readonly what: string;
}

/** A chat in which tools answer as the table says. */
export function tableChat(surface: ToolSurface): Conversation {
	return new Conversation(({ name }) => textResult(answers[name] ?? 'done'), surface);
}

/** Says the messages of a request, and holds what came of it against the table. */
export async function runRequest(
	request: Request,
	chat = tableChat({ sample, fleet }[request.servers]),
): Promise<Run> {
	const before = chat.toolCalls.length;
	for (const message of request.messages) await chat.say(message);
	const { last } = chat;
	const toolCalls = chat.toolCalls.slice(before);
	const matches = ({ tools, inputs }: ExpectedCall, call: (typeof toolCalls)[number] | undefined) =>
		call !== undefined &&
		tools.includes(call[0]) &&
		inputs.some((input) => isDeepStrictEqual(call[1], input));
	const { calls, offers } = request;
	const offered = last?.kind === 'ask' ? last.offers.map(({ name }) => name) : [];
	const ends = offers ? last?.kind === 'ask' : last?.kind === 'report';
	const isOffered = !offers?.length || offers.some((name) => offered.includes(name));
	const isRight =
		ends &&
		isOffered &&
		calls.length === toolCalls.length &&
		calls.every((expected, i) => matches(expected, toolCalls[i]));
	const wrongChanges = toolCalls
		.filter(([name, input]) => !reads.test(name.replace(/^.+?__/, '')) && input.mode !== 'list')
		.filter((call) => !calls.some((expected) => matches(expected, call)))
		.map(([name, input]) => `${name} ${JSON.stringify(input)}`);
	const end = last?.kind === 'ask' ? `asks ${offered.join(', ')}` : last?.kind;
	const searches = chat.searches.map((search) => JSON.stringify(search)).join(' ');
	const made = toolCalls.map(([name, input]) => `${name} ${JSON.stringify(input)}`).join(' | ');
	return {
		request,
		isRight,
		isAsked: last?.kind === 'ask',
		wrongChanges,
		what: `${request.servers}: ${request.messages.join(' / ')}\n    → ${made} → ${end}   (${searches})`,
	};
}
