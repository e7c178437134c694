import { isDeepStrictEqual } from 'node:util';

/** What a view shows of a node. Two equal rows need no redrawing. */
export interface TreeRow {
	readonly label: string;
	readonly description: string;
	/** A codicon, and a theme colour for it. */
	readonly icon: string;
	readonly color?: string;
	/** Markdown; absent where it is made when the pointer rests on the row: see `rowTooltips.ts`. */
	readonly tooltip?: string;
	/** The actions that apply to it: see `contextValue`. */
	readonly contextValue: string;
	readonly accessibleLabel: string;
	readonly expandable: boolean;
	/** Whether it is open until the user closes it. */
	readonly expanded?: boolean;
	/** Whether it is written in the colour of what is not in use. */
	readonly dimmed?: boolean;
}

/** How the nodes of one tree are drawn. Each node is the same object for as long as it is shown. */
export interface Drawing<Node extends object> {
	readonly children: (node: Node) => readonly Node[];
	readonly row: (node: Node) => TreeRow;
	/** Another one when a node says something else, also in its tooltip. */
	readonly revision: (node: Node) => string | number;
}

interface Drawn<Node> {
	readonly row: TreeRow;
	readonly revision: string | number;
	readonly children: readonly Node[];
}

/**
 * What is on the screen of a tree. While the editor redraws a node it forgets the nodes below, and an action that is pressed meanwhile is run
 * without its node: so as little as possible is redrawn.
 */
export class DrawnRows<Node extends object> {
	readonly #drawing: Drawing<Node>;
	#drawn = new Map<Node, Drawn<Node>>();
	#roots: readonly Node[] = [];

	constructor(drawing: Drawing<Node>) {
		this.#drawing = drawing;
	}

	get roots(): readonly Node[] {
		return this.#roots;
	}

	row(node: Node): TreeRow {
		return this.#drawn.get(node)?.row ?? this.#drawing.row(node);
	}

	/** Takes over what is to be shown, and returns what of it must be redrawn: everything, or some nodes with what is below them. */
	update(roots: readonly Node[]): 'all' | readonly Node[] {
		const before = this.#drawn;
		this.#drawn = new Map();
		const changed: Node[] = [];
		for (const node of roots) this.#draw(node, before, changed);
		// The editor indents leaves beside a node that can be expanded, and sees to that only when it draws them.
		const hadBranch = this.#roots.some((node) => before.get(node)?.row.expandable);
		const hasBranch = roots.some((node) => this.row(node).expandable);
		const sameRoots = isSameList(roots, this.#roots) && hadBranch === hasBranch;
		this.#roots = roots;
		return sameRoots ? changed : 'all';
	}

	#draw(node: Node, before: ReadonlyMap<Node, Drawn<Node>>, changed: Node[]): void {
		const old = before.get(node);
		const children = this.#drawing.children(node);
		for (const child of children) this.#draw(child, before, changed);
		const revision = this.#drawing.revision(node);
		// Rows of leaves are many, and say what their node says. Those of branches count what is below them.
		const isLeaf = children.length === 0 && old?.children.length === 0;
		const row = isLeaf && old.revision === revision ? old.row : this.#drawing.row(node);
		this.#drawn.set(node, { row, revision, children });
		if (!old) return;
		const isSame = old.revision === revision && (row === old.row || isDeepStrictEqual(row, old.row));
		if (!isSame || !isSameList(children, old.children)) changed.push(node);
	}
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((item, i) => item === b[i]);
}
