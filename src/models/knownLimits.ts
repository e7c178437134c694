import type { Provider } from './endpoint.ts';

/** What a model takes and gives, in tokens. */
export interface ModelLimits {
	/** Most of a request. With {@link maxOutputTokens} it makes up the model's context. */
	readonly maxInputTokens: number;
	/** Most of an answer, what a model thinks before it among it. */
	readonly maxOutputTokens: number;
	/** Whether it takes images. */
	readonly images: boolean;
}

/** What the configuration says of a model's limits, in tokens. */
export interface ConfiguredLimits {
	/** Longest context: prompt and answer together. */
	readonly contextTokens?: number;
	readonly maxOutputTokens?: number;
	readonly images?: boolean;
}

/** A family of models: how their names begin, their context and longest answer in tokens, whether they take images. */
type Family = readonly [name: RegExp, contextTokens: number, outputTokens: number, images: boolean];

const million = 1_000_000;

/**
 * By family, the first that fits; the narrower ones first. Claude's as in platform.claude.com/docs/models/overview, where they are
 * still listed; the rest as in models.dev (github.com/anomalyco/models.dev, July 2026), the smaller figure where hosts of
 * one model differ. Where an answer may fill the whole context it gets a part of it here, so that a request has room.
 */
const families: readonly Family[] = [
	// OpenAI. The models behind ChatGPT are smaller than those that they are named after.
	[/^gpt-5(\.\d+)?-chat/, 128_000, 16_384, true],
	[/^gpt-5\.\d+-codex-spark/, 128_000, 32_000, true],
	[/^gpt-5\.[45](-pro)?(-\d{4}|$)/, 1_050_000, 128_000, true],
	[/^gpt-5/, 400_000, 128_000, true],
	[/^gpt-4\.1/, 1_047_576, 32_768, true],
	[/^gpt-4o-2024-05-13/, 128_000, 4_096, true],
	[/^(chat)?gpt-4o/, 128_000, 16_384, true],
	[/^gpt-4-turbo/, 128_000, 4_096, true],
	[/^gpt-4(?!\.)/, 8_192, 4_096, false],
	[/^gpt-3\.5/, 16_385, 4_096, false],
	[/^gpt-oss/, 131_072, 32_768, false],
	[/^gpt-/, 128_000, 16_384, true],
	[/^o3-mini/, 200_000, 100_000, false],
	[/^(o1|o3|o4-mini)(-(pro|deep-research|\d{4}).*)?$/, 200_000, 100_000, true],
	// Anthropic. Its own names have hyphens (`claude-opus-4-6`), OpenRouter's have dots (`claude-opus-4.6`).
	[/^claude-(fable|opus|sonnet)-5/, million, 128_000, true],
	[/^claude-opus-4[-.][678]/, million, 128_000, true],
	[/^claude-sonnet-4[-.]6/, million, 64_000, true],
	[/^claude-opus-4[-.]5/, 200_000, 64_000, true],
	[/^claude-opus-4/, 200_000, 32_000, true],
	[/^claude-(3[-.]7-sonnet|sonnet-4|haiku-4)/, 200_000, 64_000, true],
	[/^claude-3[-.]5/, 200_000, 8_192, true],
	[/^claude-3/, 200_000, 4_096, true],
	[/^claude-/, 200_000, 32_000, true],
	// Google.
	[/^gemini-2\.0/, 1_048_576, 8_192, true],
	[/^gemini-.*image/, 32_768, 16_384, true],
	[/^gemini-(2\.5|3)/, 1_048_576, 65_536, true],
	[/^gemma-?4/, 131_072, 8_192, true],
	[/^gemma-?3n/, 32_768, 8_192, false],
	[/^gemma-?3:(270m|1b)/, 32_768, 8_192, false],
	[/^gemma-?3/, 131_072, 16_384, true],
	[/^gemma-?2/, 8_192, 2_048, false],
	// Meta.
	[/^(meta-)?llama-?4/, 327_680, 16_384, true],
	[/^(meta-)?llama-?3\.2.*vision/, 131_072, 16_384, true],
	[/^(meta-)?llama-?3\.[123]/, 131_072, 16_384, false],
	[/^(meta-)?llama-?3/, 8_192, 4_096, false],
	// Alibaba.
	[/^qwen-?3\.[56]/, 262_144, 65_536, true],
	[/^qwen-?3-?vl/, 131_072, 32_768, true],
	[/^qwen-?3-?(coder|max)/, 262_144, 32_768, false],
	[/^qwen-?3-?next/, 131_072, 32_768, false],
	[/^qwen-?3/, 40_960, 8_192, false],
	[/^qwen-?2\.?5-?vl/, 128_000, 8_192, true],
	[/^qwen-?2\.?5/, 32_768, 8_192, false],
	// Mistral.
	[/^mistral-(large-2512|medium-2604|small-2603)/, 256_000, 65_536, true],
	[/^mistral-(medium|small-?3|small-2506)/, 128_000, 16_384, true],
	[/^(mistral-nemo|mistral-large|devstral|magistral)/, 128_000, 16_384, false],
	[/^ministral/, 131_072, 16_384, true],
	[/^codestral/, 256_000, 4_096, false],
	// Others.
	[/^deepseek-v4/, million, 65_536, false],
	[/^deepseek-(chat-)?v3/, 128_000, 16_384, false],
	[/^deepseek/, 64_000, 16_000, false],
	[/^kimi-k2\.[567]/, 256_000, 16_384, true],
	[/^kimi-k2/, 131_072, 16_384, false],
	[/^glm-4\.(5|6)v/, 64_000, 16_384, true],
	[/^glm-4\.5/, 131_072, 98_304, false],
	[/^glm-(4\.[67]|5)/, 200_000, 16_384, false],
	[/^grok-4\.[23]/, million, 30_000, true],
	[/^minimax-m2/, 196_608, 128_000, false],
	[/^phi-?4(:|$)/, 16_384, 4_096, false],
	[/^command-a-03/, 256_000, 8_000, false],
	[/^command-r/, 128_000, 4_000, false],
	[/^granite-?4/, 131_000, 16_384, false],
];

