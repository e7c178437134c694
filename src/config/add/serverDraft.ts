import type { ForeignDecision } from '../import/foreignPermissions.ts';
import type { ImportSource } from '../import/importSources.ts';

/**
 * A server found in a text of any format: the result of every reader. Its texts may still contain the other program's variables, secrets,
 * and `${input:id}` for values that the user provides.
 */
export interface ServerDraft {
	readonly name: string;
	readonly entry: DraftEntry;
	/** The inputs for `${input:id}`, by id. */
	readonly inputs: ReadonlyMap<string, DraftInput>;
	/** What the user should know: sentences that name keys, never values. */
	readonly notes: readonly string[];
	readonly source: ImportSource;
	/** Which of several alternatives this is; absent: there is only one. */
	readonly way?: string;
	/** The other program does not start it. */
	readonly disabled: boolean;
	readonly toolNames: ToolNames;
	/** What the other program lets its tools do; absent: nothing is said. */
	readonly decisions?: readonly ForeignDecision[];
}

/** What was found in a text. */
export interface Drafts {
	readonly servers: readonly ServerDraft[];
	/** What could not be read, as sentences without values from the text. */
	readonly faults: readonly string[];
}

/** Which tools of a server another program uses. */
export interface ToolNames {
	/** All but these. */
	readonly disabled: readonly string[];
	/** Only these; absent: all. */
	readonly enabled?: readonly string[];
}

/** A value to ask for. */
export interface DraftInput {
	readonly description?: string;
	/** The allowed values; absent: any text. */
	readonly options?: readonly { readonly value: string; readonly label?: string }[];
	readonly default?: string;
	/** It is hidden while typed. */
	readonly password: boolean;
	/** It may be left out, together with the text that contains it. */
	readonly optional?: true;
	/** Its option is a separate word before it, which is left out with it. */
	readonly flagged?: true;
}

/** How another program reaches a server, in a common form. */
export type DraftEntry =
	| {
			readonly kind: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: ReadonlyMap<string, string>;
			readonly cwd?: string;
			/** The name of a file with variables; see `withEnvFile`. */
			readonly envFile?: string;
	  }
	| {
			readonly kind: 'remote';
			readonly url: string;
			readonly headers: ReadonlyMap<string, string>;
			readonly transport: 'streamable-http' | 'sse';
			readonly oauth?: ForeignSignIn;
	  };

/** Another program's sign-in settings, under our names. */
export interface ForeignSignIn {
	readonly client_id?: string;
	readonly client_secret?: string;
	readonly scopes?: readonly string[];
	readonly redirect_port?: number;
	readonly client_metadata_url?: string;
}

/** All texts of an entry, in any order. */
export function textsIn(entry: DraftEntry): string[] {
	if (entry.kind === 'remote') {
		const { client_id = '', client_secret = '' } = entry.oauth ?? {};
		return [entry.url, ...entry.headers.values(), client_id, client_secret];
	}
	return [entry.command, entry.cwd ?? '', entry.envFile ?? '', ...entry.args, ...entry.env.values()];
}
