import type { JsonSchema } from '../../../src/common/jsonSchema.ts';
import { estimateDefinitionTokens, estimateTokens } from '../../../src/common/tokens.ts';
import { Catalog, type CatalogServer, type CatalogTool } from '../../../src/discovery/catalog/catalog.ts';
import type { UserMessage } from '../../../src/discovery/catalog/message.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type Loading,
} from '../../../src/discovery/catalog/policy.ts';
import type { SearchMiss } from '../../../src/discovery/catalog/searchMiss.ts';
import type { SyntheticResult } from '../../../src/discovery/catalog/syntheticTool.ts';
import type { Tool } from '../../../src/discovery/catalog/tool.ts';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import type { Toolset, ToolsetSelection } from '../../../src/discovery/catalog/toolset.ts';
import type { CallTarget } from '../../../src/discovery/session/callTarget.ts';
import { ChatLog } from '../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { LogEntry } from '../../../src/discovery/session/logEntry.ts';

/** A tool of a server; `parameters` by name, with a `!` where one is required: `{ path: 'string!' }`. */
export function tool(
	server: string,
	name: string,
	description = '',
	parameters: Readonly<Record<string, string>> = {},
): Tool {
	return { server, name, description, inputSchema: schemaOf(parameters) };
}

function schemaOf(parameters: Readonly<Record<string, string>>): JsonSchema {
	const entries = Object.entries(parameters);
	return {
		type: 'object',
		properties: Object.fromEntries(entries.map(([name, type]) => [name, { type: type.replace('!', '') }])),
		required: entries.filter(([, type]) => type.endsWith('!')).map(([name]) => name),
	};
}

/** Servers from their tools; a tool is its name, or its name with a description. */
export function servers(tools: Readonly<Record<string, readonly (string | Tool)[]>>): CatalogServer[] {
	return Object.entries(tools).map(([name, its]) => ({
		name,
		tools: its.map((one) => (typeof one === 'string' ? tool(name, one) : one)),
	}));
}

/** The office that most tests search: two servers, six tools. */
export const office = servers({
	slack: [
		tool('slack', 'send_message', 'Send a message to a Slack channel', {
			channel: 'string!',
			text: 'string!',
		}),
		tool('slack', 'list_channels', 'List the channels of a Slack workspace', { limit: 'integer' }),
		tool('slack', 'search', 'Search what people wrote', { query: 'string!' }),
	],
	calendar: [
		tool('calendar', 'create_event', 'Create an event in a calendar', { title: 'string!', start: 'string!' }),
		tool('calendar', 'delete_event', 'Delete an event from a calendar', { id: 'string!' }),
		tool('calendar', 'search', 'Search the events of a calendar', { query: 'string!' }),
	],
});

/** Discovery on and every server known and deferred, but for what is said otherwise. */
export function policyFor(
	all: readonly CatalogServer[],
	more: Partial<DiscoveryPolicy> = {},
): DiscoveryPolicy {
	const known = all.map(({ name }) => [name, { ...defaultServerPolicy, deferLoading: true }] as const);
	return { ...defaultPolicy, enabled: true, servers: new Map(known), ...more };
}

export function toolset(name: string, selections: Readonly<Record<string, ToolsetSelection>>): Toolset {
	return { name, servers: new Map(Object.entries(selections)) };
}

export function surfaceOf(
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
	chosen?: Toolset,
): ToolSurface {
	return new ToolSurface(new Catalog(all, 1), policyFor(all, more), chosen);
}

export function sessionOf(
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
	log: readonly LogEntry[] = [],
): DiscoverySession {
	return new DiscoverySession(surfaceOf(all, more), new ChatLog(log));
}

/** A chat whose model has been asked once. */
export function begun(
	loading: Loading = 'append',
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
): DiscoverySession {
	const session = sessionOf(all, more);
	session.beginTurn({ model: 'm', loading });
	session.nextRequest();
	return session;
}

/** Names of the tools in the next request, which is sent. */
export function sent(session: DiscoverySession): string[] {
	return session.nextRequest().tools.map(({ name }) => name);
}

/** What is kept of a chat for another window. */
export function keptLog({ log }: DiscoverySession): readonly LogEntry[] {
	return JSON.parse(JSON.stringify(log.entries));
}

/** What the user says. */
export function said(text: string): UserMessage {
	return { role: 'user', text };
}

/** What the model is told with its next request, besides what the user says. */
export function news(session: DiscoverySession): string | undefined {
	session.log.append({ kind: 'message', message: said('') });
	const last = session.nextRequest().messages.at(-1);
	return last?.role === 'user' ? last.news : undefined;
}

/** Calls `search_tools` as a model would, whose result is then part of the conversation. */
export async function search(
	session: DiscoverySession,
	input: Readonly<Record<string, unknown>>,
	miss?: SearchMiss,
): Promise<
	SyntheticResult & {
		text: string;
		failed: boolean;
		newlyLoaded: readonly string[];
	}
> {
	const target = session.resolve('search_tools');
	if (target.kind !== 'synthetic') throw new Error('there is no search_tools');
	const outcome = await target.tool.execute(input, miss);
	const { result, brings } = outcome;
	const results = [{ callId: 'search', result, ...(brings && { loaded: brings }) }];
	session.log.append({ kind: 'message', message: { role: 'tool', results } });
	const found = outcome.search?.ok ? outcome.search : undefined;
	const loaded = (found?.hits ?? []).filter(({ state }) => state === 'loaded');
	return {
		...outcome,
		text: resultText(outcome.result),
		failed: outcome.result.isError,
		newlyLoaded: loaded.map(({ tool }) => tool.wireName),
	};
}

/** A call of a tool comes to its end. */
export function ended(
	{ log }: DiscoverySession,
	{ server, name: tool }: Pick<CatalogTool, 'server' | 'name'>,
	ms = 1,
	failed = false,
): void {
	log.append({ kind: 'call', server, tool, ms, failed });
}

/** What a call by a model leads to, which has made it. */
export function call(session: DiscoverySession, name: string): CallTarget {
	const target = session.resolve(name);
	session.called(target);
	return target;
}

export function ids(tools: readonly CatalogTool[]): string[] {
	return tools.map(({ id }) => id);
}

/** Estimated tokens of tools and of the paragraph about discovery in the next request. */
export function headTokens({ nextHead: { tools, paragraph = '' } }: DiscoverySession): number {
	const definitions = tools.reduce((sum, definition) => sum + estimateDefinitionTokens(definition), 0);
	return definitions + estimateTokens(paragraph);
}

/** Names of the tools that a model is offered, in the order in which it is. */
export function offered(session: DiscoverySession): string[] {
	return session.nextHead.tools.map(({ name }) => name);
}
