import * as l10n from '@vscode/l10n';
import { isRecord } from '../../common/json.ts';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import type { ModelError, ModelErrorReason } from '../modelError.ts';
import type { Thinker } from '../thinker.ts';

/** Something in a request that an endpoint may refuse, and that the request can omit or express differently. */
export interface Remedy {
	/** The name for {@link Refusals.has}. A field of the body with this name is left out. */
	readonly name: string;
	/** Whether a refusal of this body is about it. Default: the body has a field of this name, and the refusal names it. */
	readonly appliesTo?: (failure: ModelError, body: object) => boolean;
	/** Changes the request; returns whether it did. Default: {@link Refusals.has} is true from then on. */
	readonly apply?: (failure: ModelError, body: object) => boolean;
	/** What the user is told; default: nothing. */
	readonly notice?: (model: string) => string;
	/** Which failures it may be for; default: `invalidRequest`. */
	readonly reasons?: readonly ModelErrorReason[];
	/** It may help several times, e.g. by doubling a limit. */
	readonly repeats?: true;
}

/**
 * Learns what a model refuses in its requests. Little is known in advance: the name of a deployment says nothing, and new models accept less
 * than older ones. A refused request is repeated at most once per remedy, and what helped applies to all later requests.
 */
export class Refusals {
	readonly #remedies: readonly Remedy[];
	readonly #model: string;
	readonly #refused = new Set<string>();

	/** `remedies`: what a protocol needs besides leaving out fields; the likeliest first, for a refusal that names several things. */
	constructor(remedies: readonly Remedy[], model: string) {
		this.#remedies = [...fields, ...remedies];
		this.#model = model;
	}

	has(name: string): boolean {
		return this.#refused.has(name);
	}

