import { weakMemo } from '../../common/memo.ts';
import { type ToolResult, textResult } from '../../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { LogEntry } from '../../discovery/session/logEntry.ts';
import { wordsOf } from '../../models/answerParts.ts';
import { ResultFlow } from './resultFlow.ts';

/** The flow check of a chat. It starts from the log, and later trimming of the log does not affect it. */
export const flowOf = weakMemo(keptFlow);

function keptFlow({ log }: DiscoverySession): ResultFlow {
	const flow = new ResultFlow();
	for (const { servers, result } of sourcedTexts(log.entries))
		for (const server of servers) flow.keep(server, result);
	return flow;
}

/** All texts of servers in a log, also those for agents: results of calls and pages of them, resources, prompts and agents' reports. */
export function* sourcedTexts(
	log: readonly LogEntry[],
): Generator<{ readonly servers: readonly string[]; readonly result: ToolResult }> {
	for (const entry of log) {
		const messages =
			entry.kind === 'message' ? [entry.message] : entry.kind === 'agent' ? entry.messages : [];
		for (const message of messages) {
			const { from } = entry.kind === 'message' ? entry : {};
			if (message.role !== 'tool') {
				if (from !== undefined) yield { servers: [from], result: textResult(wordsOf(message)) };
				continue;
			}
			for (const { result, from: servers } of message.results) if (servers) yield { servers, result };
		}
	}
}
