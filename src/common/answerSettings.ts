import { isOpenAis, isOpenRouters, isProvidersOwn, type Protocol } from './providers.ts';

/** A version as in a model's name: 4.6 is `[4, 6]`. */
export type Version = readonly [major: number, minor: number];

/** The name without markers of fine-tuning (`ft:…`) or of a gateway (`openai/…`, `anthropic.…`). */
function baseName(model: string): string {
	return model
		.slice(model.lastIndexOf('/') + 1)
		.replace(/^ft:|^(?:\w+\.)*anthropic\./, '')
		.toLowerCase();
}

/** The first version of GPT that reasons. */
const reasoningVersion = 5;

/** Whether an OpenAI model reasons before it answers. Others refuse a request for their reasoning: “Encrypted content is not supported with this model.” */
export function reasons(model: string): boolean {
	if (isOSeries(model)) return true;
	return gptVersion(model) >= reasoningVersion && !baseName(model).startsWith('gpt-5-chat');
}

/** Whether a model is one of OpenAI's o-series: o1, o3, o4-mini. */
function isOSeries(model: string): boolean {
	return /^(o\d|codex-mini)/.test(baseName(model));
}

/** 5.4 for `gpt-5.4-mini`; 0 if the name has no such number (`gpt-4o`). */
export function gptVersion(model: string): number {
	const [, version] = /^gpt-(\d(?:\.\d)?)(?![\w.])/.exec(baseName(model)) ?? [];
	return Number(version ?? 0);
}

/** Family and version of a Claude by name; `undefined` for other models or without a version. */
export function claudeOf(model: string): { readonly family: string; readonly version: Version } | undefined {
	const name = baseName(model);
	// Up to 3.7 the version precedes the family: `claude-3-5-haiku-latest`. A longer number is a date.
	const older = /^claude-(\d)(?:[-.](\d))?-([a-z]+)/.exec(name);
	if (older) return { family: older[3] ?? '', version: [Number(older[1]), Number(older[2] ?? 0)] };
	const [, family, major, minor] =
		/^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)/.exec(name) ?? [];
	return family === undefined ? undefined : { family, version: [Number(major), Number(minor ?? 0)] };
}

/** Whether a version is this one or later. */
function isFrom([major, minor]: Version, [fromMajor, fromMinor]: Version): boolean {
	return major > fromMajor || (major === fromMajor && minor >= fromMinor);
}

/** How much a model should think, from none to most. No provider has all of them for all models. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

/** Whether a model thinks before it answers: not at all, as much as it likes, or up to a number of tokens. */
export interface Thinking {
	readonly mode: 'off' | 'adaptive' | 'tokens';
	/** Only with `tokens`. */
	readonly tokens?: number;
	/** Whether the provider sends a summary of the thinking; absent: the provider's default. */
	readonly display?: 'summarized' | 'omitted';
}

/** Settings for a model's answers; absent ones are the provider's choice. */
export interface AnswerSettings {
	readonly reasoningEffort?: Effort;
	readonly thinking?: Thinking;
	readonly temperature?: number;
	readonly topP?: number;
	readonly parallelToolCalls?: boolean;
	readonly serviceTier?: string;
}

/** The parts of a model's configuration that decide which settings it accepts. */
export interface AskedModel {
	readonly protocol: Protocol;
	/** The provider's name for it. */
	readonly model: string;
	/** Its address, e.g. `https://openrouter.ai/api/v1`; matters only for OpenAI's protocols. */
	readonly baseUrl?: string;
}

/** Why a setting is not sent. */
export type Refusal =
	/** The protocol has no such field. */
	| { readonly kind: 'unknown' }
	/** In this protocol another key does the same. */
	| { readonly kind: 'instead'; readonly key: string }
	/** The provider accepts other values. */
	| { readonly kind: 'values'; readonly values: readonly string[] }
	/** The provider accepts numbers up to this one. */
	| { readonly kind: 'most'; readonly most: number }
	/** This model refuses it; other models of the provider accept it. */
	| { readonly kind: 'model' }
	/** Not together with this other setting. */
	| { readonly kind: 'beside'; readonly key: string };

