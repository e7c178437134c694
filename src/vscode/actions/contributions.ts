import { type CommandName, commandNames } from '../ui/ids.ts';
import type { Action, ActionNode, TitleButton } from './action.ts';
import { actions, inForce } from './table.ts';

/** The actions' part of `package.json`, and of `package.nls.json`. */
export interface Contributions {
	readonly commands: readonly object[];
	readonly menus: Readonly<Record<string, readonly object[]>>;
	readonly keybindings: readonly object[];
	readonly texts: Readonly<Record<string, string>>;
}

const prefix = 'mcpDiscovery';

export function contributions(): Contributions {
	const all = Object.entries(actions).flatMap(([name, action]) => {
		const { title } = action;
		return title === undefined ? [] : [{ command: `${prefix}.${name}`, name, action, title }];
	});
	return {
		commands: all.map(({ command, action: { icon, short } }) => ({
			command,
			title: `%${command}.title%`,
			...(short && { shortTitle: `%${command}.short%` }),
			category: `%${prefix}.name%`,
			...(icon && { icon: `$(${icon})` }),
		})),
		menus: {
			commandPalette: all.flatMap(({ command, action: { palette = inForce } }) =>
				palette === 'true' ? [] : [{ command, when: String(palette) }],
			),
			'view/title': all.flatMap(({ command, action: { titles = [] } }) =>
				titles.map((title) => ({ command, ...titleItem(title) })),
			),
			'editor/title': all.flatMap(({ command, action: { editor } }) =>
				editor ? [{ command, ...editor }] : [],
			),
			'view/item/context': all.flatMap(({ command, name, action }) =>
				rowItems(name, action).map((item) => ({ command, ...item })),
			),
		},
		keybindings: all.flatMap(({ command, action }) => keybindings(command, action)),
		texts: Object.fromEntries(
			all.flatMap(({ command, title, action: { short } }) => [
				[`${command}.title`, title],
				...(short ? [[`${command}.short`, short]] : []),
			]),
		),
	};
}

/** The context value of a row: the names of the actions that apply to it, with a `+` if they are buttons. `rowItems` tests for them. */
export function contextValue(node: ActionNode): string {
	return commandNames
		.filter((name) => actions[name].appliesTo?.(node))
		.map((name) => (actions[name].inline && isButton(name, node) ? `${name}+` : name))
		.join(' ');
}

/** Whether an action is a button on a node's row. */
export function isButton(name: CommandName, node: ActionNode): boolean {
	const { appliesTo, inline } = actions[name];
	return appliesTo?.(node) === true && (inline?.only?.(node) ?? true);
}

function titleItem({ view, group, when = inForce }: TitleButton): object {
	const isView = `view == ${prefix}.${view}`;
	return { when: when === 'true' ? isView : `${isView} && ${when}`, group };
}

function rowItems(name: string, { menu, inline }: Action): readonly object[] {
	const item = (mark: string, group: string) => ({
		when: `view =~ /^${prefix}\\./ && viewItem =~ /\\b${name}${mark}/`,
		group,
	});
	return [...(inline ? [item('\\+', `inline@${inline.at}`)] : []), ...(menu ? [item('\\b', menu)] : [])];
}

/** VS Code passes no row to a command that is run by a key, so the key passes the id of the view, and the command finds the row. */
function keybindings(command: string, { key: shortcut, appliesTo }: Action): readonly object[] {
	const { key, mac, views = [] } = shortcut ?? {};
	return views.map((name) => {
		const view = `${prefix}.${name}`;
		const when = `focusedView == ${view} && listFocus && !inputFocus`;
		return { key, ...(mac && { mac }), command, ...(appliesTo && { args: view }), when };
	});
}
