import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import * as vscode from 'vscode';
import { autoSentence } from '../../chat/autoWords.ts';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import { type Proposal, planAddition, proposalOf } from '../../config/add/proposal.ts';
import type { ServerDraft } from '../../config/add/serverDraft.ts';
import { serverSections } from '../../config/config.ts';
import { rootOf } from '../../config/file/document.ts';
import type { ImportPlan, PlannedServer } from '../../config/import/importPlan.ts';
import { loadConfig } from '../../config/load.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import { approvalHash } from '../../mcp/accepted/launchFacts.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { chooseFile } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { commandTitle, notify, offerAfterFailure, say, sayFailed } from '../ui/messages.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { askInputs, chooseServer, type TypedText } from './addQuestions.ts';
import { AppliedImport, type ImportServices } from './appliedImport.ts';
import { searchForServer } from './registrySearch.ts';

/** What adding a server takes; `review` shows what it would run, and asks whether it may. */
export type AddContext = ImportServices &
	Pick<Services, 'pool' | 'trust' | 'sessions' | 'undo'> & {
		readonly review: (proposed: {
			readonly name: string;
			readonly launch: ServerLaunch;
			readonly file: string;
			readonly notes: readonly string[];
			readonly secretNames: readonly string[];
		}) => Promise<
			| { readonly kind: 'approved'; readonly trustsHints: boolean }
			| { readonly kind: 'back' }
			| { readonly kind: 'cancelled' }
		>;
	};

const nameLength = 100;

/**
 * Adds one server, from whatever names it: finds out what it is, asks for what is missing, shows what it would run, writes it as one change
 * that can be undone, and starts it for a look. Nothing of it is run before the user has seen it and said so.
 */
export async function addServer(context: AddContext): Promise<void> {
	const typed: TypedText = { value: '' };
	for (;;) {
		const found = await findServer(typed);
		if (!found) return;
		const isDone = await addFound(found, context);
		if (isDone) return;
	}
}

/** Which configuration a server is added to: the only one that it could be, or the one that the user chooses; `undefined`: none. */
async function targetFile(
	{ configFile }: Pick<AddContext, 'configFile'>,
	server: string,
): Promise<vscode.Uri | undefined> {
	const placeHolder = l10n.t('Select the configuration to add {0} to', labelText(server, nameLength));
	const file = await chooseFile({ configFile }, { command: commands.addServer, placeHolder });
	return file?.place.uri;
}

async function findServer(typed: TypedText): Promise<ServerDraft | undefined> {
	for (;;) {
		const choice = await chooseServer(typed);
		if (choice.kind === 'cancelled') return undefined;
		if (choice.kind === 'server') return choice.found;
		if (choice.kind === 'import') {
			await vscode.commands.executeCommand(commands.importServers);
			return undefined;
		}
		const found = await searchForServer(choice.words);
		if (found !== 'back') return found;
	}
}

/** Asks, shows and adds; false: the user wants to choose another one. */
async function addFound(found: ServerDraft, context: AddContext): Promise<boolean> {
	const { configFile } = context;
	let answers: ReadonlyMap<string, string> = new Map();
	const uri = await targetFile(context, found.name);
	if (!uri) return false;
	for (;;) {
		const target = await configFile.current(uri);
		if (!target) return true;
		// Before anything is asked: answers would be lost.
		if (target.text?.trim() && !rootOf(target.text)) throw unchangeable(target);
		const proposal = proposalOf(found, target.scope);
		if (proposal.inputs.length > 0) {
			const given = await askInputs(found.name, proposal.inputs, answers);
			if (given === 'back') return false;
			if (given === 'cancelled') return true;
			answers = given;
		}
		const addition = tried(() => additionOf(proposal, answers, target));
		if (!addition) {
			if (proposal.inputs.length === 0) return false;
			continue;
		}
		if (addition.planned.state === 'present') {
			const name = labelText(addition.planned.name, nameLength);
			void notify(l10n.t('this server is there already: {0}.', name));
			return true;
		}
		const answer = await context.review({
			name: addition.planned.name,
			launch: addition.launch,
			file: vscode.workspace.asRelativePath(uri),
			notes: addition.planned.notes,
			secretNames: addition.plan.secrets.map(({ name }) => name),
		});
		if (answer.kind === 'cancelled') return true;
		if (answer.kind === 'approved') {
			await apply(addition, answer.trustsHints, target, context);
			return true;
		}
		if (proposal.inputs.length === 0) return false;
	}
}

