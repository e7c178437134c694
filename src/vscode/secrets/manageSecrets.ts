import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wholeNumber } from '../../chat/counts.ts';
import { serverVariables } from '../../config/missingReferences.ts';
import { type ClientDefinition, refOfClient } from '../../config/models/clientDefinition.ts';
import { secretNameFault } from '../../config/secrets/environmentNames.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { chooseFile, isThere } from '../core/configChange.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import type { ModelLists } from '../core/modelLists.ts';
import { enterServerSecret } from '../core/secretInput.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import { commands } from '../ui/ids.ts';
import { askSteps, askText } from '../ui/inputs/quickInputs.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { dialogTitle, say } from '../ui/messages.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { setApiKey, sourceText } from './setApiKey.ts';

const usage = `\${env:NAME}`;

/** Stores a variable's value, and asks for it unless it is given. */
type EnterSecret = (name: string, value?: string) => Promise<void>;

interface SecretItem extends vscode.QuickPickItem {
	readonly run?: () => Promise<unknown>;
}

type SecretServices = {
	readonly configFile: Configuration;
	readonly keys: KeyStore;
	readonly secrets: SecretVariables;
	readonly modelLists: Pick<ModelLists, 'stateOf'>;
	readonly pool: ServerPool;
};

/**
 * Sets, replaces and removes clients' keys and servers' secrets, without showing any. `subject`: a {@link ClientRef}, or the name of a secret;
 * `failed`: the message that the client refused without a key.
 */
export async function manageSecrets(
	services: SecretServices,
	subject: unknown,
	failed?: unknown,
): Promise<void> {
	const { configFile, keys } = services;
	const clients = configFile.inForce?.config.clients ?? [];
	const client = clients.find((candidate) => isDeepStrictEqual(refOfClient(candidate), subject));
	if (client) return setApiKey(services, client, typeof failed === 'string' ? failed : undefined);
	if (typeof subject === 'string') return (await secretsOf(services))?.enter(subject);
	const items: SecretItem[] = [
		...(clients.length > 0 ? [heading(l10n.t('API Keys'))] : []),
		...(await Promise.all(
			clients.map(async (endpoint) => ({
				label: labelText(endpoint.name),
				description: [
					...(configFile.hasSeveral ? [configFile.fileAt(endpoint.file)?.label ?? ''] : []),
					sourceText(await keys.sourceFor(endpoint)),
				].join(' · '),
				detail: [endpoint.baseUrl, modelsOf(endpoint, services)].filter(Boolean).join(' · '),
				iconPath: new vscode.ThemeIcon('key'),
				run: () => setApiKey(services, endpoint),
			})),
		)),
		heading(l10n.t('Secrets for Servers')),
		...(await secretRows(services)),
	];
	const chosen = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.manageSecrets),
		placeHolder: l10n.t('Select a key or secret'),
		matchOnDescription: true,
		matchOnDetail: true,
	});
	await chosen?.run?.();
}

/** `gpt, opus`: the models that the configuration names; otherwise how many the client's endpoint offers. */
function modelsOf(client: ClientDefinition, { configFile, modelLists }: SecretServices): string {
	const models = [...(configFile.inForce?.config.models.values() ?? [])];
	const names = models.filter((model) => isDeepStrictEqual(model.client, client)).map(({ name }) => name);
	if (names.length > 0) return labelText(names.join(', '), lineLength);
	const modelCount = modelLists.stateOf(client).models.length;
	return modelCount > 0 ? l10n.t('{0} models', wholeNumber(modelCount)) : '';
}

function heading(label: string): SecretItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** The secrets of the only configuration file; with several files, a row to choose one. */
async function secretRows(services: SecretServices): Promise<readonly SecretItem[]> {
	const { files } = services.configFile;
	if (files.filter(isThere).length <= 1) return (await secretsOf(services))?.items ?? [];
	const run = async () => {
		const { items = [] } = (await secretsOf(services)) ?? {};
		const chosen = await vscode.window.showQuickPick(items, { title: dialogTitle(commands.manageSecrets) });
		await chosen?.run?.();
	};
	return [{ label: l10n.t('Choose a Configuration…'), iconPath: new vscode.ThemeIcon('lock'), run }];
}

