import { isDeepStrictEqual } from 'node:util';
import { nodeId, type TreeNode } from './treeNodes.ts';
import { rowOf, type TreeRow } from './treeRows.ts';

/** What has to be drawn anew: everything, or some nodes (with what is below them), or nothing. */
export type Redraw = 'all' | readonly TreeNode[];

interface Drawn {
	readonly node: TreeNode;
	readonly row: TreeRow;
	/** Of a tool, what its row was made of: as long as these are the same, the row is not made again. */
	readonly from: TreeNode;
}

/**
 * The nodes of a tree, each the same object from one state to the next. The editor knows a node by its object, and forgets those
 * below what it draws anew for as long as that takes: an action pressed in between comes without its node. So as little as
 * possible is drawn anew.
 */
export class StableNodes {
	#drawn = new Map<string, Drawn>();
	#roots: readonly TreeNode[] = [];

	get roots(): readonly TreeNode[] {
		return this.#roots;
	}

	row(node: TreeNode): TreeRow {
		return this.#drawn.get(nodeId(node))?.row ?? rowOf(node);
	}

	/** Takes over a new state, and says what of it is not on the screen yet. */
	update(fresh: readonly TreeNode[]): Redraw {
		const before = this.#drawn;
		this.#drawn = new Map();
		const changed: TreeNode[] = [];
		const roots = fresh.map((node) => this.#keep(node, before, changed));
		const sameRoots = sameObjects(roots, this.#roots);
		this.#roots = roots;
		return sameRoots ? changed : 'all';
	}

	#keep<T extends TreeNode>(from: T, before: ReadonlyMap<string, Drawn>, changed: TreeNode[]): T {
		const id = nodeId(from);
		const old = before.get(id);
		const tools = from.kind === 'server' ? from.tools.map((tool) => this.#keep(tool, before, changed)) : [];
		const children = from.kind === 'server' ? { tools } : {};
		const sameChildren = old?.node.kind !== 'server' || sameObjects(old.node.tools, tools);
		const row = old && isSameTool(old.from, from) ? old.row : rowOf(from);
		const node = Object.assign(old?.node ?? {}, from, children);
		if (old && !(sameChildren && isDeepStrictEqual(old.row, row))) changed.push(node);
		this.#drawn.set(id, { node, row, from });
		return node;
	}
}

function isSameTool(a: TreeNode, b: TreeNode): boolean {
	return (
		a.kind === 'tool' && b.kind === 'tool' && a.tool === b.tool && a.state === b.state && a.why === b.why
	);
}

function sameObjects(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((item, i) => item === b[i]);
}