/** What holds for a name of no known family: it may be anything that someone runs at home. */
const cautious: Family = [/^/, 32_768, 4_096, false];
/** The same where Anthropic's protocol is spoken: most likely a Claude under a name of a gateway's, and each since 3 has that much. */
const cautiousClaude: Family = [/^/, 200_000, 4_096, true];

/** What is publicly known of a model's limits, by its name; cautious where nothing is. */
export function knownLimits(provider: Provider, model: string): ModelLimits {
	// The maker stands before a slash with those who serve many (OpenRouter, LM Studio), the host with Ollama.
	const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
	const unheardOf = provider === 'anthropic' ? cautiousClaude : cautious;
	const family = families.find(([pattern]) => pattern.test(name)) ?? unheardOf;
	const [, contextTokens, maxOutputTokens, images] = family;
	return { maxInputTokens: contextTokens - maxOutputTokens, maxOutputTokens, images };
}

/** A model's limits: as the configuration has them, else as they are known. */
export function modelLimits(provider: Provider, model: string, configured: ConfiguredLimits): ModelLimits {
	const known = knownLimits(provider, model);
	const { contextTokens, images = known.images } = configured;
	if (contextTokens === undefined) {
		// Some take no longer request for a shorter answer (GPT-5), so a limit on the answer changes nothing else.
		const { maxOutputTokens = known.maxOutputTokens } = configured;
		return { maxInputTokens: known.maxInputTokens, maxOutputTokens, images };
	}
	const half = Math.floor(contextTokens / 2);
	const { maxOutputTokens = Math.min(known.maxOutputTokens, half) } = configured;
	return { maxInputTokens: Math.max(half, contextTokens - maxOutputTokens), maxOutputTokens, images };
}
