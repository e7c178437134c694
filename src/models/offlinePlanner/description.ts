/** What the editor's model picker shows of the offline planner. "No AI" stands in the name so that nobody takes it for one. */
export const offlinePlannerDescription = {
	id: 'offline-planner',
	name: 'Offline Planner (no AI)',
	family: 'offline-planner',
	version: '1',
	detail: 'fixed rules',
	tooltip:
		'Fixed rules instead of AI: finds an MCP tool by your words, fills in the values you give, calls it and shows the result.',
} as const;
