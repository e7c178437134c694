import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { importServers as importedServers } from '../../config/import/importedServer.ts';
import { type PlannedServer, planImport } from '../../config/import/importPlan.ts';
import type { ImportPlaces } from '../../config/import/importSources.ts';
import { withSecrets } from '../../config/variables.ts';
import type { CurrentText } from '../config/configFile.ts';
import type { ApprovalPrompt } from '../trust/approvalPrompt.ts';
import type { UndoStack } from '../undo/undoStack.ts';
import { AppliedImport, type ImportOrder } from './appliedImport.ts';
import { type FoundFile, findForeignFiles, importPlaces, withEnvFiles } from './foreignFiles.ts';
import { couldBeCommitted } from './gitIgnore.ts';
import { askToOpenFolder, chooseOtherFile, sayNothingToImport } from './importMessages.ts';
import { importRows } from './importRows.ts';
import { type NextStepParts, offerNextSteps } from './nextSteps.ts';
import { askAboutGit, askForSecretPlace } from './secretChoice.ts';
import { pickServers, type ServerChoice } from './serverPick.ts';
import { shownPath } from './shownPath.ts';

/** What the command needs. */
export interface ImportContext extends NextStepParts {
	readonly undo: UndoStack;
	readonly approvalPrompt: Pick<ApprovalPrompt, 'expect'>;
	/** The folder in which VS Code keeps what the extension stores for all workspaces. */
	readonly globalStorage: vscode.Uri;
}

/**
 * Copies servers of other programs into the configuration: finds them, lets the user choose, keeps their secrets apart, and
 * offers to take it all back.
 */
export async function importServers(context: ImportContext): Promise<void> {
	const target = await context.configFile.current();
	if (!target) return askToOpenFolder();
	const order = await orderOf(target, importPlaces(context.globalStorage));
	if (!order) return;
	// Only while they are written: of what the user saves later, the notice of the import has said nothing.
	const told = context.approvalPrompt.expect(order.servers.map(({ name }) => name));
	const applied = await AppliedImport.apply(order, target, context).finally(() => told.dispose());
	context.undo.push({
		what: l10n.t('import {0}', serverCount(order.servers.length)),
		holds: () => !applied.isUndone,
		undo: () => applied.undo(),
	});
	offerNextSteps(applied, order, context);
}

async function orderOf(target: CurrentText, places: ImportPlaces): Promise<ImportOrder | undefined> {
	const scope = withSecrets(target.scope);
	let files = await withEnvFiles(await findForeignFiles(places), places, scope);
	for (;;) {
		const choice = await choose(files, target, places);
		if (choice.kind === 'cancelled') return undefined;
		if (choice.kind === 'import') return orderFor(choice.servers, target);
		const other = await chooseOtherFile(places);
		if (other) {
			const others = files.filter(({ source }) => source.path !== other.source.path);
			files = [...others, ...(await withEnvFiles([other], places, scope))];
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
	if (!plan) throw new Error(l10n.t('{0} cannot be changed: mend its faults first.', uri.fsPath));
	const isAllThere = plan.servers.every(({ state }) => state === 'present');
	if (isAllThere) return sayNothingToImport(files, places, text !== undefined);
	const planned = files.map(({ source, faults }) => ({
		source,
		faults,
		servers: plan.servers.filter(({ server }) => server.source === source),
	}));
	return pickServers(importRows(planned, (path) => shownPath(path, places)));
}

/** What is asked about the secrets of chosen servers; `undefined`: the user does not want to go on. */
async function orderFor(
	chosen: readonly PlannedServer[],
	{ uri, text, scope }: CurrentText,
): Promise<ImportOrder | undefined> {
	const plan = planImport(
		chosen.map(({ server }) => server),
		text,
		withSecrets(scope),
	);
	if (!plan) return undefined;
	const { servers, secrets } = plan;
	const order = { servers, secrets, place: 'nowhere', ignoreDotenv: false } as const;
	if (secrets.length === 0) return order;
	const names = secrets.map(({ name }) => name);
	const place = await askForSecretPlace(names, servers);
	if (place !== 'dotenv') return place && { ...order, place };
	const folder = vscode.Uri.joinPath(uri, '..').fsPath;
	const decision = (await couldBeCommitted(folder, '.env')) ? await askAboutGit() : 'write';
	return decision && { ...order, place, ignoreDotenv: decision === 'ignore' };
}
