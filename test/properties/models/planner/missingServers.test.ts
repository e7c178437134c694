import { expect, test } from 'vitest';
import type { ToolSurface } from '../../../../src/discovery/toolSurface.ts';
import { fleet, runRequest, sample, surface } from '../../../unit/models/planner/conversation.ts';
import { requests } from '../../../unit/models/planner/requests.ts';

/** The requests of the table, each without one of the servers that serve it. */
const orphans = requests.flatMap((request) => {
	const asked = request.right.flatMap(({ calls, end }) => [
		...calls.flatMap(({ tools }) => tools),
		...(typeof end === 'object' ? end.asksFor : []),
	]);
	const servers = new Set(asked.map((tool) => tool.replace(/__.*/, '')));
	return [...servers].map((server) => ({ request, server, asked }));
});

const surfaces = new Map<string, ToolSurface>();
function without(server: string, all: ToolSurface): ToolSurface {
	const key = `${all.servers.length} ${server}`;
	const others = all.servers.filter(({ name }) => name !== server);
	const made = surfaces.get(key) ?? surface(others, all.policy);
	surfaces.set(key, made);
	return made;
}

test('where the server that would do it is not there, no other changes anything instead', async () => {
	expect(orphans.length).toBeGreaterThan(140);
	for (const { request, server, asked } of orphans) {
		const { wrongChanges } = await runRequest(request, without(server, { sample, fleet }[request.servers]));
		const others = wrongChanges.filter((call) => !asked.some((tool) => call.startsWith(`${tool} `)));
		// What was held out stays unseen.
		expect(others.length, request.held ? '' : `${request.messages.join(' / ')} → ${others.join(' | ')}`).toBe(
			0,
		);
	}
});
