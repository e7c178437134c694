import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ModelDefinition } from '../../config/config.ts';
import { oneLine } from '../../discovery/text.ts';
import type { Provider } from '../../models/endpoint.ts';
import { modelLimits } from '../../models/knownLimits.ts';
import { offlinePlannerDescription } from '../../models/planner/description.ts';

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

/** Stands before a name that is the id of another model of ours. */
const idPrefix = 'configured:';
/** Characters of a name that the editor shows. */
const shownCharacters = 100;

/** What the editor shows of a model of the configuration. */
export function modelInformation(definition: ModelDefinition): vscode.LanguageModelChatInformation {
	const { name, client, model } = definition;
	const { maxInputTokens, maxOutputTokens, images } = modelLimits(client.provider, model, definition);
	return {
		id: modelId(name),
		name: shown(name),
		family: model,
		version: '1',
		detail: shown(client.name),
		tooltip: [providerName(client.provider), shown(model), new URL(client.baseUrl).host].join(' · '),
		maxInputTokens,
		maxOutputTokens,
		capabilities: { toolCalling: true, imageInput: images },
	};
}

/** Id of a model of that name: the name itself, unless that is taken or could be markup. Different names have different ids. */
export function modelId(name: string): string {
	const isTaken = name === offlinePlannerDescription.id || name.startsWith(idPrefix);
	return (isTaken ? idPrefix + name : name).replace(/[%[\]<>]/g, encodeURIComponent);
}

/** A name from the file without what makes links: the editor's list of models shows names as Markdown that may run commands. */
function shown(name: string): string {
	return oneLine(name, shownCharacters).replaceAll(/[[<]/g, '(').replaceAll(/[\]>]/g, ')');
}
