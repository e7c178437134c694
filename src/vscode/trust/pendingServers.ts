import type { ServerLaunch } from '../../config/launch.ts';
import { type LaunchFact, launchFacts } from '../../mcp/approval/launchFacts.ts';
import type { ConfigState } from '../config/configState.ts';
import type { Approvals, Standing } from './approvals.ts';

/** A server that waits for the user. */
export interface PendingServer {
	readonly name: string;
	readonly facts: readonly LaunchFact[];
	readonly standing: Standing;
}

/** A server that waits, with how it is started. */
export interface PendingLaunch extends PendingServer {
	readonly launch: ServerLaunch;
}

/** The servers of the configuration that the user has not approved as they are, in its order. */
export function pendingServers(state: ConfigState, approvals: Pick<Approvals, 'standing'>): PendingLaunch[] {
	if (state.kind !== 'ok') return [];
	return [...state.config.launches].flatMap(([name, launch]) => {
		const standing = approvals.standing(name, launch);
		return standing.kind === 'approved' ? [] : [{ name, launch, standing, facts: launchFacts(launch) }];
	});
}
