import * as l10n from '@vscode/l10n';
import { errorMessage } from './errors.ts';

/** One step of a change. Some changes need several: secrets are in one store, files in another. */
export interface Step {
	/** Rejects if the step cannot be taken now. Changes nothing. */
	readonly check?: () => Promise<void>;
	/** Resolves to the step that undoes it; if it rejects, it has changed nothing. */
	readonly take: () => Promise<Step>;
}

/** Joins steps: all are checked before the first is taken, and if one fails, the earlier ones are undone, the last first. */
export function inOrder(steps: readonly Step[]): Step {
	const check = async () => {
		for (const step of steps) await step.check?.();
	};
	const take = async () => {
		// A single step fails without changing anything.
		if (steps.length > 1) await check();
		const back: Step[] = [];
		for (const step of steps) {
			const undo = await step.take().catch((error: unknown) => afterUndoing(error, back));
			back.unshift(undo);
		}
		return inOrder(back);
	};
	return { check, take };
}

/** A step that can be repeated; `take` resolves to its undo. */
export function reversible(take: () => Promise<() => unknown>): Step {
	const step: Step = {
		take: async () => {
			const undo = await take();
			return {
				take: async () => {
					await undo();
					return step;
				},
			};
		},
	};
	return step;
}

/** Takes the undo steps `back` after a failure, and rejects with its error. The message mentions what could not be undone. */
export async function afterUndoing(error: unknown, back: readonly Step[]): Promise<never> {
	const failures: unknown[] = [];
	for (const step of back) await step.take().catch((failure: unknown) => failures.push(failure));
	if (failures.length === 0) throw error;
	const message = l10n.t(
		'{0} What was already changed could not be undone: {1}',
		errorMessage(error),
		failures.map(errorMessage).join(' '),
	);
	throw new AggregateError([error, ...failures], message, { cause: error });
}