	/** A body without the refused fields. */
	without<Body extends object>(body: Body): Body {
		if (this.#refused.size === 0) return body;
		return Object.fromEntries(Object.entries(body).filter(([field]) => !this.#refused.has(field))) as Body;
	}

	/**
	 * Applies one remedy after the other to one request, each once. `remedies`: for this request only; they come first, and in place of others with
	 * their names. `lastResorts`: when no other helps.
	 */
	recovery(remedies: readonly Remedy[], lastResorts: readonly Remedy[] = []) {
		const tried = new Set<Remedy>();
		const requestNames = new Set(remedies.map(({ name }) => name));
		const candidates = [
			...remedies,
			...this.#remedies.filter(({ name }) => !requestNames.has(name)),
			...lastResorts,
		];
		return (failure: ModelError, body: object): { readonly notice?: string | undefined } | undefined => {
			// Only an answer with a status was refused before it began.
			if (failure.status === undefined) return undefined;
			const remedy = candidates.find((candidate) => {
				const { name, reasons = ['invalidRequest'], appliesTo = namesField(name) } = candidate;
				const isDone = tried.has(candidate) || this.#refused.has(name);
				if (isDone || !reasons.includes(failure.reason) || !appliesTo(failure, body)) return false;
				if (!candidate.repeats) tried.add(candidate);
				if (!candidate.apply) this.#refused.add(name);
				return !candidate.apply || candidate.apply(failure, body);
			});
			return remedy && { notice: remedy.notice?.(this.#model) };
		};
	}
}

/** Refusals about the schema of a tool, whose properties may have the name of any field. */
export const schemaRefusal =
	/\btools?[.[]|input_schema|function_?declaration|(?:schema|parameters) (?:for|of|in) (?:function|tool)|\bproperties\b|\bgrammar\b|json schema conversion|unrecognized schema/i;

/** Recognises a refusal that names a field of the body. `words`: how the refusal describes the field, if not by its name. */
function namesField(
	name: string,
	words = new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i'),
): NonNullable<Remedy['appliesTo']> {
	return (failure, body) => {
		if (!Object.hasOwn(body, name)) return false;
		const [blamedField] = failure.param?.split(/[.[]/) ?? [];
		// Some name a part of the protocol that is not a field, such as `None` or `messages`, and the field only in their words.
		if (
			blamedField !== undefined &&
			Object.hasOwn(body, blamedField) &&
			blamedField !== 'messages' &&
			blamedField !== 'input'
		)
			return blamedField === name;
		return failure.says(words) && !failure.says(schemaRefusal);
	};
}

/**
 * Fields that a request of any protocol can do without, and how refusals call them if not by their names. First our own, which nobody misses; of
 * the two names of a limit, the other one is sent then. Of settings, the user is told that they were left out.
 */
const ownFields: readonly (readonly [name: string, words?: RegExp])[] = [
	// Most thinking models cannot be forced to call (https://api-docs.deepseek.com/guides/thinking_mode): words ask for the call then.
	['tool_choice', /tool_choice|forced? tool/i],
	['max_tokens'],
	['max_completion_tokens'],
	['include', /\binclude\b|encrypted content/i],
	['stream_options', /stream_?options|include_?usage/i],
	['prompt_cache_key'],
	['session_id'],
];
const settingFields: typeof ownFields = [
	...['temperature', 'top_p', 'service_tier', 'parallel_tool_calls', 'reasoning_effort', 'reasoning'].map(
		(name) => [name] as const,
	),
	// Before the effort, which refusals of a kind of thinking recommend.
	['thinking', /\bthinking\b/i],
	['output_config', /output_config|\beffort\b/i],
	// https://github.com/ollama/ollama/blob/main/server/routes.go: “"…" does not support thinking”.
	['think', /think/i],
];
const fields: readonly Remedy[] = [
	...ownFields.map(([name, words]) => ({
		name,
		isMeant: namesField(name, words),
		reasons: ['invalidRequest', 'noTools'] as const,
	})),
	...settingFields.map(([name, words]) => ({
		name,
		isMeant: namesField(name, words),
		notice: (model: string) =>
			l10n.t('“{0}” does not accept "{1}" with this value, so it was left out.', model, name),
	})),
];

/**
 * For thoughts that the provider no longer accepts, e.g. after a change of key or account (OpenAI's `invalid_encrypted_content`, Anthropic's
 * "Invalid `signature` in `thinking` block", Google's "Thought signature is not valid" and "Corrupted thought signature":
 * https://github.com/google-gemini/gemini-cli/issues/13467), and for thoughts that are bound to a conversation that has changed since. Of the
 * latter, all are left out at once, because this turn's thoughts have the same changed beginning; then `onBound` is called. And for a turn that goes
 * on without a thought, because another model began it, or thinking was off: `withoutThinking` makes this one request without thinking.
 */
export function thoughtRemedies(
	thinker: Thinker,
	messages: readonly ChatMessage[],
	onBound: () => void,
	withoutThinking: () => void,
): readonly Remedy[] {
	const expected: Remedy = {
		name: 'thinking in this turn',
		appliesTo: (failure, body) =>
			'thinking' in body && failure.says(/expected .?thinking.{0,30}found|must start with a thinking block/i),
		apply: () => {
			withoutThinking();
			return true;
		},
	};
	const stale: Remedy = {
		name: 'thoughts of earlier turns',
		appliesTo: (failure) => failure.says(staleThought) && !failure.says(boundThought),
		apply: () => thinker.reject(messages, false),
		notice: (model) =>
			l10n.t('“{0}” no longer accepts its earlier thinking in this chat, so that was left out.', model),
		repeats: true,
	};
	const bound: Remedy = {
		name: 'thoughts are bound',
		appliesTo: (failure) => failure.says(boundThought),
		apply: () => {
			onBound();
			return thinker.reject(messages, true);
		},
		notice: (model) =>
			l10n.t(
				'“{0}” only accepts its earlier thinking while nothing before it changes. Tools or messages have changed, so that thinking was left out.',
				model,
			),
	};
	return [stale, bound, expected];
}

const boundThought =
	/bound to a different conversation|prefix_mismatch_behavior|thinking. block.{0,60}preceded/is;

const staleThought =
	/thinking.? blocks? .{0,80}cannot be modified|type 'reasoning' was provided without|items are not persisted|duplicate item found with id 'rs_|without its required 'reasoning'|invalid_encrypted_content|encrypted content .{0,80}(?:could not|cannot|can't) be (?:verified|decrypted)|invalid .?signature.? in .?thinking|(?:thought|thinking)[ _]?signature.{0,40}(?:not valid|invalid|corrupt)|(?:invalid|corrupted) thought.?signature/is;

/** A body with additional fields at its end; if both have an object, its members are merged. */
export function withExtra<Body extends object>(
	body: Body,
	extra: Readonly<Record<string, unknown>> = {},
): Body {
	const own = body as Readonly<Record<string, unknown>>;
	const joined = Object.entries(extra).map(([field, value]) => {
		const existing = own[field];
		return [field, isRecord(existing) && isRecord(value) ? { ...existing, ...value } : value];
	});
	return { ...body, ...Object.fromEntries(joined) };
}
