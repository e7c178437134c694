import type { LoopEvent } from '../../src/chat/loopEvent.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';

/**
 * A turn as people read it: what the model was offered and told at each call, and every event in between. `replacements` stand
 * for what differs from run to run, such as a temporary folder.
 */
export function transcript(
	requests: readonly ChatRequest[],
	events: readonly LoopEvent[],
	replacements: Readonly<Record<string, string>> = {},
): string {
	const rounds = requests.map((request, i) => `=== request ${i + 1}\n${requestText(request)}`).join('\n\n');
	let text = `${rounds}\n\n=== events\n${events.map(eventText).join('\n')}\n`;
	for (const [actual, shown] of Object.entries(replacements)) text = text.replaceAll(actual, shown);
	return text;
}

function requestText({ tools, messages }: ChatRequest): string {
	const last = messages.at(-1);
	const heard =
		last?.role === 'tool'
			? last.results.map(({ callId, result }) => `[${callId}] ${resultText(result)}`)
			: [];
	return [`tools: ${tools.map(({ name }) => name).join(', ')}`, ...heard].join('\n');
}

function eventText(event: LoopEvent): string {
	switch (event.type) {
		case 'text':
			return `text: ${event.text}`;
		case 'thinking':
			return `thinking: ${event.text}`;
		case 'onlyThought':
			return `only thought, ${event.goesOn ? 'goes on' : 'ends'}`;
		case 'prefetched':
			return `loaded (${event.reason}): ${event.tools.map(({ id }) => id).join(', ')}`;
		case 'looking':
			return `${event.call.name}: ${JSON.stringify(event.call.input)}`;
		case 'searchStarted':
			return `search among ${event.searched}: ${JSON.stringify(event.call.input)}`;
		case 'searchFinished':
			return `search ${event.outcome.ok ? `found ${event.outcome.hits.map((hit) => hit.tool.id).join(', ')}` : 'failed'}`;
		case 'activated':
			return `loaded: ${event.tools.map(({ id }) => id).join(', ')}`;
		case 'evicted':
			return `unloaded: ${event.names.join(', ')}`;
		case 'toolStarted':
			return `call ${event.tool.id}: ${JSON.stringify(event.call.input)}`;
		case 'toolBegun':
			return `begun ${event.tool.id}`;
		case 'toolProgress':
			return `progress ${event.tool.id}: ${event.progress}`;
		case 'toolFinished':
			return `${event.result.isError ? 'failed' : 'done'} ${event.tool?.id ?? event.call.name}`;
		case 'offer':
			return `offer ${event.tool.id}: ${JSON.stringify(event.input)}`;
		case 'agentStarted':
			return `agent ${event.agent}: ${event.task}`;
		case 'agentEvent':
			return eventText(event.event).replaceAll(/^/gm, '  | ');
		case 'agentFinished':
			return `agent ${event.agent} ${event.report.fault ?? 'done'}`;
		case 'notice':
			return `notice: ${event.text}`;
		case 'toolDropped':
			return `not sent ${event.name}: ${event.reason}`;
		case 'retrying':
			return `again: ${event.reason}`;
		case 'trimmed':
			return `removed ${event.results} results`;
		case 'usage':
			return `usage: ${JSON.stringify(event.usage)}`;
		case 'end':
			return `end: ${event.reason}`;
	}
}
