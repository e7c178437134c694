import type { ValidationOutcome } from '../../sandbox/outcome.ts';
import type { EditorQuestion } from './argumentEditors.ts';

/** What questions for arguments are asked with. */
export interface AskingParts {
	/** Checks a value against a schema that is somebody else's, where it can do no harm. */
	readonly validate: (schema: unknown, value: unknown) => Promise<ValidationOutcome>;
	/** Asks for a text in an editor; nothing: it was closed. */
	readonly edit: (question: EditorQuestion) => Promise<string | undefined>;
}

/** What is wrong, as a sentence; nothing where all is right or cannot be checked: then the server will say. */
export function faultIn(outcome: ValidationOutcome): string | undefined {
	if (outcome.kind !== 'invalid') return undefined;
	const text = outcome.faults.join('; ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
