import * as l10n from '@vscode/l10n';
import type { TokenPrice } from '../discovery/cost.ts';
import type { ClientDefinition, ModelDefinition } from './config.ts';
import { modelNameFault } from './modelName.ts';
import { type Path, quoted } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { SalvagedConfig } from './serverEntry.ts';
import { suggestion } from './suggestion.ts';

type ModelEntry = NonNullable<ReturnType<NonNullable<SalvagedConfig['models']>['get']>>;

/** Keys of a model that it can do without: a fault in one of them leaves that one out, not the model. */
const optionalKeys = ['context_tokens', 'max_output_tokens', 'price'];

/** Reads each entry of `models` by itself; a faulty one, or one of a client that is missing or faulty, is left out. */
export function readModels(
	config: SalvagedConfig,
	clients: ReadonlyMap<string, ClientDefinition>,
	report: ProblemReport,
): ReadonlyMap<string, ModelDefinition> {
	const written = [...(config.clients?.keys() ?? [])];
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
			const template = entry.template !== undefined && { template: entry.template };
			const price = priceOf(entry, path, report);
			models.set(name, { name, client, model: entry.model, ...template, ...limits, ...(price && { price }) });
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

/** Half of a price would make a chat look cheaper than it was, or dearer: with a fault in it, there is none. */
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
		? l10n.t('the client {0} has a fault; this model is off until it is mended', quoted(client))
		: () => noClientText(quoted(client), suggestion(client, written));
	const reason = written.includes(client) ? undefined : ({ kind: 'no-client', names: written } as const);
	report.error([...path, 'client'], message, reason && { reason });
}

function noClientText(client: string, meant: string | undefined): string {
	return meant === undefined
		? l10n.t('there is no client {0}', client)
		: l10n.t('there is no client {0}; did you mean {1}?', client, meant);
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
