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
	/** What such a tooltip is made of: where that changes, the row is redrawn. */
	readonly facts?: readonly unknown[];
	/** What the `when` clauses of menus test. */
	readonly contextValue: string;
	readonly accessibleLabel: string;
	readonly expandable: boolean;
	/** Whether it is open until the user closes it. */
	readonly expanded?: boolean;
	/** Whether it is written in the colour of what is not in use. */
	readonly dimmed?: boolean;
}

/** What has to be redrawn: everything, or some nodes with what is below them; none: nothing. */
type Redraw<N> = 'all' | readonly N[];

/** What the nodes of a tree have in common. */
interface Branch<N> {
	readonly kind: string;
	/** What is below it; a leaf has none of these. */
	readonly tools?: readonly N[];
	readonly problems?: readonly N[];
	readonly servers?: readonly N[];
}

/** How the nodes of one tree are told apart and drawn. */
export interface Drawing<N> {
	/** Identifies a node from one state to the next. */
	readonly id: (node: N) => string;
	readonly row: (node: N) => TreeRow;
	/**
	 * Whether two nodes of one id look the same, tooltips included; made to be quicker than comparing their rows. A leaf is redrawn when this
	 * is false. For a branch it may always be false: a branch is redrawn only when its row or its children have changed.
	 */
	readonly isSame: (a: N, b: N) => boolean;
}

interface Drawn<N> {
	readonly node: N;
	readonly row: TreeRow;
	/** What the row was made of: as long as that is the same, the row is not made again. */
	readonly from: N;
}

/**
 * The nodes of a tree, each the same object from one state to the next. The editor knows a node by its object, and while it redraws a node
 * it forgets the nodes below: an action that is pressed meanwhile is run without its node. So as little as possible is redrawn.
 */
export class StableNodes<N extends Branch<N>> {
	readonly #drawing: Drawing<N>;
	#drawn = new Map<string, Drawn<N>>();
	#roots: readonly N[] = [];

	constructor(drawing: Drawing<N>) {
		this.#drawing = drawing;
	}

	get roots(): readonly N[] {
		return this.#roots;
	}

	row(node: N): TreeRow {
		return this.#drawn.get(this.#drawing.id(node))?.row ?? this.#drawing.row(node);
	}

	/** Takes over a new state, and tells what of it must be redrawn. */
	update(fresh: readonly N[]): Redraw<N> {
		const before = this.#drawn;
		this.#drawn = new Map();
		const changed: N[] = [];
		const roots = fresh.map((node) => this.#keep(node, before, changed));
		// The editor indents leaves beside a node that can be expanded, and sees to that only when it draws them.
		const hadBranch = this.#roots.some((node) => before.get(this.#drawing.id(node))?.row.expandable);
		const hasBranch = roots.some((node) => this.row(node).expandable);
		const sameRoots = sameObjects(roots, this.#roots) && hadBranch === hasBranch;
		this.#roots = roots;
		return sameRoots ? changed : 'all';
	}

	/** The object that stands for a node from now on; it is added to `changed` where it must be redrawn. */
	#keep(from: N, before: ReadonlyMap<string, Drawn<N>>, changed: N[]): N {
		const id = this.#drawing.id(from);
		const old = before.get(id);
		const below = childrenOf(from)?.map((node) => this.#keep(node, before, changed));
		const sameChildren = sameObjects((old && childrenOf(old.node)) ?? [], below ?? []);
		const isSame = old !== undefined && this.#drawing.isSame(old.from, from);
		const row = old && isSame ? old.row : this.#drawing.row(from);
		const children = below && { [from.tools ? 'tools' : from.problems ? 'problems' : 'servers']: below };
		const node = taking(old?.node, { ...from, ...children });
		const looksSame = isSame || (below !== undefined && isDeepStrictEqual(old?.row, row));
		if (old && !(sameChildren && looksSame)) changed.push(node);
		this.#drawn.set(id, { node, row, from });
		return node;
	}
}

function childrenOf<N extends Branch<N>>({ tools, problems, servers }: N): readonly N[] | undefined {
	return tools ?? problems ?? servers;
}

/** Gives the object that stood for a node the properties that the node has now, and takes away those that it has no more. */
function taking<N extends object>(old: N | undefined, now: N): N {
	if (!old) return now;
	for (const key of Object.keys(old)) if (!(key in now)) Reflect.deleteProperty(old, key);
	return Object.assign(old, now);
}

function sameObjects(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((item, i) => item === b[i]);
}
