import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { dollars } from '../../chat/counts.ts';
import type { TokenPrice } from '../../common/cost.ts';
import type { Provider } from '../../common/providers.ts';
import { oneLine } from '../../common/text.ts';
import { addressOf, type ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { ModelFacts } from '../../models/knownLimits.ts';
import { isKnownFamily, knownSince, modelLimits } from '../../models/knownLimits.ts';
import { offlinePlannerDescription } from '../../models/planner/description.ts';
import { providerMaxTools } from '../../models/provider.ts';

/** A model's entry in VS Code's picker, and how to load the model. */
export interface OfferedModel {
	readonly information: vscode.LanguageModelChatInformation;
	/** Absent: the configuration does not name the model, and it needs no key. */
	readonly definition?: ModelDefinition;
	/** Loads the model's code with its first request. */
	readonly load: () => Promise<ChatModel>;
}

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

/** Prefix of the id of a configured model whose name is another model's id. */
const idPrefix = 'configured:';
/** Prefix of the id of a model that the configuration does not name. */
const listedPrefix = 'listed:';
const shownCharacters = 100;

export interface ShownModel {
	readonly id: string;
	readonly definition: ModelDefinition;
	readonly title: string;
	/** What its endpoint says about it. */
	readonly facts: ModelFacts;
	/** Context length that the provider named when it refused a request. */
	readonly learned: number | undefined;
}

export function modelInformation(shownModel: ShownModel): vscode.LanguageModelChatInformation {
	const { id, definition, title, facts, learned } = shownModel;
	const { client, model } = definition;
	const limits = modelLimits(client.provider, model, definition, facts, learned);
	const callsTools = facts.tools !== false;
	return {
		id,
		name: safeName(title),
		family: model,
		version: '1',
		detail: safeName(client.name),
		tooltip: [
			providerName(client.provider),
			safeName(model),
			safeName(addressOf(client).replace(/^https:\/\//, '')),
			...priceWords(definition.price ?? facts.price),
			...limitWords(shownModel),
			...(callsTools ? [] : [l10n.t('no tool calling')]),
		].join(' · '),
		maxInputTokens: limits.maxInputTokens,
		maxOutputTokens: limits.maxOutputTokens,
		capabilities: { toolCalling: callsTools ? providerMaxTools : false, imageInput: limits.images },
	};
}

/** Says that limits come from our table or defaults, if neither the user nor the endpoint gave them. */
function limitWords({ definition, facts, learned }: ShownModel): readonly string[] {
	const contextTokens = definition.contextTokens ?? facts.contextTokens ?? learned;
	// The context length is part of each request to Ollama.
	if (contextTokens !== undefined || definition.client.provider === 'ollama') return [];
	return isKnownFamily(definition.model)
		? [l10n.t('limits as of {0}', knownSince)]
		: [l10n.t('Context size unknown; using defaults')];
}

function priceWords(price: TokenPrice | undefined): readonly string[] {
	if (!price) return [];
	if (price.input === 0 && price.output === 0) return [l10n.t('free')];
	return [l10n.t('{0} in, {1} out per million tokens', dollars(price.input), dollars(price.output))];
}

/** The model's name, unless that is taken or could be markup. Different names have different ids. */
export function modelId(name: string): string {
	const isTaken =
		name === offlinePlannerDescription.id || name.startsWith(idPrefix) || name.startsWith(listedPrefix);
	return withoutMarkup(isTaken ? idPrefix + name : name);
}

/** Both names may contain slashes, but models of two clients never have the same id. */
export function listedId({ name }: Pick<ClientDefinition, 'name'>, model: string): string {
	const client = withoutMarkup(name).replaceAll('/', '%2F');
	return `${listedPrefix}${client}/${withoutMarkup(model)}`;
}

/** What people know a model by: its name, without what only ids have. */
export function nameInId(id: string): string {
	const prefix = [idPrefix, listedPrefix].find((candidate) => id.startsWith(candidate)) ?? '';
	return id.slice(prefix.length).replace(/%(?:25|5B|5D|3C|3E|2F)/g, decodeURIComponent);
}

function withoutMarkup(id: string): string {
	return id.replace(/[%[\]<>]/g, encodeURIComponent);
}

/** Removes what makes links: VS Code's model list renders names as Markdown that may run commands. */
function safeName(name: string): string {
	return oneLine(name, shownCharacters).replaceAll(/[[<]/g, '(').replaceAll(/[\]>]/g, ')');
}
