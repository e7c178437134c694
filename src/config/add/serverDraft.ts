import type { ForeignDecision } from '../import/foreignPermissions.ts';
import type { ImportSource } from '../import/importSources.ts';

/**
 * A server that a text names, whatever its format: what every reader gives. Its texts may still hold the variables of the program that they
 * were written for, secrets, and `${input:id}` for each value that is left to the user.
 */
export interface ServerDraft {
	readonly name: string;
	readonly entry: DraftEntry;
	/** What is asked for by `${input:id}`, by id. */
	readonly inputs: ReadonlyMap<string, DraftInput>;
	/** What the user should know: sentences that name keys, never values. */
	readonly notes: readonly string[];
	readonly source: ImportSource;
	/** Which of several ways to run or reach it this is; absent: there is one. */
	readonly way?: string;
	/** The other program does not start it. */
	readonly disabled: boolean;
	readonly toolNames: ToolNames;
	/** What the other program lets its tools do; absent: it says nothing of that. */
	readonly decisions?: readonly ForeignDecision[];
}

/** What a text came to. */
export interface Drafts {
	readonly servers: readonly ServerDraft[];
	/** What could not be read, a sentence each, without values of the text. */
	readonly faults: readonly string[];
}

/** Which tools of a server another program uses. */
export interface ToolNames {
	/** Not these. */
	readonly disabled: readonly string[];
	/** Only these; absent: all. */
	readonly enabled?: readonly string[];
}

/** A value that is asked for. */
export interface DraftInput {
	readonly description?: string;
	/** What may be chosen; absent: any text. */
	readonly options?: readonly { readonly value: string; readonly label?: string }[];
	readonly default?: string;
	/** It is not to be seen while it is typed. */
	readonly password: boolean;
	/** It need not be given: without it, what it stands in is left out. */
	readonly optional?: true;
	/** Its option stands before it as a word of its own, which is left out with it. */
	readonly flagged?: true;
}

/** How another program reaches a server, with the different spellings of other programs unified. */
export type DraftEntry =
	| {
			readonly kind: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: ReadonlyMap<string, string>;
			readonly cwd?: string;
			/** A file of variables as it is named; see `withEnvFile`. */
			readonly envFile?: string;
	  }
	| {
			readonly kind: 'remote';
			readonly url: string;
			readonly headers: ReadonlyMap<string, string>;
			readonly transport: 'streamable-http' | 'sse';
			readonly oauth?: ForeignSignIn;
	  };

/** What another program's file says about signing in, by our names. */
export interface ForeignSignIn {
	readonly client_id?: string;
	readonly client_secret?: string;
	readonly scopes?: readonly string[];
	readonly redirect_port?: number;
	readonly client_metadata_url?: string;
}

/** All texts of a entry, in no order that matters. */
export function textsIn(entry: DraftEntry): string[] {
	if (entry.kind === 'remote') {
		const { client_id = '', client_secret = '' } = entry.oauth ?? {};
		return [entry.url, ...entry.headers.values(), client_id, client_secret];
	}
	return [entry.command, entry.cwd ?? '', entry.envFile ?? '', ...entry.args, ...entry.env.values()];
}
