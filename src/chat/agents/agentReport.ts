import { cut } from '../../discovery/text.ts';
import { errorResult, type ToolResult, textResult } from '../../discovery/toolResult.ts';

/** Characters of an agent's words that go to its caller: some 4,000 tokens. */
const answerLimit = 16_000;

/** What came of an agent's work. */
export interface AgentReport {
	/** Its last answer; where it ended early, all that it has said. */
	readonly text: string;
	/** Why it ended before its task was done, as a sentence. */
	readonly fault?: string;
	/** Calls of tools that came to an end, those of agents it has called among them. */
	readonly calls: number;
	/** Tools that it has loaded beyond those it began with: `server:tool`. */
	readonly loaded: readonly string[];
	/** Input and output, as far as the provider told. */
	readonly tokens?: number;
	readonly ms: number;
}

/** What the caller's model is told. */
export function agentResult(agent: string, { text, fault }: AgentReport): ToolResult {
	const said =
		text.length > answerLimit
			? `${cut(text, answerLimit)}\n\n(${text.length} characters in all; the rest was cut off)`
			: text;
	if (fault === undefined) return textResult(said);
	const soFar = said ? ` What it said so far:\n\n${said}` : '';
	return errorResult(`Error: The agent '${agent}' ended before its task was done: ${fault}${soFar}`);
}
