import type { Uri } from 'vscode';
import type { ClientRef } from '../../config/models/clientDefinition.ts';
import type { CommandName } from '../ui/ids.ts';
import type { FaultyServer, ProblemNode, ProblemsNode, ServerNode, ToolNode } from '../ui/nodes.ts';

/** A configuration file. The Servers view shows the files if several of them have servers. */
export interface FileNode {
	readonly kind: 'origin';
	readonly uri: Uri;
	/** An entry of its `clients`, to open the file there. */
	readonly client?: string;
}

/** What an action can run on. */
export type ActionNode = ServerNode | FaultyServer | ToolNode | FileNode | ProblemNode | ProblemsNode;

/**
 * The arguments of a command. From a menu: the row that was clicked, and all selected rows. From a key: the id of the view. From the palette: none.
 * From a button or a link: a {@link NodeRef}.
 */
export type CommandArguments = readonly unknown[];

/** Names a server or one of its tools, where the node itself cannot be passed. */
export interface NodeRef {
	readonly server: string;
	readonly tool?: string;
}

/**
 * Runs an action of another feature as its command would: an error becomes a notification. `on`: what it acts on, the client whose key it sets, or the text for the chat.
 * Without it, the action asks or needs nothing.
 */
export type RunAction = (name: CommandName, on?: ActionNode | NodeRef | ClientRef | string) => Promise<void>;

/** Something that the user can do: its title, what it applies to, and where it is offered. `src/app.ts` has what it does. */
export interface Action {
	/** In English; translators find it in `package.nls.json`. Ends in `…` if the action asks for more. Absent: only rows, buttons and links run it. */
	readonly title?: string;
	/** The title of buttons that are beside what they act on. */
	readonly short?: string;
	/** A codicon. */
	readonly icon?: string;
	/** Whether the action can run on a node; absent: it needs none. */
	readonly appliesTo?: (node: ActionNode) => boolean;
	/** The message if it applies to no node now. */
	readonly nothing?: () => string;
	/** On a tool, the action runs on the tool's server. */
	readonly ofServerOfTool?: true;
	/** The action runs on the clicked node only, even if several are selected. */
	readonly single?: true;
	/** Without a node, the action runs all the same, and may ask for one itself. */
	readonly asks?: true;
	/** What its key does if the action applies to none of the selected nodes. */
	readonly otherwise?: CommandName;
	/** Allowed in untrusted workspaces: the action starts no server and reads nothing from one. */
	readonly withoutTrust?: true;
	/** A `when` clause for the palette; absent: if a configuration is in force; false: never. */
	readonly palette?: string | false;
	/** Group and position in the menu of a row: `1_run@2`. */
	readonly menu?: string;
	/** Position among the buttons of a row; `only`: limits the rows. */
	readonly inline?: { readonly at: number; readonly only?: (node: ActionNode) => boolean };
	/** Position among the code lenses of a server. */
	readonly lens?: number;
	/** In the title bars of views. */
	readonly titles?: readonly TitleButton[];
	/** In the title bar of an editor. */
	readonly editor?: { readonly when: string; readonly group: string };
	/** A key in the views. */
	readonly key?: ViewKey;
}

/** A button in the title bar of a view, or an entry of its menu if the group is not `navigation`. */
export interface TitleButton {
	readonly view: 'servers' | 'loaded';
	readonly group: string;
	/** A `when` clause; absent: if a configuration is in force. */
	readonly when?: string;
}

/** A key that works while a view has the focus. */
export interface ViewKey {
	readonly key: string;
	readonly mac?: string;
	readonly views: readonly ('servers' | 'loaded')[];
}
