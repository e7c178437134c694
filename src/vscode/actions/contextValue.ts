import { type CommandName, commandNames } from '../ui/ids.ts';
import type { ActionNode } from './action.ts';
import { actions } from './table.ts';

/** What the menus of a row test: the actions that apply to it, by name, those that are buttons with a `+`. */
export function contextValue(node: ActionNode): string {
	return commandNames
		.filter((name) => actions[name].appliesTo?.(node))
		.map((name) => (actions[name].inline && isButton(name, node) ? `${name}+` : name))
		.join(' ');
}

/** Whether an action can be a button beside a node: it applies to it, and none that stands for it there does. */
export function isButton(name: CommandName, node: ActionNode): boolean {
	const { appliesTo, inline } = actions[name];
	return appliesTo?.(node) === true && (inline?.only?.(node) ?? true);
}
