import type { ServerLaunch } from '../../config/launch.ts';
import { launchFacts } from '../../mcp/approval/launchFacts.ts';
import type { ConfigState } from '../config/configState.ts';
import type { Approvals } from './approvals.ts';
import type { PendingServer } from './launchText.ts';

/** A server that waits, with how it is started. */
export interface PendingLaunch extends PendingServer {
	readonly launch: ServerLaunch;
}

/** The servers of the configuration that the user has not approved as they are, in its order. */
export function pendingServers(state: ConfigState, approvals: Approvals): PendingLaunch[] {
	if (state.kind !== 'ok') return [];
	return [...state.config.launches].flatMap(([name, launch]) => {
		const standing = approvals.standing(name, launch);
		return standing.kind === 'approved' ? [] : [{ name, launch, standing, facts: launchFacts(launch) }];
	});
}