/** Says why something cannot be; the user is asked again. */
function tried<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch (error) {
		sayFailed(error);
		return undefined;
	}
}

function unchangeable({ uri }: CurrentText): Error {
	return new Error(l10n.t('{0} cannot be changed: fix its errors first.', uri.fsPath));
}

/** What would be written, and how it would be started. */
interface Addition {
	readonly plan: ImportPlan;
	readonly planned: PlannedServer;
	readonly launch: ServerLaunch;
}

function additionOf(proposal: Proposal, answers: ReadonlyMap<string, string>, target: CurrentText): Addition {
	const { text, scope } = target;
	const choice = { name: proposal.draft.name, answers };
	const plan = planAddition(proposal, choice, text, { scope, platform: process.platform });
	const planned = plan?.servers[0];
	if (!plan || !planned) throw unchangeable(target);
	const secrets = Object.fromEntries(plan.secrets.map(({ name, value }) => [name, value]));
	// As the file will be read: what is shown is what will be run.
	const alone = JSON.stringify({ servers: { [planned.name]: planned.server.entry } });
	const { config, problems } = loadConfig(alone, { ...scope, secrets: { ...scope.secrets, ...secrets } });
	const launch = config?.launches.get(planned.name);
	if (!launch)
		throw new Error(
			problems.find(({ severity }) => severity === 'error')?.message ??
				l10n.t('This server cannot be started.'),
		);
	return { plan, planned, launch };
}

/** Writes, approves what was shown, and starts it. */
async function apply(
	{ plan, planned, launch }: Addition,
	trustsHints: boolean,
	target: CurrentText,
	context: AddContext,
): Promise<void> {
	const {
		trust: { approvals, approvalPrompt },
		configFile,
		undo,
	} = context;
	const shown = labelText(planned.name, nameLength);
	const order = {
		servers: [planned],
		secrets: plan.secrets,
		isQuiet: true,
	} as const;
	const told = approvalPrompt.expect([planned.name]);
	/** What it is called in the whole: the same, unless another folder has one of its name. */
	let name: string | undefined;
	let applied: AppliedImport;
	try {
		applied = await AppliedImport.apply(order, target, context);
		undo.push({
			what: l10n.t('add {0}', shown),
			holds: () => !applied.isUndone,
			undo: () => applied.undo(),
		});
		name = configFile.nameOf(target.uri, planned.name);
		const written = name === undefined ? undefined : configFile.launchOf(name);
		if (name !== undefined && written && approvalHash(written) === approvalHash(launch)) {
			const approved = name;
			applied.include(() => approvals.withdraw(approved));
			await approvals.approve(new Map([[approved, written]]), trustsHints);
		}
	} finally {
		told.dispose();
	}
	if (applied.outcome === 'unsaved') {
		void notify(l10n.t('{0} was added. Save the configuration to start it.', shown));
		return;
	}
	if (name === undefined) {
		void notify(l10n.t('{0} was added, but this folder’s own server of that name overrides it.', shown));
		return;
	}
	// What follows waits for the user, and must not keep the command from being called again.
	look(name, applied, context).catch(sayFailed);
}

/** Starts a server that was added, so that its user sees what it brings, and asks how its tools are to be had. */
async function look(name: string, applied: AppliedImport, context: AddContext): Promise<void> {
	const { configFile } = context;
	const shown = labelText(name, nameLength);
	const remove = l10n.t('Remove Again');
	const outcome = await startForLook(name, context);
	if (applied.isUndone) return;
	const status = statusOf(name, context);
	if (outcome.kind === 'cancelled') {
		const chosen = await notify(l10n.t('{0} was added, but stopped before it started.', shown), remove);
		if (chosen === remove) await takeBack(applied, shown);
		return;
	}
	if (outcome.kind === 'failed' || !status) return offerRepair(name, outcome, applied, context);
	const tools = toolCount(status.tools.length);
	if (status.tools.length === 0) {
		const chosen = await notify(l10n.t('{0} runs, and offers no tools.', shown), remove);
		if (chosen === remove) await takeBack(applied, shown);
		return;
	}
	const tokens = shownTokens(tokensOf(status, context));
	const node = { server: name };
	const isOn = configFile.state.kind === 'ok' && configFile.state.config.policy.enabled;
	if (!isOn) {
		const turnOn = commandTitle(commands.enableDiscovery);
		const text = l10n.t(
			'{0} runs: {1}, {2}. They go with every message, as discovery is turned off.',
			shown,
			tools,
			tokens,
		);
		const chosen = await notify(text, turnOn, remove);
		if (chosen === turnOn) await vscode.commands.executeCommand(commands.enableDiscovery);
		else if (chosen === remove) await takeBack(applied, shown);
		return;
	}
	const defer = l10n.t('Defer');
	const load = l10n.t('Load Always');
	const question = l10n.t('{0} runs: {1}, {2}. Defer them until a chat needs them?', shown, tools, tokens);
	const chosen = await notify(question, defer, load, remove);
	// It was written so that its tools are deferred.
	if (chosen === defer) {
		const { enabled, auto } = context.sessions.policy;
		const off = auto && !enabled ? ` ${autoSentence(auto)}` : '';
		say(l10n.t('the tools of {0} are deferred.', shown) + off);
	}
	if (chosen === load) await vscode.commands.executeCommand(commands.pinServer, node);
	if (chosen === remove) await takeBack(applied, shown);
}

