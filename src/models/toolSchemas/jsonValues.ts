import { cut, folded } from '../../discovery/text.ts';
import type { Budget } from './budget.ts';
import { valueDepth, wordedValueCharacters } from './limits.ts';

/** Whether JSON can say a value as it is: no `NaN`, no `undefined`, no half of a surrogate pair, not too deep. */
export function isJson(value: unknown, budget: Budget, depth = 0): boolean {
	if (typeof value === 'string') {
		budget.spend(value.length);
		return value.isWellFormed();
	}
	budget.spend(1);
	if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return true;
	if (typeof value !== 'object' || depth > valueDepth) return false;
	if (Array.isArray(value)) return value.every((item) => isJson(item, budget, depth + 1));
	return Object.entries(value).every(([name, item]) => {
		budget.spend(name.length);
		return name.isWellFormed() && isJson(item, budget, depth + 1);
	});
}

/** A value of JSON as people read it, on one line, cut. */
export function worded(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return cut(folded(text), wordedValueCharacters);
}
