import type { ToolDefinition } from '../discovery/tool.ts';
import type { ToolResult } from '../discovery/toolResult.ts';
import type { ToolCall } from '../models/chatModel.ts';
import type { LoopEvent } from './loopEvent.ts';
import type { LoopOptions } from './loopOptions.ts';

/** A synthetic tool that the loop's owner answers: it needs what the turn has, such as its model. Offered while discovery is on. */
export interface HostedTool {
	readonly definition: ToolDefinition;
	/** Answers a call of the turn. Ends soon after the turn's signal aborts. May throw: the message becomes the result. */
	run(call: ToolCall, turn: LoopOptions, emit: (event: LoopEvent) => void): Promise<ToolResult>;
}
