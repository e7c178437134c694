import { Catalog } from '../../../../src/discovery/catalog.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type ServerPolicy,
} from '../../../../src/discovery/policy.ts';
import { type ChatSession, DiscoveryHub } from '../../../../src/vscode/discoveryHub.ts';

/** A hub whose server `files` has these tools, deferred unless said otherwise. */
export function hubWith(
	names: readonly string[],
	files: Partial<ServerPolicy> = {},
	policy: Partial<DiscoveryPolicy> = {},
	inputSchema: Readonly<Record<string, unknown>> = {
		type: 'object',
		properties: { path: { type: 'string', description: 'Where it is' } },
	},
): DiscoveryHub {
	const tools = names.map((name) => ({
		server: 'files',
		name,
		description: `Does what ${name} says, and does it with great care for whoever asked.`,
		inputSchema,
	}));
	const servers = new Map([['files', { ...defaultServerPolicy, deferLoading: true, ...files }]]);
	const hub = new DiscoveryHub();
	hub.setPolicy({ ...defaultPolicy, enabled: true, servers, ...policy }, new Map());
	hub.setCatalog(new Catalog([{ name: 'files', tools }], 1));
	return hub;
}

/** The tool of that name in a chat's surface. */
export function toolOf(chat: ChatSession, name: string) {
	const tool = chat.discovery.surface.get(`files__${name}`);
	if (!tool) throw new Error(`there is no ${name}`);
	return tool;
}

/** Names of what a chat has loaded. */
export function loadedIn(chat: ChatSession): readonly string[] {
	return chat.discovery.activated.map(({ name }) => name);
}
