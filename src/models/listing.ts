import type { TokenPrice } from '../common/cost.ts';
import { defined, isRecord, type JsonRecord, recordOf } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import { anthropicVersion } from './anthropic/requestBody.ts';
import { endpointFetch } from './http/endpointFetch.ts';
import { errorAbout } from './http/failure.ts';
import { cannotCallTools, isPlausibleTokens, type ModelFacts } from './knownLimits.ts';
import { ModelError } from './modelError.ts';
import { modelDetails } from './ollama/contextWindow.ts';
import type { AnswerLimits, Endpoint } from './provider.ts';

/** A model in an endpoint's list. */
export interface ListedModel extends ModelFacts {
	/** The provider's name for it. */
	readonly model: string;
	/** Its display name. */
	readonly title?: string;
}

/** All models of an endpoint, in the endpoint's order. */
export interface ModelList {
	readonly models: readonly ListedModel[];
	/** How many entries are missing: invalid ones, and those beyond {@link maxListed}. */
	readonly leftOut: number;
}

/** Maximum models of one endpoint. OpenRouter has the most, about 500. */
export const maxListed = 1_000;
/** Maximum characters of a name and of a display name. */
const nameCharacters = 200;
const titleCharacters = 100;
/** Limits for a list: people wait for it. OpenRouter's has about 1 MB. */
const listLimits: AnswerLimits = {
	firstByteMs: 15_000,
	gapMs: 15_000,
	bytes: 8 * 1024 * 1024,
	totalMs: 60_000,
};
/** As many as a page of Anthropic's list can have, the newest first (https://platform.claude.com/docs/en/api/models/list). */
const anthropicPath = '/v1/models?limit=1000';
/** How many models of one Ollama are asked about at a time: it reads a file for each. */
const parallelDetails = 4;
/** Highest plausible price in US dollars for a million tokens. */
const plausibleUsd = 10_000;

/**
 * Asks an endpoint which models it has. A model whose name cannot be shown or sent is left out; a field with an invalid value is ignored.
 * Throws a `ModelError`.
 */
export async function listModels(endpoint: Endpoint, signal: AbortSignal): Promise<ModelList> {
	switch (endpoint.provider) {
		case 'openai':
			return listOf(await entriesOf(endpoint, '/models', signal), openAiModel);
		case 'anthropic':
			return listOf(await entriesOf(endpoint, anthropicPath, signal), anthropicModel);
		case 'ollama':
			return ollamaModels(endpoint, signal);
	}
}

/** Reads a model from the cache on disk, to which others can write; `undefined` if it is invalid. */
export function cachedModel(cached: unknown): ListedModel | undefined {
	if (!isRecord(cached)) return undefined;
	const { input, output, cacheRead, cacheWrite } = recordOf(cached.price);
	return listedModel(cached.model, { ...cached, price: priceOf([input, output, cacheRead, cacheWrite], 1) });
}

function listOf(
	entries: readonly unknown[],
	read: (entry: JsonRecord) => ListedModel | undefined,
): ModelList {
	const models = new Map<string, ListedModel>();
	for (const entry of entries) {
		const model = isRecord(entry) ? read(entry) : undefined;
		if (model && !models.has(model.model)) models.set(model.model, model);
		if (models.size === maxListed) break;
	}
	return { models: [...models.values()], leftOut: entries.length - models.size };
}

/**
 * OpenAI's own list has only names (https://platform.openai.com/docs/api-reference/models/list). Others add what they know, under various names:
 * OpenRouter (https://openrouter.ai/docs/models), Groq (https://console.groq.com/docs/api-reference#models), Mistral (https://docs.mistral.ai/api/#tag/models), Together
 * (https://docs.together.ai/reference/models-1), vLLM (`max_model_len`), llama.cpp (`meta`, its tools/server/README.md), LM Studio (https://lmstudio.ai/docs/developer/rest).
 */
function openAiModel(entry: JsonRecord): ListedModel | undefined {
	if (entry.active === false) return undefined;
	const [top, meta, architecture] = [entry.top_provider, entry.meta, entry.architecture].map(recordOf);
	const capabilityNames = Array.isArray(entry.capabilities) ? entry.capabilities : [];
	const capabilityFlags = recordOf(entry.capabilities);
	const canChat = capabilityFlags.completion_chat !== false && !otherKinds.test(String(entry.type));
	const canCallTools =
		has(entry.supported_parameters, 'tools') ??
		capabilityFlags.function_calling ??
		(capabilityNames.includes('tool_use') ? true : undefined);
	return listedModel(entry.id, {
		title: entry.display_name ?? entry.name,
		contextTokens: [...contextFields.map((field) => entry[field]), meta?.n_ctx, meta?.n_ctx_train].find(
			isPlausibleTokens,
		),
		maxOutputTokens: top?.max_completion_tokens ?? entry.max_completion_tokens,
		images:
			has(architecture?.input_modalities, 'image') ??
			capabilityFlags.vision ??
			(entry.type === 'vlm' || capabilityNames.includes('vision') ? true : undefined),
		tools: canChat && has(architecture?.output_modalities, 'text') !== false ? canCallTools : false,
		price: openRouterPrice(recordOf(entry.pricing)),
	});
}

