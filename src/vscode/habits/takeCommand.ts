import type { Suggestion } from '../../discovery/habits/suggestion.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { toolNodes } from '../servers/treeNodes.ts';

/** The command that does what is suggested, with what it is called on in a view; `undefined`: its tool is gone. */
export function takeCommand(
	{ kind, server, tool }: Suggestion,
	hub: DiscoveryHub,
): { readonly command: string; readonly argument: unknown } | undefined {
	if (tool === undefined) {
		return { command: commands.deferServer, argument: { kind: 'server', status: { name: server } } };
	}
	const node = toolNodes(hub).find((one) => one.tool.server === server && one.tool.name === tool);
	return node && { command: kind === 'pin' ? commands.pinTool : commands.deferTool, argument: node };
}