/** The secrets of one file and how to set them; `undefined`: cancelled. */
async function secretsOf(
	services: SecretServices,
): Promise<{ readonly items: readonly SecretItem[]; readonly enter: EnterSecret } | undefined> {
	const { configFile, secrets } = services;
	const placeHolder = l10n.t('Select the configuration of the servers');
	const file = await chooseFile(services, { command: commands.manageSecrets, placeHolder });
	const current = file && (await configFile.current(file.place.uri));
	if (!current) return undefined;
	const enter: EnterSecret = (name, value) => enterServerSecret(name, current.uri, services, value);
	return { items: await secretItems(current, secrets, enter), enter };
}

async function secretItems(
	{ text, scope, folder }: CurrentText,
	secrets: SecretVariables,
	enter: EnterSecret,
): Promise<readonly SecretItem[]> {
	const read = serverVariables(text ?? '');
	const { env } = withSecrets(scope);
	const stored = await secrets.names(folder);
	const missing = read.filter((name) => env[name] === undefined);
	return [
		...missing.map((name) => ({
			label: name,
			description: l10n.t('not set, but a server reads it'),
			iconPath: new vscode.ThemeIcon('warning'),
			run: () => enter(name),
		})),
		...stored.map((name) => ({
			label: name,
			description: storedText(scope.env[name] !== undefined, read.includes(name)),
			iconPath: new vscode.ThemeIcon('lock'),
			run: () => changeSecret(name, folder, secrets, enter),
		})),
		{
			label: l10n.t('Add Secret…'),
			description: l10n.t('read by servers as {0}', usage),
			iconPath: new vscode.ThemeIcon('add'),
			run: () => addSecret(enter),
		},
	];
}

function storedText(isOverridden: boolean, isRead: boolean): string {
	if (isOverridden) return l10n.t('stored, but overridden by the environment or .env');
	return isRead ? l10n.t('stored') : l10n.t('stored, but no server reads it');
}

async function changeSecret(
	name: string,
	folder: vscode.Uri,
	secrets: SecretVariables,
	enter: EnterSecret,
): Promise<void> {
	const replace = {
		label: l10n.t('Replace…'),
		iconPath: new vscode.ThemeIcon('key'),
		run: () => enter(name),
	};
	const remove = {
		label: l10n.t('Remove'),
		iconPath: new vscode.ThemeIcon('trash'),
		run: async () => {
			await secrets.remove(folder, [name]);
			say(l10n.t('removed the secret {0}.', name));
		},
	};
	const chosen = await vscode.window.showQuickPick([replace, remove], {
		title: dialogTitle(commands.manageSecrets),
		placeHolder: name,
	});
	await chosen?.run();
}

/** Asks for a name, then for a value, with Back in between. */
async function addSecret(enter: EnterSecret): Promise<void> {
	const typed = { name: '', value: '' };
	const ending = await askSteps(
		{ title: l10n.t('Add Secret'), canLeave: false },
		() => ['name', 'value'] as const,
		async (step, question) => {
			const isName = step === 'name';
			const reply = await askText({
				...question,
				prompt: isName
					? l10n.t('Variable name. Servers read it as {0}.', usage)
					: l10n.t('Stored in VS Code’s secret storage, for servers of this configuration that use it.'),
				placeholder: isName ? l10n.t('NAME') : '',
				text: typed[step],
				secret: !isName,
				check: async (text) =>
					isName ? secretNameFault(text.trim()) : text === '' ? l10n.t('Enter a value.') : undefined,
			});
			if ('text' in reply) typed[step] = isName ? reply.text.trim() : reply.text;
			return { kind: reply.kind === 'elsewhere' ? 'answer' : reply.kind };
		},
	);
	if (ending === 'answer') await enter(typed.name, typed.value);
}