/** Names of a context's length: the one that is loaded, then the longest. */
const contextFields =
	'loaded_context_length context_length context_window max_model_len max_context_length'.split(' ');
/** Types of models that cannot chat. */
const otherKinds = /^(?:embeddings?|image|audio|transcribe|moderation|rerank|video)$/;

/** OpenRouter's prices are strings, in US dollars per token; a negative one depends on the request. */
function openRouterPrice(pricing: JsonRecord): TokenPrice | undefined {
	const fields = ['prompt', 'completion', 'input_cache_read', 'input_cache_write'];
	const numbers = fields.map((name) => {
		const text = pricing[name];
		return typeof text === 'string' && text.trim() !== '' ? Number(text) : undefined;
	});
	return priceOf(numbers, 1_000_000);
}

function anthropicModel(entry: JsonRecord): ListedModel | undefined {
	if (entry.lifecycle === 'retired') return undefined;
	return listedModel(entry.id, {
		title: entry.display_name,
		contextTokens: entry.max_input_tokens,
		maxOutputTokens: entry.max_tokens,
		images: recordOf(recordOf(entry.capabilities).image_input).supported,
	});
}

/** Ollama's list has only names; each model's abilities need another request (github.com/ollama/ollama, docs/api.md). */
async function ollamaModels(endpoint: Endpoint, signal: AbortSignal): Promise<ModelList> {
	const entries = await entriesOf(endpoint, '/api/tags', signal);
	const { models, leftOut } = listOf(entries, ({ name, model }) => listedModel(name ?? model, {}));
	const detailed = [...models];
	for (let at = 0; at < models.length; at += parallelDetails) {
		const batch = models.slice(at, at + parallelDetails);
		const details = await Promise.all(
			batch.map(({ model }) => modelDetails(endpoint, model, { signal, limits: listLimits })),
		);
		signal.throwIfAborted();
		for (const [i, model] of batch.entries())
			detailed[at + i] = listedModel(model.model, details[i] ?? {}) ?? model;
		// This is not Ollama, or it hangs: the other models would take as long.
		if (details.every((detail) => detail === undefined)) break;
	}
	return { models: detailed, leftOut };
}

/** The entries of a list, which is in its usual field, or the whole body (Together). */
async function entriesOf(endpoint: Endpoint, path: string, signal: AbortSignal): Promise<readonly unknown[]> {
	const headers = { 'anthropic-version': anthropicVersion };
	const request = { signal, limits: listLimits, ...(endpoint.provider === 'anthropic' && { headers }) };
	try {
		const body: unknown = await (await endpointFetch(endpoint, path, request)).json();
		const entries = isRecord(body) ? body[endpoint.provider === 'ollama' ? 'models' : 'data'] : body;
		if (Array.isArray(entries)) return entries;
		throw noList(endpoint);
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof ModelError && error.reason !== 'notFound') throw error;
		throw noList(endpoint, error);
	}
}

function noList(endpoint: Endpoint, cause?: unknown): ModelError {
	const advice = `Check "base_url" of the client “${endpoint.name}” in the configuration file, or name its models there.`;
	return errorAbout(endpoint, 'malformed', { did: 'has no list of models', advice, cause });
}

/** A model from unchecked fields, of which invalid ones are ignored; `undefined` if its name cannot be shown or sent. */
function listedModel(
	name: unknown,
	fields: Readonly<Partial<Record<'title' | keyof ModelFacts, unknown>>> & {
		readonly price?: TokenPrice | undefined;
	},
): ListedModel | undefined {
	if (typeof name !== 'string' || name === '' || name.length > nameCharacters) return undefined;
	if (oneLine(name) !== name || !name.isWellFormed()) return undefined;
	const title =
		typeof fields.title === 'string' ? oneLine(fields.title.slice(0, 1_000), titleCharacters) : '';
	return defined({
		model: name,
		title: title === '' || title === name ? undefined : title,
		contextTokens: isPlausibleTokens(fields.contextTokens) ? fields.contextTokens : undefined,
		maxOutputTokens: isPlausibleTokens(fields.maxOutputTokens) ? fields.maxOutputTokens : undefined,
		images: typeof fields.images === 'boolean' ? fields.images : undefined,
		tools: typeof fields.tools === 'boolean' ? fields.tools : cannotCallTools(name) ? false : undefined,
		price: fields.price,
	});
}

/** A price of these numbers times a factor; `undefined` if one of the first two is missing, or any is implausible. */
function priceOf(numbers: readonly unknown[], factor: number): TokenPrice | undefined {
	const values = numbers.map((number) => (typeof number === 'number' ? number * factor : undefined));
	const isFaulty = values.some((usd) => usd !== undefined && !(usd >= 0 && usd <= plausibleUsd));
	// Removes rounding errors of binary fractions: 0.0000003 × 1,000,000.
	const [input, output, cacheRead, cacheWrite] = values.map((usd) => usd && Number(usd.toPrecision(12)));
	if (isFaulty || input === undefined || output === undefined) return undefined;
	return defined({ input, output, cacheRead, cacheWrite });
}

/** Whether a list contains a word; `undefined` if it is no list. */
function has(list: unknown, word: string): boolean | undefined {
	return Array.isArray(list) ? list.includes(word) : undefined;
}
