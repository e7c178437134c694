import * as l10n from '@vscode/l10n';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import type { ChatModelEvent } from '../chatModel.ts';
import type { ModelError } from '../modelError.ts';
import type { Thinker } from '../thinker.ts';
import { modelErrorOf } from './retries.ts';

/** One thing that an endpoint may refuse of a request, and that a request can do without, or do in another way. */
export interface Remedy {
	/** What {@link Refusals.has} knows it by. A field of the body of this name is left out. */
	readonly name: string;
	/** Whether a refusal of this body speaks of it; default: the body has a field of this name, and the refusal names it. */
	readonly isMeant?: (failure: ModelError, body: object) => boolean;
	/** What changes; default: it is remembered, and {@link Refusals.has} is true from then on. Returns whether anything has changed. */
	readonly apply?: (failure: ModelError) => boolean;
	/** What the user is told, `undefined` for nothing; default: the name of the field. */
	readonly notice?: string | undefined;
}

/**
 * What a model has refused of its requests. Little is known beforehand of what each model takes: the name of a deployment says nothing, and
 * new models take less than older ones. A refused request is made again at most once for each remedy, and what helped holds for all later requests.
 */
export class Refusals {
	readonly #remedies: readonly Remedy[];
	readonly #model: string;
	readonly #refused = new Set<string>();
	/** What an accepted request had, with its value: it is not what a later one is refused for. */
	readonly #accepted = new Set<string>();

	/** `remedies`: the likeliest first, where a refusal speaks of several. */
	constructor(remedies: readonly Remedy[], model: string) {
		this.#remedies = remedies;
		this.#model = model;
	}

	has(name: string): boolean {
		return this.#refused.has(name);
	}

	/** A body without the fields that were refused. */
	without<Body extends object>(body: Body): Body {
		if (this.#refused.size === 0) return body;
		return Object.fromEntries(Object.entries(body).filter(([field]) => !this.#refused.has(field))) as Body;
	}

	/**
	 * Asks, and again after each refusal that a remedy helps against. `body` makes the body that `ask` sends; `remedies` are those of this
	 * request alone, and come first.
	 */
	async *asking<End>(
		ask: () => AsyncGenerator<ChatModelEvent, End>,
		body: () => object,
		remedies: readonly Remedy[] = [],
	): AsyncGenerator<ChatModelEvent, End> {
		const tried = new Set<Remedy>();
		for (;;) {
			try {
				const end = yield* ask();
				this.#accept(body());
				return end;
			} catch (error) {
				const failure = modelErrorOf(error);
				const remedy = failure && this.#remedyFor(failure, body(), [...remedies, ...this.#remedies], tried);
				if (!failure || !remedy) throw error;
				tried.add(remedy);
				if (!remedy.apply) this.#refused.add(remedy.name);
				else if (!remedy.apply(failure)) throw error;
				const notice = 'notice' in remedy ? remedy.notice : this.#notice(remedy.name);
				if (notice !== undefined) yield { type: 'notice', text: notice };
			}
		}
	}

	#notice(field: string): string {
		return l10n.t('“{0}” does not accept "{1}" with this value, so it was left out.', this.#model, field);
	}

	#accept(body: object): void {
		for (const { name } of this.#remedies) {
			if (Object.hasOwn(body, name)) this.#accepted.add(keyOf(body, name));
		}
	}

	/** What a request was refused for before an answer began. */
	#remedyFor(
		failure: ModelError,
		body: object,
		remedies: readonly Remedy[],
		tried: ReadonlySet<Remedy>,
	): Remedy | undefined {
		if (failure.reason !== 'invalidRequest' || failure.status === undefined) return undefined;
		return remedies.find((remedy) => {
			const { name, isMeant = namesField(name) } = remedy;
			if (tried.has(remedy) || this.#refused.has(name)) return false;
			if (this.#accepted.has(keyOf(body, name))) return false;
			return isMeant(failure, body);
		});
	}
}

/** How a refusal speaks of the schema of a tool, whose properties may have the name of any field. */
const ofSchema =
	/\btools?[.[]|input_schema|(?:schema|parameters) (?:for|of) (?:function|tool)|\bproperties\b/i;

/** A refusal that names a field which the body has. `words`: how it speaks of the field, where that is not by its name. */
export function namesField(name: string, words = wordOf(name)): NonNullable<Remedy['isMeant']> {
	return (failure, body) => {
		if (!Object.hasOwn(body, name)) return false;
		const [named] = failure.param?.split(/[.[]/) ?? [];
		// Some name a part of the protocol and not of the body, such as `None` or `messages`, and the field in their words.
		if (named !== undefined && Object.hasOwn(body, named) && named !== 'messages' && named !== 'input')
			return named === name;
		return failure.says(words) && !failure.says(ofSchema);
	};
}

function keyOf(body: object, name: string): string {
	return JSON.stringify([name, (body as Readonly<Record<string, unknown>>)[name]]);
}

/** A name as a word of its own, not as a part of another. */
function wordOf(name: string): RegExp {
	return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i');
}

/**
 * For thoughts that the provider no longer accepts, as after a change of key or account: OpenAI's `invalid_encrypted_content`, Anthropic's
 * "Invalid `signature` in `thinking` block", Google's "Thought signature is not valid".
 */
export function staleThoughts(thinker: Thinker, messages: readonly ChatMessage[], model: string): Remedy {
	return {
		name: 'thoughts of earlier turns',
		isMeant: (failure) => failure.says(staleThought),
		apply: () => thinker.reject(messages),
		notice: l10n.t(
			'“{0}” no longer accepts what it thought earlier in this chat, so those thoughts were left out. This happens after a change of key or account.',
			model,
		),
	};
}

const staleThought =
	/invalid_encrypted_content|encrypted content .{0,80}(?:could not|cannot|can't) be (?:verified|decrypted)|invalid .?signature.? in .?thinking|(?:thought|thinking)[ _]?signature.{0,40}(?:not valid|invalid|corrupt)|invalid thought.?signature/is;

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
