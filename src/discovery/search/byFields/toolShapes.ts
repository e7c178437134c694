import type { Tool } from '../../catalog/tool.ts';
import { endsWithVerb, shapeOf, type ToolShape } from './toolShape.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Names of a server that tell where it puts verbs. */
const mostNames = 200;

/** The shapes of some tools, by place. They are read when first asked for: a search compares few tools. */
export class ToolShapes {
	readonly #tools: readonly Tool[];
	readonly #vocabulary: Vocabulary;
	readonly #shapes: (ToolShape | undefined)[] = [];
	/** Made when first asked for. */
	#byServer: ReadonlyMap<string, readonly Tool[]> | undefined;
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
			this.#byServer ??= Map.groupBy(this.#tools, (tool) => tool.server);
			const its = this.#byServer.get(server)?.slice(0, mostNames) ?? [];
			isLast = endsWithVerb(its.map(({ name }) => name));
			this.#verbLast.set(server, isLast);
		}
		return isLast;
	}
}
