import type { Tool } from '../../catalog/tool.ts';
import type { Vocabulary } from './toolDocument.ts';
import { endsWithVerb, shapeOf, type ToolShape } from './toolShape.ts';

/** The shapes of some tools, by place. They are read when first asked for: a search compares few tools. */
export class ToolShapes {
	readonly #tools: readonly Tool[];
	readonly #vocabulary: Vocabulary;
	readonly #shapes: (ToolShape | undefined)[] = [];
	/** By server, see {@link endsWithVerb}. */
	readonly #verbLast = new Map<string, boolean>();

	constructor(tools: readonly Tool[], vocabulary: Vocabulary) {
		this.#tools = tools;
		this.#vocabulary = vocabulary;
	}

	of(place: number): ToolShape {
		let shape = this.#shapes[place];
		if (!shape) {
			const tool = this.#tools[place] as Tool;
			shape = shapeOf(tool, this.#vocabulary, this.#isVerbLast(tool.server));
			this.#shapes[place] = shape;
		}
		return shape;
	}

	#isVerbLast(server: string): boolean {
		let isLast = this.#verbLast.get(server);
		if (isLast === undefined) {
			const its = this.#tools.filter((tool) => tool.server === server);
			isLast = endsWithVerb(its.map(({ name }) => name));
			this.#verbLast.set(server, isLast);
		}
		return isLast;
	}
}
