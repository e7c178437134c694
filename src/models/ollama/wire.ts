/**
 * What Ollama's own API takes and gives (github.com/ollama/ollama, `api/types.go`, `docs/api.md`), as far as it is used here. What
 * comes in is typed as unknown: another program may stand at the address.
 */

/** A tool as `/api/chat` takes it. */
export interface WireTool {
	readonly type: 'function';
	readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** One message as `/api/chat` takes it. */
export type WireMessage =
	| { readonly role: 'system'; readonly content: string }
	| { readonly role: 'user'; readonly content: string; readonly images?: readonly string[] }
	| {
			readonly role: 'assistant';
			readonly content: string;
			readonly thinking?: string;
			readonly tool_calls?: readonly WireCall[];
	  }
	| {
			readonly role: 'tool';
			readonly content: string;
			readonly images?: readonly string[];
			readonly tool_name: string;
			readonly tool_call_id: string;
	  };

/** A call of an earlier answer; versions before 0.12.10 know no `id`, and pass over it. */
export interface WireCall {
	readonly id: string;
	readonly function: { readonly name: string; readonly arguments: object };
}

/** The body of `POST /api/chat`; the fields in the order of their bytes, what changes least first. */
export interface WireRequest {
	readonly model: string;
	readonly tools?: readonly WireTool[];
	readonly messages: readonly WireMessage[];
	readonly stream: true;
	/** Not to drop the oldest messages silently where the prompt is over `num_ctx`, but to refuse it. Versions before 0.12 pass over it. */
	readonly truncate: false;
	/** Not to drop the first half of the context silently once an answer fills it, but to end the answer. As above. */
	readonly shift: false;
	/** Whether the model thinks, or how much; others than models that can refuse it. */
	readonly think?: boolean | string;
	readonly options: {
		readonly num_ctx: number;
		readonly num_predict?: number;
		readonly temperature?: number;
		readonly top_p?: number;
	};
}

/** One line of the answer to `POST /api/chat`. */
export interface WireLine {
	readonly message?: unknown;
	readonly done?: unknown;
	readonly done_reason?: unknown;
	readonly prompt_eval_count?: unknown;
	readonly eval_count?: unknown;
	readonly error?: unknown;
}
