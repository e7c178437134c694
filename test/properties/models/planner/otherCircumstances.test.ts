import { expect, test } from 'vitest';
import type { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { fleet, runRequest, sample, surface, tableChat } from '../../../unit/models/planner/conversation.ts';
import { requests } from '../../../unit/models/planner/requests.ts';

/** The requests of the table, each without one of the servers that serve it. */
const orphans = requests.flatMap((request) => {
	const asked = [...request.calls.flatMap(({ tools }) => tools), ...(request.offers ?? [])];
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

test('when the right server is missing, then the planner changes nothing through another server', async () => {
	expect(orphans.length).toBeGreaterThan(100);
	for (const { request, server, asked } of orphans) {
		const { wrongChanges } = await runRequest(
			request,
			tableChat(without(server, { sample, fleet }[request.servers])),
		);
		const others = wrongChanges.filter((call) => !asked.some((tool) => call.startsWith(`${tool} `)));
		// What was held out stays unseen.
		expect(others.length, request.held ? '' : `${request.messages.join(' / ')} → ${others.join(' | ')}`).toBe(
			0,
		);
	}
});

test.each(['sample', 'fleet'] as const)(
	'in one long chat with the %s servers, tools that earlier requests loaded mislead no later request',
	async (servers) => {
		const chat = tableChat({ sample, fleet }[servers]);
		const refers = /\b(?:its?|them)\b/;
		const said = requests.filter(
			({ messages: [message = '', ...more], held, ...request }) =>
				request.servers === servers && !held && more.length === 0 && !refers.test(message),
		);
		const runs = [];
		for (const request of said) runs.push(await runRequest(request, chat));
		const wrong = runs.filter(({ isRight }) => !isRight).map(({ what }) => what);
		expect(runs.length).toBeGreaterThanOrEqual(10);
		expect(wrong.length / runs.length, wrong.join('\n')).toBeLessThanOrEqual(0.1);
		expect(runs.flatMap(({ wrongChanges }) => wrongChanges)).toEqual([]);
	},
);
