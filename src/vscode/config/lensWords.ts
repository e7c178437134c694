import { sumOfTokens } from '../../discovery/toolTokens.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import { toolCount } from '../counts.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import type { KeySource } from '../keys/keyStore.ts';
import { savedPercent } from '../loaded/statusWords.ts';
import { serverLook } from '../servers/serverWords.ts';
import { isLoaded, type ServerNode } from '../servers/treeNodes.ts';
import { shortNumber } from '../servers/treeRows.ts';

/** One entry of a line over the file; without a command it only says something. */
export interface LensWords {
	readonly title: string;
	readonly command?: string;
	readonly argument?: unknown;
}

/** Of a server's state; those of the tree are wider than their place in a line. */
const icons: Readonly<Record<ServerState['kind'], string>> = {
	stopped: 'circle-outline',
	starting: 'loading~spin',
	ready: 'pass-filled',
	failed: 'error',
};

/** What stands over a server: its state and counts, and what can be done with it now. */
export function serverLens(node: ServerNode): readonly LensWords[] {
	const { status, tools } = node;
	const look = serverLook(status);
	const loaded = tools.filter(({ state }) => isLoaded(state)).length;
	const counts =
		tools.length === 0
			? []
			: [
					toolCount(tools.length),
					...(loaded > 0 ? [`${loaded} loaded`] : []),
					`≈${shortNumber(sumOfTokens(tools.map(({ tool }) => tool)))} tokens`,
				];
	const isRunning = status.state.kind === 'ready' || status.state.kind === 'starting';
	const isPinned = tools.length > 0 && tools.every(({ state }) => state === 'pinned');
	const isDeferred = tools.every(({ state }) => state === 'deferred' || state === 'activated');
	const on = (title: string, command: string): LensWords => ({ title, command, argument: node });
	return [
		{ title: [`$(${icons[status.state.kind]}) ${look.word}`, ...counts].join(' · ') },
		...(isRunning
			? [on('Restart', commands.restartServer), on('Stop', commands.stopServer)]
			: [on('Start', commands.startServer)]),
		...(isPinned ? [] : [on('Pin', commands.pinServer)]),
		...(isDeferred ? [] : [on('Defer', commands.deferServer)]),
		on('Show Log', commands.showServerLog),
	];
}

/** What stands over a server that the extension does not have: why that is so. */
export function absentServerLens(isTrusted: boolean, isDirty: boolean): readonly LensWords[] {
	if (!isTrusted) return [{ title: '$(shield) not started: this workspace is not trusted' }];
	return [{ title: isDirty ? '$(circle-outline) not saved yet' : '$(error) off: this entry has a fault' }];
}

/** What stands over `tool_discovery`: how much is deferred, and what that saves. */
export function discoveryLens({
	currentSurface: surface,
	current,
	policy,
}: DiscoveryHub): readonly LensWords[] {
	if (!policy.enabled) {
		const title = `$(circle-slash) off · ${toolCount(surface.tools.length)} with every request`;
		return [{ title }, { title: 'Turn On', command: commands.enableDiscovery }];
	}
	const activated = current?.discovery.activated ?? [];
	const loaded = surface.loaded.length + activated.length;
	const saving = savedPercent(surface, activated);
	const title = [
		'$(pass-filled) on',
		`${surface.deferred.length} of ${toolCount(surface.tools.length)} deferred, ${loaded} loaded`,
		...(saving ? [`${saving} tokens`] : []),
	].join(' · ');
	return [
		{ title },
		{ title: 'Search Tools…', command: commands.searchTools },
		{ title: 'Show Context', command: commands.showContext },
	];
}

/** What stands over a model: where its key comes from, and how to change that. */
export function modelLens(client: string, { kind, variable }: KeySource): readonly LensWords[] {
	const title = keyWords[kind].replace('VARIABLE', variable ?? '');
	return [{ title }, { title: 'Set API Key…', command: commands.setApiKey, argument: client }];
}

const keyWords: Readonly<Record<KeySource['kind'], string>> = {
	stored: '$(key) key stored',
	variable: '$(key) key from VARIABLE',
	ask: '$(key) key of VARIABLE, if you agree',
	declined: '$(key) no key: you did not let that of VARIABLE be sent',
	none: '$(key) no key',
};
