import { weakMemo } from '../../common/memo.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../../discovery/catalog/syntheticTool.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import { answeredCalls } from '../../models/callIds.ts';
import { ResultFlow } from './resultFlow.ts';

/** What came from which server in a chat, whatever has been trimmed from its log since. */
export const flowOf = weakMemo(keptFlow);

/** What the log of a chat still has of it. */
function keptFlow(session: DiscoverySession): ResultFlow {
	const flow = new ResultFlow();
	const { messages } = session.log;
	for (const index of messages.keys()) {
		for (const { call, result } of answeredCalls(messages, index)) {
			const server = serverOf(call, session);
			if (server !== undefined && result) flow.keep(server, result.result);
		}
	}
	return flow;
}

/** The server whose tool was called. Of a tool that is gone, the wire name tells it. */
function serverOf({ name, input }: ToolCall, { surface }: DiscoverySession): string | undefined {
	const inner = name === callToolName ? unwrappedCall(input) : undefined;
	const wireName = inner?.ok ? inner.name : name;
	const [prefix, ...rest] = wireName.split('__');
	return surface.get(wireName)?.server ?? (rest.length > 0 ? prefix : undefined);
}