export interface RefusedSetting {
	readonly setting: keyof AnswerSettings;
	readonly refusal: Refusal;
}

const unknown: Refusal = { kind: 'unknown' };
const byModel: Refusal = { kind: 'model' };

/**
 * The settings for which the provider would refuse the whole request, and why. Only known facts count: for an unknown model everything that the protocol
 * has is sent.
 */
export function refusedSettings(asked: AskedModel, settings: AnswerSettings): RefusedSetting[] {
	const refuses = rules[asked.protocol];
	const given = Object.keys(settings) as (keyof AnswerSettings)[];
	return given.flatMap((setting) => {
		const refusal = settings[setting] === undefined ? undefined : refuses[setting](asked, settings, setting);
		return refusal ? [{ setting, refusal }] : [];
	});
}

/** Settings without the refused ones. */
export function takenSettings(asked: AskedModel, settings: AnswerSettings): AnswerSettings {
	const refused = new Set<string>(refusedSettings(asked, settings).map(({ setting }) => setting));
	return Object.fromEntries(
		Object.entries(settings).filter(([key, value]) => value !== undefined && !refused.has(key)),
	);
}

/**
 * Whether a model can be told to answer with a call. Claude refuses it from 5.5 on, Fable and Mythos from 5.1 on, and every Claude while it
 * thinks (https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide,
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking, “Thinking with tool use”).
 */
export function canBeForced({ protocol, model }: AskedModel, { thinking }: AnswerSettings): boolean {
	if (protocol === 'ollama') return false;
	if (protocol !== 'anthropic') return true;
	if (thinking && thinking.mode !== 'off') return false;
	return !bindsThoughts(model);
}

/**
 * Whether a model's thoughts are bound to the system prompt, the tools and the messages before them: Fable and Mythos from 5.1 on, every Claude from
 * 5.5 on (“The block is bound to a different conversation”, https://github.com/anomalyco/opencode/issues/48637).
 */
export function bindsThoughts(model: string): boolean {
	const claude = claudeOf(model);
	return claude !== undefined && isFrom(claude.version, isAlwaysThinking(claude.family) ? [5, 1] : [5, 5]);
}

type Rule = (
	asked: AskedModel,
	settings: AnswerSettings,
	setting: keyof AnswerSettings,
) => Refusal | undefined;
type Rules = Readonly<Record<keyof AnswerSettings, Rule>>;

const taken: Rule = () => undefined;
const upTo =
	(most: number): Rule =>
	(_, settings, setting) =>
		Number(settings[setting]) > most ? { kind: 'most', most } : undefined;
const oneOf =
	(...values: readonly string[]): Rule =>
	(_, settings, setting) =>
		values.includes(String(settings[setting])) ? undefined : { kind: 'values', values };

/** The first refusal of several rules. */
const all =
	(...some: readonly Rule[]): Rule =>
	(...given) => {
		for (const rule of some) {
			const refusal = rule(...given);
			if (refusal) return refusal;
		}
		return undefined;
	};

/** OpenAI's own reasoning models fix their sampling; from GPT-5.1 on only while they reason. */
const noSampling: Rule = ({ baseUrl, model }, { reasoningEffort }) =>
	isOpenAis(baseUrl) && reasons(model) && reasoningEffort !== 'none' ? byModel : undefined;

/** Models that do not reason answer “Unrecognized request argument supplied: reasoning_effort”. Azure's deployment names say nothing about the model. */
const onlyReasoning: Rule = ({ baseUrl = '', model }) =>
	isProvidersOwn({ provider: 'openai', baseUrl }) && !reasons(model) ? byModel : undefined;

const openAiTier = oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast');

