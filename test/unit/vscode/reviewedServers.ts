import { onTestFinished } from 'vitest';
import { Emitter } from '../../../src/common/event.ts';
import { emptyConfig } from '../../../src/config/config.ts';
import type { StdioLaunch } from '../../../src/config/servers/launch.ts';
import { defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import { Approvals } from '../../../src/vscode/core/approvals.ts';
import type { Configuration } from '../../../src/vscode/core/configuration.ts';
import { McpAccess } from '../../../src/vscode/core/mcpAccess.ts';
import { Switches } from '../../../src/vscode/core/switches.ts';
import { trustFile } from './core/trustFiles.ts';
import { reopen, Uri } from './editor.ts';

export const launchOf = (command: string): StdioLaunch => ({
	kind: 'stdio',
	command,
	args: [],
	env: {},
	cwd: '/work',
});

/** A window whose configuration has servers, by name and command, and what the user has decided about them. */
export async function reviewedServers(commands: Readonly<Record<string, string>>) {
	reopen();
	onTestFinished(reopen);
	const changed = new Emitter<unknown>();
	const file = { label: 'work', place: { uri: Uri.file('/work/casual_mcp_config.json'), folder: '/work' } };
	const stateOf = (entries: typeof commands) => {
		const launches = new Map(Object.entries(entries).map(([name, command]) => [name, launchOf(command)]));
		const servers = new Map([...launches].map(([name, launch]) => [name, { name, launch, file }]));
		const policy = {
			...emptyConfig.policy,
			servers: new Map([...launches.keys()].map((name) => [name, defaultServerPolicy])),
		};
		return { kind: 'ok', config: { ...emptyConfig, launches, policy }, servers, problems: [] } as unknown;
	};
	const configFile = { state: stateOf(commands), onDidChange: changed.event };
	const switches = new Switches({ get: () => undefined, update: async () => {}, keys: () => [] });
	const mcpAccess = new McpAccess();
	/** Puts another state in force. */
	const set = (state: unknown) => {
		configFile.state = state;
		changed.fire(state);
	};
	return {
		configFile: configFile as unknown as Configuration,
		switches,
		mcpAccess,
		approvals: new Approvals(await trustFile(), { switches, mcpAccess }),
		set,
		/** The same with other servers. */
		edit: (entries: typeof commands) => set(stateOf(entries)),
	};
}
