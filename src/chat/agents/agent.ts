/** A Markdown file of the workspace that tells an assistant how to work on its own. */
export interface Agent {
	/** Unique among the agents, whatever the case; on one line and short. */
	readonly name: string;
	/** When to call it; empty where the file does not say. */
	readonly description: string;
	/** Its system prompt: the body of the file. */
	readonly instructions: string;
	/** Tools that it may use, as the file names them; `undefined`: all. See `agentTools.ts`. */
	readonly tools: readonly string[] | undefined;
	/** Tools that it may not use, whatever else is said. */
	readonly disallowedTools: readonly string[];
	/** It begins with what its caller has loaded, else with nothing loaded. */
	readonly inheritsActive: boolean;
	/** Models may set it to work. */
	readonly isForModels: boolean;
	/** Path of its file, for people. */
	readonly file: string;
}

/** Something wrong with a file, and where; `line` and `column` begin with 1. Its agent is left out. */
export interface AgentFault {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	/** A sentence that says what to do. */
	readonly message: string;
}

/** The agents of a workspace, and what is wrong with its other files. */
export interface AgentList {
	readonly agents: readonly Agent[];
	readonly faults: readonly AgentFault[];
}