/** https://developers.openai.com/api/docs/guides/reasoning and the reference of both APIs. */
const openAi: Omit<Rules, 'thinking' | 'parallelToolCalls'> = {
	reasoningEffort: onlyReasoning,
	temperature: all(noSampling, upTo(2)),
	topP: all(noSampling, upTo(1)),
	serviceTier: (...given) => (isOpenAis(given[0].baseUrl) ? openAiTier(...given) : undefined),
};

const instead: Refusal = { kind: 'instead', key: 'reasoning_effort' };

/** Sonnet 5 and 5.5 have it in their guides: https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide. */
const claudeThinking: Rule = ({ model }, { thinking }) => {
	const claude = claudeOf(model);
	if (claude === undefined || thinking === undefined) return undefined;
	const { family, version } = claude;
	switch (thinking.mode) {
		case 'off':
			return isAlwaysThinking(family) || isFrom(version, [5, 5]) ? byModel : undefined;
		case 'adaptive':
			return isFrom(version, [4, 6]) ? undefined : byModel;
		case 'tokens':
			return isFrom(version, [3, 7]) && !isFrom(version, [4, 7]) ? undefined : byModel;
	}
};

/** Opus 4.7 and all later Claudes refuse it; earlier ones refuse it while they think, and Opus 4.1 and later refuse two of them together. */
const claudeSampling: Rule = ({ model }, { thinking, temperature }, setting) => {
	const claude = claudeOf(model);
	if (claude && isFrom(claude.version, [4, 7])) return byModel;
	if (thinking && thinking.mode !== 'off') return { kind: 'beside', key: 'thinking' };
	const isSecond = setting === 'topP' && temperature !== undefined;
	return claude && isFrom(claude.version, [4, 1]) && isSecond
		? { kind: 'beside', key: 'temperature' }
		: undefined;
};

const oldestWithEffort: ReadonlyMap<string, Version> = new Map([
	['opus', [4, 5]],
	['sonnet', [4, 6]],
]);

const claudeEffort: Rule = ({ model }) => {
	const claude = claudeOf(model);
	if (claude === undefined) return undefined;
	return isFrom(claude.version, oldestWithEffort.get(claude.family) ?? [5, 0]) ? undefined : byModel;
};

const rules: Readonly<Record<AskedModel['protocol'], Rules>> = {
	chat: {
		...openAi,
		// OpenRouter's own field for all its models; no other endpoint has it.
		thinking: ({ baseUrl }) => (isOpenRouters(baseUrl) ? undefined : instead),
		// “Unsupported parameter: 'parallel_tool_calls' is not supported with this model.”
		parallelToolCalls: ({ baseUrl, model }) => (isOpenAis(baseUrl) && isOSeries(model) ? byModel : undefined),
	},
	responses: { ...openAi, thinking: () => instead, parallelToolCalls: taken },
	anthropic: {
		reasoningEffort: all(oneOf('low', 'medium', 'high', 'xhigh', 'max'), claudeEffort),
		thinking: claudeThinking,
		temperature: all(claudeSampling, upTo(1)),
		topP: all(claudeSampling, upTo(1)),
		parallelToolCalls: taken,
		serviceTier: oneOf('auto', 'standard_only'),
	},
	/** https://github.com/ollama/ollama/blob/main/docs/api.md, “think”. */
	ollama: {
		reasoningEffort: oneOf('none', 'low', 'medium', 'high'),
		thinking: (_, { thinking }) =>
			thinking?.mode === 'tokens' || thinking?.display
				? { kind: 'values', values: ['off', 'adaptive'] }
				: undefined,
		temperature: taken,
		topP: upTo(1),
		parallelToolCalls: () => unknown,
		serviceTier: () => unknown,
	},
};

/** Families that always think (https://platform.claude.com/docs/en/build-with-claude/thinking). */
function isAlwaysThinking(family: string): boolean {
	return family === 'fable' || family === 'mythos';
}
