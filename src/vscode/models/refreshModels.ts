import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ClientDefinition, refOfClient } from '../../config/models/clientDefinition.ts';
import type { Services } from '../../services.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say, shortTitle, warn } from '../ui/messages.ts';
import { listFailureLabel, modelCount, nameCharacters } from '../ui/modelListLabels.ts';
import type { ListFailure, ListState } from './modelLists.ts';

/** Refreshes the lists of models of one client, or of all. */
export async function refreshModels(
	{ configFile, languageModels: { modelLists } }: Pick<Services, 'configFile' | 'languageModels'>,
	named: unknown,
): Promise<void> {
	const { state } = configFile;
	const all = state.kind === 'ok' ? state.config.clients : [];
	const one = all.filter((client) => isDeepStrictEqual(refOfClient(client), named));
	const clients = one.length > 0 ? one : all;
	if (clients.length === 0) throw new Error(l10n.t('the configuration has no clients.'));
	const location = vscode.ProgressLocation.Window;
	await vscode.window.withProgress({ location, title: l10n.t('Refreshing models…') }, () =>
		modelLists.refresh(clients),
	);
	const states = clients.map((client) => ({ client, state: modelLists.stateOf(client) }));
	const had = states
		.filter(({ state: { failure } }) => !failure)
		.map(({ client, state: its }) => sumOf(client, its));
	if (had.length > 0) say(had.join(', '));
	for (const { client, state: its } of states) {
		if (its.failure) void sayFailure(client, its.failure);
	}
}

/** `router: 231 models`. */
function sumOf({ name }: ClientDefinition, { models }: ListState): string {
	return `${labelText(name, nameCharacters)}: ${modelCount(models.length)}`;
}

async function sayFailure(client: ClientDefinition, failure: ListFailure): Promise<void> {
	const setKey = shortTitle(commands.manageSecrets);
	const choices = failure.kind === 'failed' && failure.wantsKey ? [setKey] : [];
	const chosen = await warn(listFailureLabel(client, failure), ...choices);
	if (chosen === setKey) await vscode.commands.executeCommand(commands.manageSecrets, refOfClient(client));
}
