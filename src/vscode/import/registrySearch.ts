import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import { isRegistryAddress, type RegisteredServer, searchRegistry } from '../../mcp/registry.ts';
import { settings } from '../ui/ids.ts';
import { asked, askText } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import { keepOrder } from '../ui/unsupported.ts';
import { chooseWay } from './addQuestions.ts';
import { type FailureAction, registryFailureLabels } from './registryFailure.ts';

/** The official registry. Nothing is sent to it before the user agrees. */
const officialRegistry = 'https://registry.modelcontextprotocol.io';

/** Debounce of requests, in milliseconds. */
const askAfterMs = 300;
const nameLength = 120;
const lineLength = 300;

/** Searches a registry while the user types; `undefined`: cancelled. */
export async function searchForServer(words: string): Promise<ServerDraft | 'back' | undefined> {
	const address = await registryAddress();
	if (address === undefined) return 'back';
	const chosen = await pickRegistered(address, words);
	if (chosen === 'back' || !chosen) return chosen;
	const [only, ...others] = chosen.ways;
	return others.length === 0 ? only : chooseWay(chosen.ways);
}

/** The registry in the settings; if there is none, or an invalid one, asks for it. */
async function registryAddress(): Promise<string | undefined> {
	const configuration = vscode.workspace.getConfiguration(settings.section);
	const set = configuration.get<string>(settings.registry, '').trim();
	if (isRegistryAddress(set)) return set;
	const reply = await askText({
		title: l10n.t('Search Registry'),
		canGoBack: true,
		prompt: l10n.t(
			'Only what you type in a search is sent to this URL, which is stored in the setting “mcpDiscovery.registry”.',
		),
		placeholder: officialRegistry,
		text: set === '' ? officialRegistry : set,
		check: async (text) =>
			isRegistryAddress(text.trim()) ? undefined : l10n.t('Enter an https:// URL, or one on this machine.'),
	});
	if (reply.kind !== 'answer') return undefined;
	const address = reply.text.trim();
	await configuration.update(settings.registry, address, vscode.ConfigurationTarget.Global);
	return address;
}

interface RegistryItem extends vscode.QuickPickItem {
	readonly server?: RegisteredServer;
	/** What the row does, if it is no server. */
	readonly run?: () => void;
}

/** Each key cancels the previous request. */
async function pickRegistered(
	address: string,
	words: string,
): Promise<RegisteredServer | 'back' | undefined> {
	const pick = vscode.window.createQuickPick<RegistryItem>();
	const { host } = new URL(address);
	keepOrder(pick);
	pick.placeholder = l10n.t('Search by name (sent to {0})', host);
	const openSettings = () => {
		// It stays open when it loses the focus, and would cover the settings.
		pick.hide();
		const setting = `${settings.section}.${settings.registry}`;
		void vscode.commands.executeCommand('workbench.action.openSettings', setting);
	};
	let timer: NodeJS.Timeout | undefined;
	let asking = new AbortController();
	const ask = async (search: string, cursor?: string) => {
		asking.abort();
		asking = new AbortController();
		const { signal } = asking;
		pick.busy = true;
		const before = cursor === undefined ? [] : pick.items.filter(({ server }) => server);
		try {
			const { servers, nextCursor } = await searchRegistry(
				address,
				{ search, ...(cursor !== undefined && { cursor }) },
				signal,
			);
			if (signal.aborted) return;
			const found = [...before, ...servers.map(registeredItem)];
			const more = { label: l10n.t('More…'), alwaysShow: true };
			const none = { label: l10n.t('No servers found'), alwaysShow: true };
			pick.items = [
				...(found.length > 0 ? found : [none]),
				...(nextCursor === undefined ? [] : [{ ...more, run: () => void ask(search, nextCursor) }]),
			];
		} catch (error) {
			if (signal.aborted) return;
			const retry = () => void ask(search, cursor);
			pick.items = [...before, ...failureItems(error, host, { retry, openSettings })];
		}
		pick.busy = false;
	};
	const follow = (delayMs: number) => {
		clearTimeout(timer);
		asking.abort();
		const search = pick.value.trim();
		if (search === '') {
			pick.items = [];
			pick.busy = false;
			return;
		}
		timer = setTimeout(() => void ask(search), delayMs);
	};
	pick.onDidChangeValue(() => follow(askAfterMs));
	pick.value = words;
	follow(0);
	const question = { title: l10n.t('Search Registry'), canGoBack: true };
	const reply = await asked<RegisteredServer>(pick, question, (answer) =>
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			item?.run?.();
			if (item?.server && item.server.ways.length > 0) answer(item.server);
		}),
	);
	clearTimeout(timer);
	asking.abort();
	if (reply.kind === 'back') return 'back';
	return reply.kind === 'answer' ? reply.answer : undefined;
}

function registeredItem(server: RegisteredServer): RegistryItem {
	const { name, title, version, description, isDeprecated, ways, faults } = server;
	const marks = [
		...(title === undefined ? [] : [name]),
		...(version === '' ? [] : [version]),
		...(isDeprecated ? [l10n.t('deprecated')] : []),
		...(ways.length === 0 ? [l10n.t('cannot be added')] : []),
	];
	const why = ways.length === 0 ? (faults[0] ?? l10n.t('It has no package and no URL.')) : description;
	return {
		label: labelText(title ?? name, nameLength),
		description: labelText(marks.join(' · '), nameLength),
		detail: labelText(why, lineLength),
		iconPath: new vscode.ThemeIcon(ways.length === 0 ? 'circle-slash' : 'server'),
		alwaysShow: true,
		server,
	};
}

function failureItems(
	error: unknown,
	host: string,
	runs: Readonly<Record<FailureAction, () => void>>,
): readonly RegistryItem[] {
	const { what, advice, actions } = registryFailureLabels(error, host);
	const looks = {
		retry: { label: l10n.t('Try Again'), icon: 'refresh' },
		openSettings: { label: l10n.t('Open Settings'), icon: 'settings-gear' },
	};
	return [
		{
			label: labelText(what, lineLength),
			...(advice !== undefined && { detail: advice }),
			iconPath: new vscode.ThemeIcon('warning'),
			alwaysShow: true,
		},
		...actions.map((action) => ({
			label: looks[action].label,
			iconPath: new vscode.ThemeIcon(looks[action].icon),
			alwaysShow: true,
			run: runs[action],
		})),
	];
}
