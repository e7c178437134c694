import { isDeepStrictEqual } from 'node:util';

/** What a view shows of a node. Equal rows need no redrawing. */
export interface TreeRow {
	readonly label: string;
	readonly description: string;
	/** A codicon, and a theme colour for it. */
	readonly icon: string;
	readonly color?: string;
	/** Markdown; absent if it is made when the pointer rests on the row: see `tooltipOf`. */
	readonly tooltip?: string;
	/** The actions that apply to it: see `contextValue`. */
	readonly contextValue: string;
	readonly accessibleLabel: string;
	readonly isExpandable: boolean;
	/** Whether the row is expanded at first. */
	readonly isExpanded?: boolean;
	/** Whether the row is drawn in the colour for disabled things. */
	readonly isDimmed?: boolean;
}

/** How the nodes of a tree are drawn. While a node is shown, it stays the same object. */
export interface Drawing<Node extends object> {
	readonly children: (node: Node) => readonly Node[];
	readonly row: (node: Node) => TreeRow;
	/** Changes whenever the row or the tooltip of a node changes. */
	readonly revision: (node: Node) => string | number;
}

interface Drawn<Node> {
	readonly row: TreeRow;
	readonly revision: string | number;
	readonly children: readonly Node[];
}

/**
 * The rows that a tree shows. While VS Code redraws a node it forgets the nodes below it, and an action that is pressed at that moment gets no
 * node. So as little as possible is redrawn.
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

	/** Sets what is shown, and returns what must be redrawn: everything, or some nodes with the nodes below them. */
	update(roots: readonly Node[]): 'all' | readonly Node[] {
		const previous = this.#drawn;
		this.#drawn = new Map();
		const changed: Node[] = [];
		for (const node of roots) this.#draw(node, previous, changed);
		// VS Code indents leaves that are beside an expandable node, but only when it draws them.
		const hadBranch = this.#roots.some((node) => previous.get(node)?.row.isExpandable);
		const hasBranch = roots.some((node) => this.row(node).isExpandable);
		const isSameRoots = isSameList(roots, this.#roots) && hadBranch === hasBranch;
		this.#roots = roots;
		return isSameRoots ? changed : 'all';
	}

	#draw(node: Node, previous: ReadonlyMap<Node, Drawn<Node>>, changed: Node[]): void {
		const old = previous.get(node);
		const children = this.#drawing.children(node);
		for (const child of children) this.#draw(child, previous, changed);
		const revision = this.#drawing.revision(node);
		// There are many leaves, and their rows depend on their nodes alone. Rows of branches count what is below them.
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
