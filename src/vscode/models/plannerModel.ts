import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import type { UnavailableServer } from '../../models/planner/answers.ts';
import { OfflinePlanner, type Surroundings } from '../../models/planner/offlinePlanner.ts';
import type { Services } from '../../services.ts';
import { editorToolLimit } from '../ui/editorParts.ts';

/** Where the planner learns what does not stand in a conversation. `pool`: absent until servers can be started. */
export type PlannerServices = Pick<Services, 'configFile' | 'sessions'> & {
	readonly pool: () => Services['pool'] | undefined;
};

/** The planner, in this workspace. */
export async function plannerModel(services: PlannerServices): Promise<OfflinePlanner> {
	// The synonyms, which all indexes share, are read in steps before the planner needs them at once.
	await ToolIndex.build([], { pause });
	// It could take more tools, but goes by the editor's limit like its other models.
	return new OfflinePlanner(() => surroundings(services), editorToolLimit);
}

/** What the planner knows besides a conversation. */
function surroundings({ configFile, sessions, pool }: PlannerServices): Surroundings {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const { toolset } = sessions.currentSurface;
	const unavailable = unavailableServers(configFile, pool());
	return {
		...(folder && { workspaceFolder: folder.uri.fsPath }),
		unavailable: unavailable.filter(({ name }) => permitsServer(toolset, name)),
		now: new Date(),
		continueLabel: l10n.t('Continue'),
	};
}

/** Servers that cannot be called before the user has done something, or a moment has passed. One that only sleeps is called. */
function unavailableServers(
	configFile: Services['configFile'],
	pool: Services['pool'] | undefined,
): UnavailableServer[] {
	const { state: file } = configFile;
	if (file.kind !== 'ok' || !pool) return [];
	const faulty = new Set(file.problems.flatMap(({ off }) => off ?? []));
	const off = [...faulty].map((name): UnavailableServer => ({ name, state: 'faulty' }));
	const others = pool.servers().flatMap(({ name, state, tools }): UnavailableServer[] => {
		const isReady = state.kind === 'ready' || (state.kind === 'stopped' && !state.byUser);
		// A call of what is known from before waits: for the start, or for the sign-in.
		const isAwaited = state.kind === 'starting' || state.kind === 'signed-out';
		if (isReady || state.kind === 'disabled' || (isAwaited && tools.length > 0)) return [];
		return [
			state.kind === 'failed'
				? { name, state: state.kind, reason: state.error.message }
				: { name, state: state.kind },
		];
	});
	return [...off, ...others];
}
