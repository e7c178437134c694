import type { Outcome } from './report.ts';
import type { Exchange } from './turn.ts';

/** What the planner does next. */
export type Decision =
	| { readonly kind: 'say'; readonly text: string }
	| { readonly kind: 'call'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What the newest turn has come to. */
export interface Progress {
	readonly done: readonly Outcome[];
	/** Searches of the step that is under way. */
	readonly searches: readonly Exchange[];
	/** A call failed or was declined; nothing more is called. */
	readonly stopped: boolean;
}
