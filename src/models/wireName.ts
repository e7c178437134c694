/** A name as every provider takes it back: one that a model made up may hold anything, and would spoil every later request. */
export function legalName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || '_';
}
