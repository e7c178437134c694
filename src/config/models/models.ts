import * as l10n from '@vscode/l10n';
import {
	type AnswerSettings,
	type AskedModel,
	type Refusal,
	refusedSettings,
	takenSettings,
} from '../../common/answerSettings.ts';
import type { TokenPrice } from '../../common/cost.ts';
import { isRecord } from '../../common/json.ts';
import { protocolOf } from '../../common/providers.ts';
import { modelNameFault } from '../file/entryNames.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import { type ProblemReport, uselessKey } from '../file/problemReport.ts';
import { listed, suggestedName, withSuggestion } from '../problemText.ts';
import type { SalvagedConfig } from '../salvage.ts';
import type { ClientDefinition } from './clientDefinition.ts';

/** A model of a client: an entry of `models`. */
export interface ModelDefinition {
	readonly name: string;
	readonly client: ClientDefinition;
	/** The provider's name for it. */
	readonly model: string;
	/** Name of a file in `prompt-templates`, without `.j2`. */
	readonly template?: string;
	/** Most tokens of prompt and answer together. */
	readonly contextTokens?: number;
	readonly maxOutputTokens?: number;
	/** Whether it takes pictures. */
	readonly images?: boolean;
	/** How it is asked to answer; only what the provider takes. */
	readonly answers?: AnswerSettings;
	/** Further fields of the body of its requests. */
	readonly extraBody?: Readonly<Record<string, unknown>>;
	/** What the user says it costs. */
	readonly price?: TokenPrice;
}

type ModelEntry = NonNullable<ReturnType<NonNullable<SalvagedConfig['models']>['get']>>;

/** Keys of a model that it can do without: a fault in one of them leaves that one out, not the model. */
const optionalKeys = [
	'context_tokens',
	'max_output_tokens',
	'reasoning_effort',
	'thinking',
	'temperature',
	'top_p',
	'parallel_tool_calls',
	'service_tier',
	'images',
	'extra_body',
	'price',
];

/** How the file names what can be set of answers. */
const answerKeys: Readonly<Record<keyof AnswerSettings, string>> = {
	reasoningEffort: 'reasoning_effort',
	thinking: 'thinking',
	temperature: 'temperature',
	topP: 'top_p',
	parallelToolCalls: 'parallel_tool_calls',
	serviceTier: 'service_tier',
};

/**
 * Reads each entry of `models` by itself; a faulty one, or one of a client that is missing or faulty, is left out. `outer`: clients of
 * another file, which a model may name where this one has none of the name.
 */
export function readModels(
	config: SalvagedConfig,
	own: ReadonlyMap<string, ClientDefinition>,
	report: ProblemReport,
	outer: ReadonlyMap<string, ClientDefinition> = new Map(),
): ReadonlyMap<string, ModelDefinition> {
	const written = [...(config.clients?.keys() ?? [])];
	const clients = new Map([...[...outer].filter(([name]) => !config.clients?.has(name)), ...own]);
	const models = new Map<string, ModelDefinition>();
	for (const [name, entry] of config.models ?? []) {
		const path = ['models', name] as const;
		const fault = modelNameFault(name);
		if (fault) report.error(path, fault, 'key');
		checkClient(entry, path, clients, written, report);
		checkTemplate(entry, path, report);
		const client = clients.get(entry.client ?? '');
		if (client && entry.model !== undefined && !report.hasErrorIn(path, optionalKeys)) {
			const limits = limitsOf(entry, path, report);
			const answers = answersOf(
				entry,
				{ ...client, protocol: protocolOf(client), model: entry.model },
				path,
				report,
			);
			const extraBody = extraBodyOf(entry, path, report);
			const template = entry.template !== undefined && { template: entry.template };
			const price = priceOf(entry, path, report);
			models.set(name, {
				name,
				client,
				model: entry.model,
				...template,
				...limits,
				...(entry.images !== undefined && { images: entry.images }),
				...(Object.keys(answers).length > 0 && { answers }),
				...(extraBody && { extraBody }),
				...(price && { price }),
			});
		}
	}
	return models;
}

/** Clients that no model names: a name is enough, so that a fault of the model is no reason to offer all others. */
export function clientsWithoutModels(
	config: SalvagedConfig,
	clients: ReadonlyMap<string, ClientDefinition>,
): readonly ClientDefinition[] {
	const named = new Set([...(config.models?.values() ?? [])].map(({ client }) => client));
	return [...clients.values()].filter(({ name }) => !named.has(name));
}

/** The price of a model; none where it has a fault, since half of a price would show wrong costs. */
function priceOf({ price }: ModelEntry, path: Path, report: ProblemReport): TokenPrice | undefined {
	const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = price ?? {};
	if (input === undefined || output === undefined || report.hasErrorAt([...path, 'price'])) return undefined;
	return {
		input,
		output,
		...(cacheRead !== undefined && { cacheRead }),
		...(cacheWrite !== undefined && { cacheWrite }),
	};
}

