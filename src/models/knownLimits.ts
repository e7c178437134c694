import type { TokenPrice } from '../common/cost.ts';
import type { Provider } from '../common/providers.ts';

/** A model's limits, in tokens. */
export interface ModelLimits {
	/** Maximum of a request. Together with {@link maxOutputTokens} it is the model's context. */
	readonly maxInputTokens: number;
	/** Maximum of an answer, including thoughts. */
	readonly maxOutputTokens: number;
	/** Whether it accepts images. */
	readonly images: boolean;
}

/** What an endpoint says about one of its models. */
export interface ModelFacts {
	/** Maximum tokens of prompt and answer together. */
	readonly contextTokens?: number;
	readonly maxOutputTokens?: number;
	/** Whether it accepts pictures. */
	readonly images?: boolean;
	/** Whether it can call tools. */
	readonly tools?: boolean;
	readonly price?: TokenPrice;
}

/** Limits that a provider mentions when it refuses a request: of prompt and answer together, or of the prompt; and of an answer. */
export type NamedLimits = Pick<ModelFacts, 'contextTokens' | 'maxOutputTokens'>;

/** Whether an endpoint's number can be a limit of a model, in tokens. */
export function isPlausibleTokens(tokens: unknown): tokens is number {
	return typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 512 && tokens <= 100_000_000;
}

/** A family of models: how their names begin, their context and longest answer in tokens, whether they accept images. */
type Family = readonly [name: RegExp, contextTokens: number, outputTokens: number, images: boolean];

const million = 1_000_000;

/** The month in which the table below was compiled, in ISO 8601. What an endpoint says about its models overrides it. */
export const knownSince = '2026-07';

/**
 * For endpoints that list names only (OpenAI's, Google's, DeepSeek's), and until an endpoint has been asked. The first match counts. Each
 * family ends with the limits of its newest member, which unknown newer ones get, too: where they are too large, the endpoint's refusal names
 * the right ones; limits that are too small would cut conversations for ever. Sources: platform.claude.com/docs/models/overview and models.dev.
 */
const families: readonly Family[] = [
	// OpenAI. ChatGPT's models have smaller contexts than the models with the same name.
	[/^gpt-4\.1/, 1_047_576, 32_768, true],
	[/^(chat)?gpt-(4|\d.*-(chat|codex-spark))/, 128_000, 16_384, true],
	[/^gpt-oss/, 131_072, 32_768, false],
	[/^gpt-5(\.[1-3])?(-|$)|^gpt-5\.\d+-(mini|nano|codex)/, 400_000, 128_000, true],
	[/^gpt-/, 1_050_000, 128_000, true],
	[/^o\d/, 200_000, 100_000, true],
	// Anthropic. Its own names have hyphens (`claude-opus-4-6`), OpenRouter's have dots (`claude-opus-4.6`).
	[/^claude-(3|\w+-4([-.][0-5](?!\d)|[-@]\d{8}|$))/, 200_000, 32_000, true],
	[/^claude-/, million, 64_000, true],
	// Others.
	[/^gemini-/, 1_048_576, 65_536, true],
	[/^deepseek/, million, 65_536, false],
	[/^grok/, million, 30_000, true],
	[/^(meta-)?llama/, 327_680, 16_384, true],
	[/^qwen/, 262_144, 65_536, true],
	[/^kimi/, 256_000, 16_384, true],
	[/^(mi|mini|magi|code|dev|pix)stral/, 256_000, 65_536, true],
	[/^glm/, 200_000, 16_384, false],
];

/** For names of no known family, which may be any local model. */
const cautious: Family = [/^/, 32_768, 4_096, false];
/** The same for Anthropic's protocol: most likely a Claude behind a gateway, and every Claude since 3 has this context. */
const cautiousClaude: Family = [/^/, 200_000, 4_096, true];

/** The publicly known limits of a model, by its name; cautious ones for unknown names. */
export function knownLimits(provider: Provider, model: string): ModelLimits {
	const fallback = provider === 'anthropic' ? cautiousClaude : cautious;
	const family = familyOf(model) ?? fallback;
	const [, contextTokens, maxOutputTokens, images] = family;
	return { maxInputTokens: contextTokens - maxOutputTokens, maxOutputTokens, images };
}

/** Whether the name of a model is known; otherwise its limits are a guess. */
export function isKnownFamily(model: string): boolean {
	return familyOf(model) !== undefined;
}

function familyOf(model: string): Family | undefined {
	// A slash follows the maker (OpenRouter, LM Studio) or the host (Ollama).
	const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
	return families.find(([pattern]) => pattern.test(name));
}

/** Names of models that cannot chat, or not with tools, for lists that do not say so (OpenAI's, Groq's, Google's). */
const withoutTools =
	/(?:^|[-_/:.])(?:embed(?:ding)?s?|whisper|tts|transcribe|dall-e|(?:gpt|chatgpt)-image|imagen|veo|sora|moderation|rerank(?:er)?|guard|realtime|audio|aqa|deep-research|computer-use|babbage|davinci|turbo-instruct|search-(?:preview|api)|chatgpt-4o-latest|o1-(?:mini|preview))(?:[-_/:.\d]|$)/i;

/** Whether the name of a model says that it cannot call tools. */
export function cannotCallTools(model: string): boolean {
	return withoutTools.test(model);
}

/**
 * A model's limits according to the configuration, else its endpoint, else the table above. `learned`: the context that the provider mentioned
 * when it refused a request, in tokens; it overrides everything except a smaller limit of the user. An answer that could fill most of the context
 * gets only a part of it: many endpoints give the context itself as the longest answer.
 */
export function modelLimits(
	provider: Provider,
	model: string,
	configured: Pick<ModelFacts, 'contextTokens' | 'maxOutputTokens' | 'images'>,
	facts: ModelFacts = {},
	refusedContextTokens?: number,
): ModelLimits {
	const known = knownLimits(provider, model);
	const contextOfModel =
		refusedContextTokens ?? facts.contextTokens ?? known.maxInputTokens + known.maxOutputTokens;
	const contextTokens = Math.min(
		configured.contextTokens ?? contextOfModel,
		refusedContextTokens ?? Number.POSITIVE_INFINITY,
	);
	const half = Math.floor(contextTokens / 2);
	const reportedOutput = facts.maxOutputTokens ?? known.maxOutputTokens;
	const usualOutput = reportedOutput <= half ? reportedOutput : Math.floor(contextTokens / 4);
	const { maxOutputTokens = usualOutput, images = facts.images ?? known.images } = configured;
	// Some do not accept longer requests for shorter answers (GPT-5), so a limit on the answer alone changes nothing else.
	const outputRoom =
		configured.contextTokens === undefined ? usualOutput : Math.min(maxOutputTokens, contextTokens - half);
	return { maxInputTokens: contextTokens - outputRoom, maxOutputTokens, images };
}
