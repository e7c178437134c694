import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import {
	AcceptedDefinitions,
	type AcceptedDefinitionsOptions,
} from '../../../../src/mcp/accepted/acceptedDefinitions.ts';
import { approvalHash } from '../../../../src/mcp/accepted/launchFacts.ts';
import { type AcceptanceLimits, defaultAcceptanceLimits } from '../../../../src/mcp/limits.ts';
import type { ServerListing } from '../../../../src/mcp/listing/listedTools.ts';
import { FakeClock } from '../fakeClock.ts';

export const launch: StdioLaunch = {
	kind: 'stdio',
	command: 'weather',
	args: [],
	env: { API_KEY: 'a-1' },
	cwd: '/',
};

export function openAccepted(
	path: string,
	more: Partial<Omit<AcceptedDefinitionsOptions, 'limits'>> & {
		readonly limits?: Partial<AcceptanceLimits>;
	} = {},
): AcceptedDefinitions {
	return new AcceptedDefinitions({
		folder: path,
		clock: new FakeClock(),
		hashOf: approvalHash,
		onProblem: () => {},
		...more,
		limits: { ...defaultAcceptanceLimits, ...more.limits },
	});
}

export function tool(name: string, description = `The tool ${name}`, more: Partial<Tool> = {}): Tool {
	return { server: 'weather', name, description, inputSchema: { type: 'object' }, ...more };
}

export function listing(tools: readonly Tool[], name = 'weather', from: StdioLaunch = launch): ServerListing {
	return { launch: from, server: { name, tools: tools.map((one) => ({ ...one, server: name })) } };
}

/** Names of a server's tools that may be used, and of those in quarantine. */
export function names(pins: AcceptedDefinitions, listings: readonly ServerListing[], server = 'weather') {
	const found = pins.use(listings).find(({ name }) => name === server);
	return {
		usable: found?.tools.map(({ name }) => name) ?? [],
		quarantined: found?.quarantined?.map(({ name }) => name) ?? [],
	};
}
