import { onTestFinished } from 'vitest';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { Emitter } from '../../../src/common/event.ts';
import type { ServerStatus } from '../../../src/mcp/serverStatus.ts';
import { SignIns } from '../../../src/mcp/signIn/signIns.ts';
import { applyToChats } from '../../../src/vscode/config/registerConfiguration.ts';
import { Approvals } from '../../../src/vscode/core/approvals.ts';
import { Permissions } from '../../../src/vscode/core/permissions.ts';
import { ServerModels } from '../../../src/vscode/core/serverModels.ts';
import { UndoHistory } from '../../../src/vscode/core/undo.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { trustFile } from './core/trustFiles.ts';
import { trust } from './editor.ts';
import { statusOf } from './fixtures.ts';
import { openConfiguration, secretStorage } from './openConfiguration.ts';

/** A window as {@link openConfiguration}, whose servers have these tools, by server; each runs, unless `states` says otherwise. */
export async function openServers(
	texts: Readonly<Record<string, string | undefined>>,
	tools: Readonly<Record<string, readonly string[]>> = {},
	{ users }: { readonly users?: string } = {},
) {
	const window = await openConfiguration(texts, { ...(users !== undefined && { users }) });
	const { configFile, switches } = window;
	const sessions = new ChatSessions();
	const editorTools = { offer: () => {} } as never;
	const subscription = applyToChats(configFile, sessions, editorTools, switches);
	onTestFinished(() => subscription.dispose());
	// The configuration has been read before somebody applied it.
	trust();
	const listed = Object.entries(tools).map(([name, names]) => ({
		name,
		tools: names.map((tool) => ({ server: name, name: tool, inputSchema: { type: 'object' } })),
	}));
	sessions.setCatalog(listed);
	const changed = new Emitter<void>();
	const statuses = new Map(listed.map(({ name, tools }) => [name, statusOf(name, { tools })]));
	const pool = {
		servers: () => [...statuses.values()],
		server: (name: string) => statuses.get(name),
		onDidChange: changed.event,
		whenReady: async () => {},
		start: async (name: string) => void statuses.set(name, statusOf(name)),
	};
	const approvals = new Approvals(await trustFile(), {
		users: await trustFile(),
		switches,
		launchOf: (server) => configFile.server(server)?.launch,
	});
	const permissions = new Permissions(await trustFile(), approvals);
	const secretsOfSignIns = secretStorage();
	const services = { ...window, sessions, pool: pool as never, approvals, permissions };
	const serverModels = new ServerModels(services);
	onTestFinished(() => serverModels.dispose());
	return {
		...services,
		serverModels,
		undo: new UndoHistory(),
		signIns: new SignIns({ secrets: secretsOfSignIns, folder: temporaryFolder(), clock: systemClock }),
		/** A server gets into another state. */
		setStatus: (name: string, status: Partial<ServerStatus>) => {
			statuses.set(name, statusOf(name, status));
			changed.fire();
		},
		serverNode: (name: string) => serverModels.server(name) ?? raise(name),
		toolNode: (server: string, name: string) => serverModels.tool({ server, name }) ?? raise(name),
	};
}

function raise(name: string): never {
	throw new Error(`there is no ${name}`);
}
