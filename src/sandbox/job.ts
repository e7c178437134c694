import type { RenderOutcome, ValidationOutcome } from './outcome.ts';

/** What the sandbox's process is asked, one at a time; JSON all through. */
export type Job =
	| { readonly kind: 'validate'; readonly schema: unknown; readonly value: unknown }
	| {
			readonly kind: 'render';
			readonly template: string;
			readonly variables: Readonly<Record<string, unknown>>;
	  };

/** What answers a job. */
export interface OutcomeOf {
	readonly validate: ValidationOutcome;
	readonly render: RenderOutcome;
}
