import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { convertServers as importedServers } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import type { ImportPlaces } from '../../config/import/importSources.ts';
import { variablesIn } from '../../config/secrets/environmentNames.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { chooseFile } from '../ui/configChange.ts';
import { commands, ids } from '../ui/ids.ts';
import { serverLook } from '../ui/looks.ts';
import { commandTitle, notify, sayFailed } from '../ui/messages.ts';
import { enterSecret } from '../ui/secretInput.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { AppliedImport, type ImportOrder, type ImportServices } from './appliedImport.ts';
import {
	type FoundFile,
	findForeignFiles,
	importPlaces,
	withClaudePermissions,
	withEnvFiles,
} from './foreignFiles.ts';
import { chooseOtherFile, pickServers, type ServerChoice, sayNothingToImport } from './importQuestions.ts';
import { importRows, importSummary, type StoppedServer, shownPath } from './importRows.ts';

type ImportContext = NextStepServices & Pick<Services, 'undo' | 'trust' | 'storage'>;

/**
 * Copies servers of other programs into the configuration: finds them, lets the user choose, keeps their secrets apart, and
 * offers to take it all back.
 */
export async function importServers(context: ImportContext): Promise<void> {
	const placeHolder = l10n.t('Select the configuration to add the servers to');
	const file = await chooseFile(context, { command: commands.importServers, placeHolder });
	const target = file && (await context.configFile.current(file.place.uri));
	if (!target) return;
	const order = await orderOf(target, importPlaces(context.storage.globalStorage));
	if (!order) return;
	// Only while they are written: what the user saves later is not told by this import.
	const told = context.trust.approvalPrompt.expect(order.servers.map(({ name }) => name));
	const applied = await AppliedImport.apply(order, target, context).finally(() => told.dispose());
	context.undo.push({
		what: l10n.t('import {0}', serverCount(order.servers.length)),
		holds: () => !applied.isUndone,
		undo: () => applied.undo(),
	});
	offerNextSteps(applied, { ...order, uri: target.uri }, context);
}

async function orderOf(target: CurrentText, places: ImportPlaces): Promise<ImportOrder | undefined> {
	const scope = withSecrets(target.scope);
	const found = await withClaudePermissions(await findForeignFiles(places), places);
	let files = await withEnvFiles(found, places, scope);
	for (;;) {
		const choice = await choose(files, target, places);
		if (choice.kind === 'cancelled') return undefined;
		if (choice.kind === 'import') return orderFor(choice.servers, target);
		const other = await chooseOtherFile(places);
		if (other) {
			const others = files.filter(({ source }) => source.path !== other.source.path);
			const decided = await withClaudePermissions([other], places);
			files = [...others, ...(await withEnvFiles(decided, places, scope))];
		} else if (files.length === 0) return undefined;
	}
}

async function choose(
	files: readonly FoundFile[],
	{ uri, text, scope }: CurrentText,
	places: ImportPlaces,
): Promise<ServerChoice> {
	const full = withSecrets(scope);
	const { platform } = places;
	const servers = importedServers(
		files.flatMap((file) => file.servers),
		{ env: full.env, platform },
	);
	const plan = planImport(servers, text, full);
	if (!plan) throw new Error(l10n.t('{0} cannot be changed: fix its errors first.', uri.fsPath));
	const isAllThere = plan.servers.every(({ state }) => state === 'present');
	if (isAllThere) return sayNothingToImport(files, places, text !== undefined);
	const planned = files.map(({ source, faults }) => ({
		source,
		faults,
		servers: plan.servers.filter(({ server }) => server.source === source),
	}));
	return pickServers(importRows(planned, (path) => shownPath(path, places)));
}

/** The chosen servers, under the names that they get without the others. */
function orderFor(chosen: readonly PlannedServer[], { text, scope }: CurrentText): ImportOrder | undefined {
	return planImport(
		chosen.map(({ server }) => server),
		text,
		withSecrets(scope),
	);
}

/** What was imported, and into which file. */
type PlacedOrder = ImportOrder & { readonly uri: vscode.Uri };

type NextStepServices = ImportServices & Pick<Services, 'pool'>;

/** How long imported servers may take to start before it is said how they stand. One that cannot start fails sooner. */
const startPatienceMs = 5000;

