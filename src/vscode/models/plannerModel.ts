import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import type { UnavailableServer } from '../../models/planner/answers.ts';
import { OfflinePlanner, type Surroundings } from '../../models/planner/offlinePlanner.ts';
import type { Services } from '../../services.ts';
import { editorToolLimit } from '../ui/editorParts.ts';

/** `pool`: absent until servers can start. */
export type PlannerServices = Pick<Services, 'configFile' | 'sessions'> & {
	readonly pool: () => Services['pool'] | undefined;
};

export async function plannerModel(services: PlannerServices): Promise<OfflinePlanner> {
	// Loads the synonyms, which all indexes share, in steps before the planner needs them at once.
	await ToolIndex.build([], { pause });
	// The planner could take more tools, but VS Code's limit applies to its other models as well.
	return new OfflinePlanner(() => surroundings(services), editorToolLimit);
}

/** What the planner needs to know besides the conversation. */
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

/** Servers that cannot be called yet. An idle server can. */
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
		// A call of a known tool waits for the start or sign-in.
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
