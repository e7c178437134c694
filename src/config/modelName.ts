import { unprintable } from './serverName.ts';

/** Longest name of a model or client: it stands in pickers and questions. */
const maxNameLength = 64;

/** Why a model, or a client, cannot have this name, or nothing. */
export function modelNameFault(name: string): string | undefined {
	if (name.trim() === '') return 'the name must not be empty';
	if (name.length > maxNameLength) {
		return `the name has at most ${maxNameLength} characters, this one has ${name.length}`;
	}
	if (unprintable.test(name)) return 'the name can hold no control characters';
	// Legal as a key, but no place that shows or stores it should have to be tried with it.
	return name === '__proto__' ? 'choose another name' : undefined;
}
