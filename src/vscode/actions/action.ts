import type { Uri } from 'vscode';
import type { CommandName } from '../ui/ids.ts';
import type { ServerNode, ToolNode } from '../ui/nodes.ts';

/** A file of the configuration, as the Servers view shows it where several have servers. */
interface FileNode {
	readonly kind: 'origin';
	readonly uri: Uri;
}

/** What an action can be run on. */
export type ActionNode = ServerNode | ToolNode | FileNode;

/**
 * What a command is called with. From a menu: the row that it was opened on, and all selected rows. By a key: the id of the view. From the
 * palette: nothing. By a button or a link: a {@link NodeRef}.
 */
export type Called = readonly unknown[];

/** Names a server, or with `tool` one of its tools, where the node itself cannot be handed over. */
export interface NodeRef {
	readonly server: string;
	readonly tool?: string;
}

/** Something that the user can do: what it is called, what it applies to, and where it is offered. What it does stands in `runs.ts`. */
export interface Action {
	/** In English; `package.nls.json` has it for translators. It ends in dots where the action asks for more. */
	readonly title: string;
	/** On buttons whose row or place says what they act on. */
	readonly short?: string;
	/** A codicon. */
	readonly icon?: string;
	/** Whether it can be run on a node; absent: it acts on none. */
	readonly appliesTo?: (node: ActionNode) => boolean;
	/** Run on a tool, it is run on the tool's server. */
	readonly ofServerOfTool?: true;
	/** It is run on one node at a time, even if several are selected. */
	readonly single?: true;
	/** It can be run without a node, which it then asks for itself. */
	readonly asks?: true;
	/** What its key does where nothing that is selected is one of its nodes. */
	readonly otherwise?: CommandName;
	/** It can be run in a workspace that is not trusted: it starts nothing and reads nothing of servers. */
	readonly withoutTrust?: true;
	/** A `when` clause for the palette; absent: where a configuration is in force; false: never. */
	readonly palette?: string | false;
	/** Group and position in the menu of a row: `1_run@2`. */
	readonly menu?: string;
	/** A further `when` clause of that menu. */
	readonly menuWhen?: string;
	/** Position among the buttons of a row; `only`: of which rows. */
	readonly inline?: { readonly at: number; readonly only?: (node: ActionNode) => boolean };
	/** Position among the links over a server in the configuration file. */
	readonly lens?: number;
	/** In the title bars of views. */
	readonly titles?: readonly TitleButton[];
	/** In the title bar of an editor. */
	readonly editor?: { readonly when: string; readonly group: string };
	/** A key in the views. */
	readonly key?: ViewKey;
}

/** A button, or with a group other than `navigation` an entry of the menu, in the title bar of a view. */
export interface TitleButton {
	readonly view: 'servers' | 'loaded';
	readonly group: string;
	/** A `when` clause; absent: where a configuration is in force. */
	readonly when?: string;
}

/** A key while a view has the focus; `mac`: the one on macOS. */
export interface ViewKey {
	readonly key: string;
	readonly mac?: string;
	readonly views: readonly ('servers' | 'loaded')[];
}
