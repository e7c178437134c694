/** What the offline planner is known by. "No AI" stands in the name so that nobody takes it for one. */
export const offlinePlannerDescription = {
	id: 'offline-planner',
	name: 'Offline Planner (no AI)',
	family: 'offline-planner',
	version: '1',
} as const;
