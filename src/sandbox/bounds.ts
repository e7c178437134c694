import { valueBounds } from './limits.ts';

/** Whether a value of JSON is within {@link valueBounds}. Stops at the first excess, and does not recurse. */
export function isWithinBounds(value: unknown): boolean {
	let nodes = 1;
	let characters = 0;
	const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next.value === 'string') characters += next.value.length;
		const children = childrenOf(next.value);
		nodes += children.length;
		if (nodes > valueBounds.nodes || (children.length > 0 && next.depth >= valueBounds.depth)) return false;
		for (const [key, child] of children) {
			characters += key.length;
			open.push({ value: child, depth: next.depth + 1 });
		}
		if (characters > valueBounds.characters) return false;
	}
	return true;
}

function childrenOf(value: unknown): readonly (readonly [key: string, child: unknown])[] {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
