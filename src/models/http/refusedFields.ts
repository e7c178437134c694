import * as l10n from '@vscode/l10n';
import type { ChatModelEvent } from '../chatModel.ts';
import { modelErrorOf } from './retries.ts';

/** A field of a request that can be left out, or put otherwise. */
export interface OptionalField {
	readonly name: string;
	/** How a refusal speaks of it, where that is not by its name. */
	readonly words?: RegExp;
	/** The user need not be told that it was left out. */
	readonly quiet?: true;
}

/**
 * What a model has refused of the optional fields of its requests. What each model takes is known of few: names of deployments say nothing,
 * and new models take less than older ones. A request that is refused for such a field is made again without, and so are all
 * later ones from the start.
 */
export class RefusedFields {
	readonly #fields: readonly OptionalField[];
	readonly #model: string;
	readonly #refused = new Set<string>();

	/** `fields`: the likeliest to be meant first, where a refusal names several. */
	constructor(fields: readonly OptionalField[], model: string) {
		this.#fields = fields;
		this.#model = model;
	}

	has(field: string): boolean {
		return this.#refused.has(field);
	}

	/** A body without what was refused. */
	without<Body extends object>(body: Body): Body {
		if (this.#refused.size === 0) return body;
		return Object.fromEntries(Object.entries(body).filter(([field]) => !this.#refused.has(field))) as Body;
	}

	/** Asks, and again after each refusal of a field, which `ask` then leaves out. `body`: what it asks with; looked at after a refusal only. */
	async *asking<End>(
		ask: () => AsyncGenerator<ChatModelEvent, End>,
		body: () => object,
	): AsyncGenerator<ChatModelEvent, End> {
		for (;;) {
			try {
				return yield* ask();
			} catch (error) {
				const field = this.#refusedBy(error, body);
				if (field === undefined) throw error;
				this.#refused.add(field.name);
				if (!field.quiet) {
					const text = l10n.t(
						'“{0}” does not take "{1}" as it is set, so it was asked without.',
						this.#model,
						field.name,
					);
					yield { type: 'notice', text };
				}
			}
		}
	}

	/** The field that a request was refused for before an answer began. */
	#refusedBy(error: unknown, body: () => object): OptionalField | undefined {
		const failure = modelErrorOf(error);
		if (failure?.reason !== 'invalidRequest' || failure.status === undefined) return undefined;
		const sent = body();
		return this.#fields.find(({ name, words = wordOf(name) }) => {
			return Object.hasOwn(sent, name) && !this.#refused.has(name) && words.test(failure.said);
		});
	}
}

/** A name as a word of its own, not as a part of another. */
function wordOf(name: string): RegExp {
	return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i');
}

/** A body with further fields at its end; where both have an object, its members are joined. */
export function withExtra<Body extends object>(
	body: Body,
	extra: Readonly<Record<string, unknown>> = {},
): Body {
	const own = body as Readonly<Record<string, unknown>>;
	const joined = Object.entries(extra).map(([field, value]) => {
		const ours = own[field];
		return [field, isPlain(ours) && isPlain(value) ? { ...ours, ...value } : value];
	});
	return { ...body, ...Object.fromEntries(joined) };
}

function isPlain(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
