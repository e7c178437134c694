import * as l10n from '@vscode/l10n';
import {
	type AnswerSettings,
	type AskedModel,
	acceptedSettings,
	refusedSettings,
	type SettingRefusal,
} from '../../common/answerSettings.ts';
import type { TokenPrice } from '../../common/cost.ts';
import { defined, isRecord } from '../../common/json.ts';
import { protocolOf } from '../../common/providers.ts';
import { nameFault } from '../file/entryNames.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import { quotedList, suggestedName, withSuggestion } from '../problemText.ts';
import type { SalvagedConfig } from '../salvage.ts';
import type { VariableScope } from '../secrets/variables.ts';
import type { ClientDefinition } from './clientDefinition.ts';

/** An entry of `models`. */
export interface ModelDefinition {
	/** The address of its file; for a model that its client's endpoint lists, the client's. */
	readonly file: string;
	/** The file is the user's own. */
	readonly ofUser?: true;
	readonly name: string;
	readonly client: ClientDefinition;
	/** The provider's name for it. */
	readonly model: string;
	/** Name of a file in `prompt-templates`, without `.j2`. */
	readonly template?: string;
	/** Context window: tokens of prompt and answer together. */
	readonly contextTokens?: number;
	readonly maxOutputTokens?: number;
	readonly images?: boolean;
	/** Settings for its answers that its provider supports. */
	readonly answers?: AnswerSettings;
	/** Additional fields of the request body. */
	readonly extraBody?: Readonly<Record<string, unknown>>;
	/** Its price according to the user. */
	readonly price?: TokenPrice;
}

type ModelEntry = NonNullable<ReturnType<NonNullable<SalvagedConfig['models']>['get']>>;

/** Names in the file of the answer settings. */
const answerKeys: Readonly<Record<keyof AnswerSettings, string>> = {
	reasoningEffort: 'reasoning_effort',
	thinking: 'thinking',
	temperature: 'temperature',
	topP: 'top_p',
	parallelToolCalls: 'parallel_tool_calls',
	serviceTier: 'service_tier',
};

/** Optional keys: a fault in one of them drops the key, not the model. */
const optionalKeys = [
	'context_tokens',
	'max_output_tokens',
	'images',
	'extra_body',
	'price',
	...Object.values(answerKeys),
];

/**
 * Reads each entry of `models` separately; a faulty one, or one whose client is missing or faulty, is dropped. `ownClients`: of this file. A
 * model may also name one of the user's clients if this file has none with the name.
 */
export function readModels(
	config: SalvagedConfig,
	ownClients: readonly ClientDefinition[],
	{ file, ofUser, elsewhere }: Pick<VariableScope, 'file' | 'ofUser' | 'elsewhere'>,
	report: ProblemReport,
): ReadonlyMap<string, ModelDefinition> {
	const clientNames = [...(config.clients?.keys() ?? [])];
	const outer = (elsewhere?.clients ?? []).filter(({ name }) => !config.clients?.has(name));
	const clients = new Map([...outer, ...ownClients].map((client) => [client.name, client]));
	const models = new Map<string, ModelDefinition>();
	for (const [name, entry] of config.models ?? []) {
		const path = ['models', name] as const;
		const fault = nameFault(name);
		if (fault) report.error(path, fault, 'key');
		checkClient(entry, path, clients, clientNames, report);
		checkTemplate(entry, path, report);
		const client = clients.get(entry.client ?? '');
		if (client && entry.model !== undefined && !report.hasErrorAt(path, optionalKeys)) {
			const { model, template, images } = entry;
			const limits = limitsOf(entry, path, report);
			const answers = answersOf(entry, { ...client, protocol: protocolOf(client), model }, path, report);
			const extraBody = extraBodyOf(entry, path, report);
			const price = priceOf(entry, path, report);
			models.set(name, {
				file,
				...(ofUser && { ofUser: true }),
				name,
				client,
				model,
				...limits,
				...defined({ template, images, extraBody, price }),
				...(Object.keys(answers).length > 0 && { answers }),
			});
		}
	}
	return models;
}

/** Clients that no model names. Naming is enough: a fault in the model is no reason to offer all others. */
export function clientsWithoutModels(
	config: SalvagedConfig,
	clients: readonly ClientDefinition[],
): readonly ClientDefinition[] {
	const namedClients = new Set([...(config.models?.values() ?? [])].map(({ client }) => client));
	return clients.filter(({ name }) => !namedClients.has(name));
}

/** The price of a model; none if it has a fault, since half a price would give wrong costs. */
function priceOf({ price }: ModelEntry, path: Path, report: ProblemReport): TokenPrice | undefined {
	const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = price ?? {};
	if (input === undefined || output === undefined || report.hasErrorAt([...path, 'price'])) return undefined;
	return {
		input,
		output,
		...defined({ cacheRead, cacheWrite }),
	};
}