type LookOutcome =
	| { readonly kind: 'ready' }
	| { readonly kind: 'cancelled' }
	| { readonly kind: 'failed'; readonly error: unknown };

/** Starts a server, with its progress in sight and a button that ends it. */
async function startForLook(name: string, { pool }: AddContext): Promise<LookOutcome> {
	const title = l10n.t('Discovery: starting {0}…', labelText(name, nameLength));
	const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
	return vscode.window.withProgress(options, async (_, token): Promise<LookOutcome> => {
		const cancelled = Promise.withResolvers<LookOutcome>();
		const listener = token.onCancellationRequested(() => cancelled.resolve({ kind: 'cancelled' }));
		const started = pool.start(name).then(
			(): LookOutcome => ({ kind: 'ready' }),
			(error: unknown): LookOutcome => ({ kind: 'failed', error }),
		);
		const outcome = await Promise.race([started, cancelled.promise]);
		listener.dispose();
		if (outcome.kind === 'cancelled') await pool.stop(name);
		return outcome;
	});
}

/** Says why a server does not run, and offers what may help. */
async function offerRepair(
	name: string,
	outcome: LookOutcome,
	applied: AppliedImport,
	context: AddContext,
): Promise<void> {
	const shown = labelText(name, nameLength);
	const [edit, remove, showLog] = [l10n.t('Edit'), l10n.t('Remove Again'), l10n.t('Show Log')];
	const node = { server: name };
	if (isSignedOut(name, context)) {
		const signIn = commandTitle(commands.signIn);
		const chosen = await notify(l10n.t('{0} wants you to sign in, in the browser.', shown), signIn, remove);
		if (chosen === remove) return takeBack(applied, shown);
		if (chosen !== signIn) return;
		await vscode.commands.executeCommand(commands.signIn, node);
		if (!isSignedOut(name, context)) await look(name, applied, context);
		return;
	}
	const error = outcome.kind === 'failed' ? outcome.error : l10n.t('{0} was added, but does not run.', shown);
	const chosen = await offerAfterFailure(error, edit, showLog, remove);
	if (chosen === remove) await takeBack(applied, shown);
	else if (chosen === showLog) await vscode.commands.executeCommand(commands.showServerLog, node);
	else if (chosen === edit) await showEntry(name, context.configFile);
}

function statusOf(name: string, { pool }: AddContext): ServerStatus | undefined {
	return pool.servers().find((server) => server.name === name);
}

function isSignedOut(name: string, context: AddContext): boolean {
	return statusOf(name, context)?.state.kind === 'signed-out';
}

async function takeBack(applied: AppliedImport, shown: string): Promise<void> {
	await applied.undo();
	say(l10n.t('{0} is removed again.', shown));
}

/** Opens the configuration where a server stands in it. */
async function showEntry(server: string, configFile: Services['configFile']): Promise<void> {
	const place = configFile.placeOf(server);
	if (!place) return;
	const document = await vscode.workspace.openTextDocument(place.uri);
	const root = rootOf(document.getText());
	const entries = serverSections.map((section) => root && findNodeAtLocation(root, [section, place.name]));
	const node = entries.find((one) => one !== undefined);
	const at = node ? document.positionAt(node.parent?.offset ?? node.offset) : undefined;
	await vscode.window.showTextDocument(document, at ? { selection: new vscode.Range(at, at) } : {});
}

/** As the views count them. */
function tokensOf({ name }: ServerStatus, { sessions }: AddContext): number {
	return sumOfTokens(sessions.catalog.tools.filter(({ server }) => server === name));
}
