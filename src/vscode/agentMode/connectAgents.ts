import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorCode } from '../../common/errors.ts';
import { inOrder, type Step } from '../../common/steps.ts';
import { type ImportPlaces, importSources } from '../../config/import/importSources.ts';
import {
	agents,
	type CodingAgent,
	entryState,
	type ProgramStart,
	shownEntry,
	withEntry,
	withoutEntry,
} from '../../gateway/agents.ts';
import type { UndoableChange } from '../core/undo.ts';
import { commands, settings } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { dialogTitle, notify } from '../ui/messages.ts';
import type { WindowGateway } from './gatewayWindow.ts';

/** An agent on this machine, with its file. */
interface FoundAgent {
	readonly agent: CodingAgent;
	readonly file: string;
	/** Empty: it does not exist yet. */
	readonly text: string;
	readonly entry: ReturnType<typeof entryState>;
	/** The file cannot be changed; why. */
	readonly fault?: string;
}

interface ConnectParts {
	readonly gateway: WindowGateway;
	readonly places: ImportPlaces;
}

/**
 * Lets the user select agents on this machine. Selected agents get an entry that leads to the window with their folder open; the others lose
 * theirs. The first one also turns the gateway on. Resolves to the undo.
 */
export async function connectAgents({ gateway, places }: ConnectParts): Promise<UndoableChange | undefined> {
	const start = gateway.programStart;
	const foundAgents = await findAgents(places, start);
	if (foundAgents.length === 0) {
		const products = agents.map(({ product }) => product).join(', ');
		throw new Error(l10n.t('no other agent was found on this machine. Known are {0}.', products));
	}
	const ticked = await chooseAgents(foundAgents, start);
	if (!ticked) return undefined;
	const changes = foundAgents.flatMap((foundAgent) =>
		changeOf(foundAgent, ticked.includes(foundAgent), start),
	);
	if (ticked.length > 0) {
		const configuration = vscode.workspace.getConfiguration(settings.section);
		await configuration.update(settings.gateway, true, vscode.ConfigurationTarget.Global);
		await gateway.apply();
	}
	if (changes.length === 0) return undefined;
	const back = await inOrder(changes.map(replacing)).take();
	const names = changes.map(({ product }) => product).join(', ');
	void notify(
		ticked.length > 0
			? l10n.t('{0}: entry written. Start the agent again in a folder that is open in VS Code.', names)
			: l10n.t('{0}: entry removed.', names),
	);
	return {
		label: l10n.t('connect {0}', names),
		undo: async () => void (await back.take()),
	};
}

async function findAgents(places: ImportPlaces, start: ProgramStart): Promise<readonly FoundAgent[]> {
	const sources = importSources({ ...places, workspaceFolders: [] });
	const all = agents.map(async (agent): Promise<FoundAgent[]> => {
		const source = sources.find(
			({ product, path: file }) => product === agent.product && path.basename(file) === agent.file,
		);
		if (!source || !(await isInstalled(source.path, places.home))) return [];
		const text = await textOf(source.path);
		const base = { agent, file: source.path, text };
		try {
			return [{ ...base, entry: entryState(agent, text, start) }];
		} catch (error) {
			return [{ ...base, entry: 'none', fault: failureText(error) }];
		}
	});
	return (await Promise.all(all)).flat();
}

/** An agent that has been used has its file, or the folder for it. */
async function isInstalled(file: string, home: string): Promise<boolean> {
	const folder = path.dirname(file);
	return stat(folder === home ? file : folder).then(
		() => true,
		() => false,
	);
}

async function chooseAgents(
	foundAgents: readonly FoundAgent[],
	start: ProgramStart,
): Promise<readonly FoundAgent[] | undefined> {
	const items = foundAgents.map((foundAgent) => ({
		foundAgent,
		label: foundAgent.agent.product,
		description: foundAgent.file,
		detail: foundAgent.fault ?? shownEntry(foundAgent.agent, start).replace(/\s+/g, ' '),
		picked: foundAgent.entry !== 'none',
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.connectAgents),
		placeHolder: l10n.t('Select the agents that may use the tools of this window'),
		canPickMany: true,
		ignoreFocusOut: true,
	});
	return picked?.map(({ foundAgent }) => foundAgent);
}

function changeOf(
	{ agent, file, text, entry, fault }: FoundAgent,
	isTicked: boolean,
	start: ProgramStart,
): readonly (EntryChange & { readonly product: string })[] {
	if (isTicked && fault !== undefined) throw new Error(l10n.t('{0} cannot be changed. {1}', file, fault));
	if (entry === (isTicked ? 'same' : 'none')) return [];
	const after = isTicked ? withEntry(agent, text, start) : withoutEntry(agent, text);
	const takeBack = (now: string) => (isTicked ? withoutEntry(agent, now) : withEntry(agent, now, start));
	return [{ product: agent.product, file, before: text, after, takeBack }];
}

interface EntryChange {
	readonly file: string;
	readonly before: string;
	readonly after: string;
	/** Removes the entry from a text that may have changed since: agents write into their files, too. */
	readonly takeBack: (text: string) => string;
}

/** Rejects if the file has changed meanwhile. A symbolic link stays a link. */
function replacing(change: EntryChange): Step {
	const { file, before, after, takeBack } = change;
	const take = async () => {
		if ((await textOf(file)) !== before)
			throw new Error(l10n.t('{0} has changed meanwhile. Try again.', file));
		await writeFile(file, after, { mode: 0o600 });
		return { take: back };
	};
	const back = async () => {
		const text = await textOf(file);
		await writeFile(file, text === after ? before : takeBack(text), { mode: 0o600 });
		return replacing(change);
	};
	return { take };
}

/** Empty if the file does not exist. */
function textOf(file: string): Promise<string> {
	return readFile(file, 'utf8').catch((error: unknown) => {
		if (errorCode(error) === 'ENOENT') return '';
		throw error;
	});
}