/** Says what was imported, and offers what it still needs, and to undo it, until the user closes the notification. */
function offerNextSteps(applied: AppliedImport, order: PlacedOrder, services: NextStepServices): void {
	takeNextSteps(applied, order, services).catch(sayFailed);
}

async function takeNextSteps(
	applied: AppliedImport,
	order: PlacedOrder,
	services: NextStepServices,
): Promise<void> {
	const { configFile } = services;
	const enter = l10n.t('Enter Values…');
	const review = l10n.t('Review…');
	const showLog = l10n.t('Show Log');
	const turnOn = commandTitle(commands.enableDiscovery);
	const decide = commandTitle(commands.managePermissions);
	const undo = l10n.t('Undo');
	for (;;) {
		const unset = await unsetVariables(order, configFile);
		const { unapproved, failed } = await serversNotRunning(order, services);
		// It may have been undone by the command meanwhile.
		if (applied.isUndone) return;
		const [firstFailed] = failed;
		const notRunning = [...unapproved, ...failed].map(stoppedServer);
		const isOff = configFile.state.kind === 'ok' && !configFile.state.config.policy.enabled;
		const proposed = undecided(order, services);
		const text = importSummary(order.servers, {
			outcome: applied.outcome,
			unset,
			isOff,
			notRunning,
			proposed,
			kept: order.secrets.length,
		});
		const buttons = [
			...(unset.length > 0 ? [enter] : []),
			...(unapproved.length > 0 ? [review] : []),
			...(firstFailed ? [showLog] : []),
			...(isOff ? [turnOn] : []),
			...(proposed > 0 ? [decide] : []),
			undo,
		];
		const chosen = await notify(text, ...buttons);
		if (chosen === undo) return applied.undo();
		if (chosen === turnOn) {
			await vscode.commands.executeCommand(commands.enableDiscovery);
		} else if (chosen === decide) {
			await vscode.commands.executeCommand(commands.managePermissions);
		} else if (chosen === enter) {
			await enterValues(unset, order, applied, services);
		} else if (chosen === review) {
			await vscode.commands.executeCommand(commands.reviewServers);
		} else if (chosen === showLog && firstFailed) {
			await vscode.commands.executeCommand(commands.showServerLog, { server: firstFailed.name });
		} else {
			return;
		}
	}
}

/** How many decisions of other programs about tools of these servers wait for the user's own. */
function undecided({ servers }: ImportOrder, { trust: { permissions } }: NextStepServices): number {
	const names = new Set(servers.map(({ name }) => name));
	return permissions.proposals.filter(({ server }) => names.has(server)).length;
}

/** Variables that imported servers read, and that nothing sets. */
async function unsetVariables(
	{ servers, uri }: PlacedOrder,
	configFile: Services['configFile'],
): Promise<readonly string[]> {
	const current = await configFile.current(uri);
	const env = current ? withSecrets(current.scope).env : {};
	return variablesIn(servers.map(({ server }) => server.entry)).filter((name) => env[name] === undefined);
}

/** Imported servers that do not run and should; those that still start have a little time to show whether they can. */
async function serversNotRunning(
	{ servers }: ImportOrder,
	{ pool }: NextStepServices,
): Promise<Readonly<Record<'unapproved' | 'failed', readonly ServerStatus[]>>> {
	const names = servers.map(({ name }) => name);
	const title = l10n.t('Starting the imported servers…');
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () =>
		pool.whenReady(names, { timeoutMs: startPatienceMs }),
	);
	const imported = pool.servers().filter(({ name }) => names.includes(name));
	return {
		unapproved: imported.filter(({ state }) => state.kind === 'unapproved'),
		failed: imported.filter(({ state }) => state.kind === 'failed'),
	};
}

function stoppedServer(status: ServerStatus): StoppedServer {
	return { name: status.name, why: serverLook(status).word };
}

async function enterValues(
	names: readonly string[],
	{ servers, uri }: PlacedOrder,
	applied: AppliedImport,
	{ configFile, keyring: { secrets } }: ImportServices,
): Promise<void> {
	const folder = configFile.folderOf(uri);
	const inputs = new Map(servers.flatMap(({ server }) => [...server.inputs]));
	for (const name of names) {
		if (!(await enterSecret(name, folder, secrets, inputs.get(name)))) return;
		applied.include(() => secrets.remove(folder, [name]));
	}
}