function checkClient(
	{ client }: ModelEntry,
	path: Path,
	clients: ReadonlyMap<string, ClientDefinition>,
	written: readonly string[],
	report: ProblemReport,
): void {
	if (client === undefined || clients.has(client)) return;
	const message = written.includes(client)
		? l10n.t('the client {0} has an error; this model is off until it is fixed', quoted(client))
		: () => withSuggestion(l10n.t('there is no client {0}', quoted(client)), suggestedName(client, written));
	const reason = written.includes(client) ? undefined : ({ kind: 'no-client', names: written } as const);
	report.error([...path, 'client'], message, reason && { reason });
}

function checkTemplate({ template }: ModelEntry, path: Path, report: ProblemReport): void {
	if (template === undefined || isTemplateName(template)) return;
	const message = l10n.t('expected the name of a file in prompt-templates, without a folder');
	report.error([...path, 'template'], message);
}

function isTemplateName(template: string): boolean {
	return template !== '' && !/[/\\\p{Cc}]/u.test(template) && !template.startsWith('.');
}

function limitsOf(
	{ context_tokens: contextTokens, max_output_tokens: maxOutputTokens }: ModelEntry,
	path: Path,
	report: ProblemReport,
): Pick<ModelDefinition, 'contextTokens' | 'maxOutputTokens'> {
	const context = contextTokens !== undefined && { contextTokens };
	if (maxOutputTokens === undefined) return { ...context };
	if (contextTokens === undefined || maxOutputTokens < contextTokens) return { ...context, maxOutputTokens };
	const message = l10n.t(
		'must be less than "context_tokens", or nothing is left for the prompt; it is ignored',
	);
	report.error([...path, 'max_output_tokens'], message);
	return { ...context };
}

/** The settings of answers that the provider takes; the others are reported with the reason, and left out. */
function answersOf(entry: ModelEntry, asked: AskedModel, path: Path, report: ProblemReport): AnswerSettings {
	const {
		reasoning_effort: reasoningEffort,
		thinking,
		temperature,
		top_p: topP,
		parallel_tool_calls: parallelToolCalls,
		service_tier: serviceTier,
	} = entry;
	const settings: AnswerSettings = {
		...(reasoningEffort !== undefined && { reasoningEffort }),
		...(thinking !== undefined && { thinking: thinkingOf(thinking) }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(parallelToolCalls !== undefined && { parallelToolCalls }),
		...(serviceTier !== undefined && { serviceTier }),
	};
	for (const { setting, refusal } of refusedSettings(asked, settings)) {
		reportRefusal(refusal, [...path, answerKeys[setting]], asked.model, report);
	}
	return takenSettings(asked, settings);
}

function thinkingOf(written: NonNullable<ModelEntry['thinking']>): NonNullable<AnswerSettings['thinking']> {
	if (typeof written === 'string') return { mode: written };
	if (typeof written === 'number') return { mode: 'tokens', tokens: written };
	const { tokens, display } = written;
	const shown = display !== undefined && { display };
	return tokens === undefined ? { mode: 'adaptive', ...shown } : { mode: 'tokens', tokens, ...shown };
}

function reportRefusal(refusal: Refusal, path: Path, model: string, report: ProblemReport): void {
	switch (refusal.kind) {
		case 'unknown':
			report.error(path, l10n.t('this provider does not support it; it is ignored'), uselessKey);
			break;
		case 'instead':
			report.error(
				path,
				l10n.t('this endpoint does not support it; use {0}, or "extra_body"', quoted(refusal.key)),
				uselessKey,
			);
			break;
		case 'model':
			report.error(path, l10n.t('the model {0} refuses this; it is ignored', quoted(model)), uselessKey);
			break;
		case 'beside':
			report.error(path, l10n.t('is refused beside {0}; it is ignored', quoted(refusal.key)), uselessKey);
			break;
		case 'values':
			report.error(path, l10n.t('expected {0} with this provider', listed(refusal.values)), {
				reason: { kind: 'not-one-of', values: refusal.values },
			});
			break;
		case 'most':
			report.error(path, l10n.t('expected at most {0} with this provider', refusal.most), {
				reason: { kind: 'out-of-range', nearest: refusal.most },
			});
			break;
	}
}

/** Fields of a request's body that the extension itself depends on. */
const reservedFields =
	/^(?:model|messages|input|instructions|system|tools|tool_choice|stream|stream_options|store|include|max_tokens|max_completion_tokens|max_output_tokens|functions|function_call|n)$/;

/** Options of Ollama for which the configuration has a key. */
const keysOfOptions: Readonly<Record<string, string>> = {
	num_ctx: 'context_tokens',
	num_predict: 'max_output_tokens',
};

/** Whatever else goes into the body; what the extension sets itself is left out of it. */
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
			report.error([...path, 'extra_body', field, option], message, uselessKey);
			return false;
		});
		return [field, Object.fromEntries(options)];
	});
	const taken = fields.filter(([field]) => {
		const isOwn = reservedFields.test(field);
		const at = [...path, 'extra_body', field];
		if (isOwn) report.error(at, l10n.t('this field is set automatically; it is ignored'), uselessKey);
		return !isOwn;
	});
	return taken.length > 0 ? Object.fromEntries(taken) : undefined;
}