function checkClient(
	{ client }: ModelEntry,
	path: Path,
	clients: ReadonlyMap<string, ClientDefinition>,
	clientNames: readonly string[],
	report: ProblemReport,
): void {
	if (client === undefined || clients.has(client)) return;
	const message = clientNames.includes(client)
		? l10n.t('the client {0} has an error; this model is off until it is fixed', quoted(client))
		: () =>
				withSuggestion(l10n.t('there is no client {0}', quoted(client)), suggestedName(client, clientNames));
	report.error([...path, 'client'], message);
}

function checkTemplate({ template }: ModelEntry, path: Path, report: ProblemReport): void {
	if (template === undefined || /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(template)) return;
	const message = l10n.t('expected the name of a file in prompt-templates, without a folder');
	report.error([...path, 'template'], message);
}

function limitsOf(
	{ context_tokens: contextTokens, max_output_tokens: maxOutputTokens }: ModelEntry,
	path: Path,
	report: ProblemReport,
): Pick<ModelDefinition, 'contextTokens' | 'maxOutputTokens'> {
	if (maxOutputTokens === undefined || contextTokens === undefined || maxOutputTokens < contextTokens)
		return defined({ contextTokens, maxOutputTokens });
	const message = l10n.t(
		'must be less than "context_tokens", or nothing is left for the prompt; it is ignored',
	);
	report.error([...path, 'max_output_tokens'], message);
	return { contextTokens };
}

/** The answer settings that the protocol has; the others are reported and dropped. */
function answersOf(
	entry: ModelEntry,
	askedModel: AskedModel,
	path: Path,
	report: ProblemReport,
): AnswerSettings {
	const {
		reasoning_effort: reasoningEffort,
		thinking,
		temperature,
		top_p: topP,
		parallel_tool_calls: parallelToolCalls,
		service_tier: serviceTier,
	} = entry;
	const settings: AnswerSettings = defined({
		reasoningEffort,
		thinking: thinking === undefined ? undefined : thinkingOf(thinking),
		temperature,
		topP,
		parallelToolCalls,
		serviceTier,
	});
	for (const { setting, refusal } of refusedSettings(askedModel, settings)) {
		const isOfValue = refusal.kind === 'values' || refusal.kind === 'most';
		const part = isOfValue ? 'value' : 'key';
		report.error([...path, answerKeys[setting]], refusalText(refusal), part);
	}
	return acceptedSettings(askedModel, settings);
}

function thinkingOf(written: NonNullable<ModelEntry['thinking']>): NonNullable<AnswerSettings['thinking']> {
	if (typeof written === 'string') return { mode: written };
	if (typeof written === 'number') return { mode: 'tokens', tokens: written };
	const { tokens, display } = written;
	const displayed = defined({ display });
	return tokens === undefined ? { mode: 'adaptive', ...displayed } : { mode: 'tokens', tokens, ...displayed };
}

function refusalText(refusal: SettingRefusal): string {
	switch (refusal.kind) {
		case 'unknown':
			return l10n.t('this provider does not support it; it is ignored');
		case 'instead':
			return l10n.t('this endpoint does not support it; use {0}, or "extra_body"', quoted(refusal.key));
		case 'values':
			return l10n.t('expected {0} with this provider', quotedList(refusal.values));
		case 'most':
			return l10n.t('expected at most {0} with this provider', refusal.most);
	}
}

/** Fields of a request's body that the extension sets itself. */
const reservedFields =
	/^(?:model|messages|input|instructions|system|tools|tool_choice|stream|stream_options|store|include|max_tokens|max_completion_tokens|max_output_tokens|functions|function_call|n)$/;

/** Ollama options for which the configuration has a key. */
const keysOfOptions: Readonly<Record<string, string>> = {
	num_ctx: 'context_tokens',
	num_predict: 'max_output_tokens',
};

/** Additional fields of the body, without fields that the extension sets itself. */
function extraBodyOf(
	{ extra_body: written }: ModelEntry,
	path: Path,
	report: ProblemReport,
): ModelDefinition['extraBody'] | undefined {
	const fields = [...(written ?? [])].map(([field, value]): [string, unknown] => {
		if (field !== 'options' || !isRecord(value)) return [field, value];
		const options = Object.entries(value).filter(([option]) => {
			const instead = Object.hasOwn(keysOfOptions, option) ? keysOfOptions[option] : undefined;
			if (instead === undefined) return true;
			const message = l10n.t('move it to {0}; here it is ignored', quoted(instead));
			report.error([...path, 'extra_body', field, option], message, 'key');
			return false;
		});
		return [field, Object.fromEntries(options)];
	});
	const allowedFields = fields.filter(([field]) => {
		const isOwn = reservedFields.test(field);
		const at = [...path, 'extra_body', field];
		if (isOwn) report.error(at, l10n.t('this field is set automatically; it is ignored'), 'key');
		return !isOwn;
	});
	return allowedFields.length > 0 ? Object.fromEntries(allowedFields) : undefined;
}
