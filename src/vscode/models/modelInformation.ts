import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { dollars } from '../../chat/counts.ts';
import type { TokenPrice } from '../../common/cost.ts';
import type { Provider } from '../../common/providers.ts';
import { oneLine } from '../../common/text.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ModelFacts } from '../../models/knownLimits.ts';
import { isKnownFamily, knownSince, modelLimits } from '../../models/knownLimits.ts';
import { offlinePlannerDescription } from '../../models/planner/description.ts';
import { providerMaxTools } from '../../models/provider.ts';

function providerName(provider: Provider): string {
	switch (provider) {
		case 'openai':
			return l10n.t('OpenAI protocol');
		case 'anthropic':
			return l10n.t('Anthropic protocol');
		case 'ollama':
			return 'Ollama';
	}
}

/** Prefix of the id of a model of the configuration whose bare name is the id of another model. */
const idPrefix = 'configured:';
/** Prefix of the id of a model that the configuration does not name. */
const listedPrefix = 'listed:';
/** Characters of a name that the editor shows. */
const shownCharacters = 100;

/** What there is to show of a model of the configuration, or of one of its clients. */
export interface ShownModel {
	readonly id: string;
	readonly definition: ModelDefinition;
	/** Its name for people. */
	readonly title: string;
	/** What its endpoint tells of it. */
	readonly facts: ModelFacts;
	/** The length of its context as the provider named it when it refused a request. */
	readonly learned: number | undefined;
}

/** What the editor shows of a model. */
export function modelInformation(shownModel: ShownModel): vscode.LanguageModelChatInformation {
	const { id, definition, title, facts, learned } = shownModel;
	const { client, model } = definition;
	const limits = modelLimits(client.provider, model, definition, facts, learned);
	const callsTools = facts.tools !== false;
	return {
		id,
		name: shown(title),
		family: model,
		version: '1',
		detail: shown(client.name),
		tooltip: [
			providerName(client.provider),
			shown(model),
			new URL(client.baseUrl).host,
			...priceWords(definition.price ?? facts.price),
			...limitWords(shownModel),
			...(callsTools ? [] : [l10n.t('no tool calling')]),
		].join(' · '),
		maxInputTokens: limits.maxInputTokens,
		maxOutputTokens: limits.maxOutputTokens,
		capabilities: { toolCalling: callsTools ? providerMaxTools : false, imageInput: limits.images },
	};
}

/** Says that its limits come from a table or a guess, where neither the user nor its endpoint has told them. */
function limitWords({ definition, facts, learned }: ShownModel): readonly string[] {
	const told = definition.contextTokens ?? facts.contextTokens ?? learned;
	// Ollama is asked for them with each window.
	if (told !== undefined || definition.client.provider === 'ollama') return [];
	return isKnownFamily(definition.model)
		? [l10n.t('limits as of {0}', knownSince)]
		: [l10n.t('Context size unknown; using defaults')];
}

function priceWords(price: TokenPrice | undefined): readonly string[] {
	if (!price) return [];
	if (price.input === 0 && price.output === 0) return [l10n.t('free')];
	return [l10n.t('{0} in, {1} out per million tokens', dollars(price.input), dollars(price.output))];
}

/** Id of a model of that name: the name itself, unless that is taken or could be markup. Different names have different ids. */
export function modelId(name: string): string {
	const isTaken =
		name === offlinePlannerDescription.id || name.startsWith(idPrefix) || name.startsWith(listedPrefix);
	return withoutMarkup(isTaken ? idPrefix + name : name);
}

/** Id of a model that the configuration does not name; no other model has it. */
export function listedId(name: string): string {
	return withoutMarkup(listedPrefix + name);
}

function withoutMarkup(id: string): string {
	return id.replace(/[%[\]<>]/g, encodeURIComponent);
}

/** A name from the file, or from an endpoint, without what makes links: the editor's list of models shows names as Markdown that may run commands. */
function shown(name: string): string {
	return oneLine(name, shownCharacters).replaceAll(/[[<]/g, '(').replaceAll(/[\]>]/g, ')');
}
