import type { Action, TitleButton } from './action.ts';
import { actions, inForce } from './table.ts';

/** What the manifest says of the actions, and the texts that it refers to by their keys. */
export interface Contributions {
	readonly commands: readonly object[];
	readonly menus: Readonly<Record<string, readonly object[]>>;
	readonly keybindings: readonly object[];
	readonly texts: Readonly<Record<string, string>>;
}

const prefix = 'mcpDiscovery';

/** The part of `package.json` that is written from the table of actions, in the table's order. */
export function contributions(): Contributions {
	const all = Object.entries(actions).map(([name, action]) => ({
		command: `${prefix}.${name}`,
		name,
		action,
	}));
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
			all.flatMap(({ command, action: { title, short } }) => [
				[`${command}.title`, title],
				...(short ? [[`${command}.short`, short]] : []),
			]),
		),
	};
}

function titleItem({ view, group, when = inForce }: TitleButton): object {
	const isView = `view == ${prefix}.${view}`;
	return { when: when === 'true' ? isView : `${isView} && ${when}`, group };
}

/** The entry of a row's menu, and its button: `contextValue` names the actions of a row, and marks those that have one. */
function rowItems(name: string, { menu, menuWhen, inline }: Action): readonly object[] {
	const item = (mark: string, group: string) => {
		const isFor = `view =~ /^${prefix}\\./ && viewItem =~ /\\b${name}${mark}/`;
		return { when: menuWhen ? `${isFor} && ${menuWhen}` : isFor, group };
	};
	return [...(inline ? [item('\\+', `inline@${inline.at}`)] : []), ...(menu ? [item('\\b', menu)] : [])];
}

/**
 * The views tell a command that is run by a key nothing: it is handed the id of the view and asks for its selection. With one row the row
 * that has the focus is selected first, which the arrow keys do not do.
 */
function keybindings(command: string, { key: shortcut, appliesTo }: Action): readonly object[] {
	const { key, mac, views = [] } = shortcut ?? {};
	return views.flatMap((name) => {
		const view = `${prefix}.${name}`;
		const keys = { key, ...(mac && { mac }) };
		const when = `focusedView == ${view} && listFocus && !inputFocus`;
		if (!appliesTo) return [{ ...keys, command, when }];
		const run = { command, args: view };
		return [
			{
				...keys,
				command: 'runCommands',
				args: { commands: ['list.select', 'list.select', run] },
				when: `${when} && !listMultiSelection`,
			},
			{ ...keys, ...run, when: `${when} && listMultiSelection` },
		];
	});
}
