import type { HostedTool } from '../../../src/chat/hostedTool.ts';
import type { LoopEnd, LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { ArgumentCheck, LoopOptions, ToolRunner } from '../../../src/chat/loopOptions.ts';
import type { ResultFlow } from '../../../src/chat/resultFlow.ts';
import { runToolLoop } from '../../../src/chat/toolLoop.ts';
import type { DiscoverySession } from '../../../src/discovery/discoverySession.ts';
import { resultText, type ToolResultFormat, textResult } from '../../../src/discovery/toolResult.ts';
import type { ChatMessage, ChatModel, ToolCallResult } from '../../../src/models/chatModel.ts';
import { sessionOf } from '../discovery/fixtures.ts';
import type { ScriptedModel } from './scriptedModel.ts';

/** A turn to its end; `onEvent` sees each event before the loop goes on. */
export async function turn(
	model: ChatModel,
	{
		session = sessionOf(),
		runTool = async (tool) => textResult(`${tool.id} done`),
		checkArguments = async () => [],
		resultFormat = 'result',
		messages = [{ role: 'user', text: 'Do it.' }],
		signal = new AbortController().signal,
		onEvent = () => undefined,
		hosted,
		fitResult,
		flow,
		now,
	}: {
		readonly session?: DiscoverySession;
		readonly runTool?: ToolRunner;
		readonly checkArguments?: ArgumentCheck;
		readonly resultFormat?: ToolResultFormat;
		readonly messages?: ChatMessage[];
		readonly signal?: AbortSignal;
		readonly onEvent?: (event: LoopEvent) => void;
		readonly hosted?: readonly HostedTool[];
		readonly fitResult?: NonNullable<LoopOptions['fitResult']>;
		readonly flow?: ResultFlow;
		readonly now?: () => number;
	} = {},
): Promise<{ events: LoopEvent[]; end: LoopEnd | undefined }> {
	const events: LoopEvent[] = [];
	const loop = runToolLoop({
		model,
		session,
		runTool,
		checkArguments,
		resultFormat,
		signal,
		system: 'Be brief.',
		messages,
		...(hosted && { hosted }),
		...(fitResult && { fitResult }),
		...(flow && { flow }),
		...(now && { now }),
	});
	for await (const event of loop) {
		events.push(event);
		onEvent(event);
	}
	const last = events.at(-1);
	return { events, end: last?.type === 'end' ? last : undefined };
}

/** Results that the model got with its last request. */
export function lastResults(model: ScriptedModel): readonly ToolCallResult[] {
	const message = model.requests.at(-1)?.messages.at(-1);
	return message?.role === 'tool' ? message.results : [];
}

/** The texts of these results, in order. */
export function lastTexts(model: ScriptedModel): string[] {
	return lastResults(model).map(({ result }) => resultText(result));
}
