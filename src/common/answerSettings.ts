import { isOpenRouterUrl, type Protocol } from './providers.ts';

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
export function isReasoningModel(model: string): boolean {
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
export type SettingRefusal =
	/** The protocol has no such field. */
	| { readonly kind: 'unknown' }
	/** In this protocol another key does the same. */
	| { readonly kind: 'instead'; readonly key: string }
	/** The protocol has other values. */
	| { readonly kind: 'values'; readonly values: readonly string[] }
	/** The protocol has numbers up to this one. */
	| { readonly kind: 'most'; readonly most: number };

export interface RefusedSetting {
	readonly setting: keyof AnswerSettings;
	readonly refusal: SettingRefusal;
}

/**
 * The settings that the model's protocol does not have, and why. What else a model refuses, its endpoint says: names and versions of models say
 * little about it, and new models accept less than older ones.
 */
export function refusedSettings(
	{ protocol, baseUrl }: AskedModel,
	settings: AnswerSettings,
): RefusedSetting[] {
	const refuses = protocol === 'chat' && isOpenRouterUrl(baseUrl) ? openRouter : rules[protocol];
	const setKeys = Object.keys(settings) as (keyof AnswerSettings)[];
	return setKeys.flatMap((setting) => {
		const refusal = settings[setting] === undefined ? undefined : refuses[setting]?.(settings, setting);
		return refusal ? [{ setting, refusal }] : [];
	});
}

/** Settings without the refused ones. */
export function acceptedSettings(model: AskedModel, settings: AnswerSettings): AnswerSettings {
	const refused = new Set<string>(refusedSettings(model, settings).map(({ setting }) => setting));
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

type Rule = (settings: AnswerSettings, setting: keyof AnswerSettings) => SettingRefusal | undefined;
/** Absent: every value is sent. */
type Rules = { readonly [Setting in keyof AnswerSettings]?: Rule };

const unknown: Rule = () => ({ kind: 'unknown' });
const upTo =
	(most: number): Rule =>
	(settings, setting) =>
		Number(settings[setting]) > most ? { kind: 'most', most } : undefined;
const oneOf =
	(...values: readonly string[]): Rule =>
	(settings, setting) =>
		values.includes(String(settings[setting])) ? undefined : { kind: 'values', values };

/** With a field for thinking. */
const openRouter: Rules = { temperature: upTo(2), topP: upTo(1) };
const openAi: Rules = { ...openRouter, thinking: () => ({ kind: 'instead', key: 'reasoning_effort' }) };

const rules: Readonly<Record<AskedModel['protocol'], Rules>> = {
	chat: openAi,
	responses: openAi,
	anthropic: {
		reasoningEffort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
		temperature: upTo(1),
		topP: upTo(1),
		serviceTier: oneOf('auto', 'standard_only'),
	},
	/** https://github.com/ollama/ollama/blob/main/docs/api.md, “think”. */
	ollama: {
		reasoningEffort: oneOf('none', 'low', 'medium', 'high'),
		thinking: ({ thinking }) =>
			thinking?.mode === 'tokens' || thinking?.display
				? { kind: 'values', values: ['off', 'adaptive'] }
				: undefined,
		topP: upTo(1),
		parallelToolCalls: unknown,
		serviceTier: unknown,
	},
};

/** Families that always think (https://platform.claude.com/docs/en/build-with-claude/thinking). */
function isAlwaysThinking(family: string): boolean {
	return family === 'fable' || family === 'mythos';
}
