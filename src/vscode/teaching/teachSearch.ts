import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
	dollars,
	requestCount,
	serverCount,
	shortNumber,
	toolCount,
	wholeNumber,
} from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { lessonCost, lessonsOf } from '../../chat/teaching/lesson.ts';
import { FruitlessError, type LearnedExpansion, teach } from '../../chat/teaching/teach.ts';
import { answerCost, type TokenPrice } from '../../common/cost.ts';
import { type ClientDefinition, refOfClient } from '../../config/models/clientDefinition.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { ModelError } from '../../models/modelError.ts';
import type { FileNode, RunAction } from '../actions/action.ts';
import type { ExpansionStore } from '../core/expansionStore.ts';
import type { ModelProvider, PickedModel } from '../core/modelProvider.ts';
import type { UndoableChange } from '../core/undo.ts';
import { inNotification } from '../ui/cancellation.ts';
import { commands, ids, isPlanner } from '../ui/ids.ts';
import { failureText, labelText } from '../ui/labelText.ts';
import type { Log } from '../ui/log.ts';
import {
	commandTitle,
	dialogTitle,
	notify,
	shortTitle,
	showError,
	showErrorWithButtons,
} from '../ui/messages.ts';
import { helpAfter } from '../ui/modelHelp.ts';

type TeachingServices = {
	readonly sessions: ChatSessions;
	readonly models: ModelProvider;
	readonly expansions: ExpansionStore;
	readonly log: Log;
	readonly run: RunAction;
};

/** Tools to ask a model about. */
interface Curriculum {
	readonly tools: readonly CatalogTool[];
	/** How many tools of the same servers search knows already. */
	readonly knownCount: number;
}

/** Asks which tools a model is to describe and with which model, and has them described. `servers`: only these; else all. */
export async function teachSearch(
	services: TeachingServices,
	servers?: readonly string[],
): Promise<UndoableChange | undefined> {
	// A second run would send, and bill, the same tools twice.
	if (underWay.has(services.expansions)) {
		throw new Error(l10n.t('search is already being taught. Wait until it finishes, or stop it first.'));
	}
	const curriculum = await chosenTools(services, servers);
	if (!curriculum) return undefined;
	const picked = await chooseModel(services);
	if (!picked) return undefined;
	const teacher = await services.models.picked(picked);
	const tools = await agreedTools(curriculum, teacher.model);
	return tools && teachTools(services, teacher, tools);
}

/** The stores that are being written to now. */
const underWay = new WeakSet<object>();

async function chosenTools(
	services: TeachingServices,
	servers: readonly string[] | undefined,
): Promise<Curriculum | undefined> {
	const { ranking } = services.sessions.policy;
	if (ranking !== 'default') {
		throw new Error(
			l10n.t(
				'the ranking {0} in the configuration ignores descriptions by language models. Remove it first.',
				ranking,
			),
		);
	}
	// Another window may have taught search meanwhile.
	await services.expansions.load();
	const isAsked = ({ server }: CatalogTool) => servers === undefined || servers.includes(server);
	const all = services.sessions.searched.filter(isAsked);
	if (all.length === 0) {
		throw new Error(l10n.t('there are no tools yet. They appear after you approve their servers.'));
	}
	const tools = services.sessions.untaught.filter(isAsked);
	if (tools.length > 0) return { tools, knownCount: all.length - tools.length };
	const again = l10n.t('Teach Again');
	const answer = await notify(l10n.t('search already knows all {0}.', toolCount(all.length)), again);
	return answer === again ? { tools: all, knownCount: 0 } : undefined;
}

/** Any model except the planner, which cannot write. */
async function chooseModel({ run }: TeachingServices): Promise<vscode.LanguageModelChat | undefined> {
	const models = (await vscode.lm.selectChatModels()).filter((model) => !isPlanner(model));
	if (models.length === 0) return sayNoModel(run);
	const items = models.map((model) => ({
		label: labelText(model.name),
		description: labelText(
			[model.vendor === ids.vendor ? '' : model.vendor, model.family].filter(Boolean).join(' · '),
		),
		model,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.teachSearch),
		placeHolder: l10n.t('Select the model that describes your tools. Nothing is sent yet.'),
		matchOnDescription: true,
	});
	return picked?.model;
}

async function sayNoModel(run: RunAction): Promise<undefined> {
	const open = l10n.t('Open Configuration');
	const key = shortTitle(commands.manageSecrets);
	const chosen = await showErrorWithButtons(
		l10n.t('no language model is available. Add one to the configuration, or sign in to one in VS Code.'),
		open,
		key,
	);
	if (chosen === open) await run('openConfig');
	if (chosen === key) await run('manageSecrets');
}

/** Says what is sent to whom and what it costs. Returns the tools that the user agrees to send. */
async function agreedTools(
	{ tools, knownCount: known }: Curriculum,
	model: ChatModel,
): Promise<readonly CatalogTool[] | undefined> {
	const teaches = l10n.t('Teach');
	const choose = l10n.t('Choose Servers…');
	const servers = new Set(tools.map(({ server }) => server));
	const question = l10n.t(
		'Teach search {0} of {1} with “{2}”?',
		toolCount(tools.length),
		serverCount(servers.size),
		labelText(model.name),
	);
	const answer = await vscode.window.showInformationMessage(
		question,
		{ modal: true, detail: consentText(tools, known, model) },
		teaches,
		...(servers.size > 1 ? [choose] : []),
	);
	if (answer === teaches) return tools;
	if (answer !== choose) return undefined;
	const fewer = await chooseServers(tools);
	return fewer && agreedTools({ tools: fewer, knownCount: known }, model);
}

function consentText(tools: readonly CatalogTool[], knownCount: number, model: ChatModel): string {
	const lessons = lessonsOf(tools, model.maxInputTokens);
	const { input, output } = lessonCost(lessons);
	return [
		l10n.t(
			'{0} will send the servers’ names, and these tools’ names, titles, descriptions and parameters. Nothing of your chats, files or settings is sent.',
			requestCount(lessons.length),
		),
		costText(input, output, model.price),
		...(knownCount > 0 ? [l10n.t('Skipping {0} that search already knows.', toolCount(knownCount))] : []),
		l10n.t('The descriptions stay on this machine, and only search uses them. You can undo it.'),
	].join('\n\n');
}

function costText(input: number, output: number, price: TokenPrice | undefined): string {
	const tokens = [shortNumber(input), shortNumber(output)] as const;
	const cost = answerCost({ inputTokens: input, outputTokens: output }, price, undefined);
	return cost
		? l10n.t('About {0} tokens in and {1} out: ≈{2}.', ...tokens, dollars(cost.usd))
		: l10n.t('About {0} tokens in and {1} out; the price is unknown.', ...tokens);
}

async function chooseServers(tools: readonly CatalogTool[]): Promise<readonly CatalogTool[] | undefined> {
	const items = [...Map.groupBy(tools, ({ server }) => server)].map(([server, toolsOfServer]) => ({
		label: labelText(server),
		description: toolCount(toolsOfServer.length),
		picked: true,
		toolsOfServer,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.teachSearch),
		placeHolder: l10n.t('Select the servers whose tools the model describes'),
		canPickMany: true,
	});
	return picked && picked.length > 0 ? picked.flatMap(({ toolsOfServer }) => toolsOfServer) : undefined;
}

/** Has the tools described. What was learned until the user or a failure stopped it is kept, and can be undone. */
async function teachTools(
	{ expansions, log, run }: TeachingServices,
	{ model, definition }: PickedModel,
	tools: readonly CatalogTool[],
): Promise<UndoableChange | undefined> {
	const previousTexts = new Map(tools.map((tool) => [tool, expansions.expansionOf(tool)]));
	underWay.add(expansions);
	const taught = await withProgress(model, tools, (texts) => expansions.change([...texts])).finally(() =>
		underWay.delete(expansions),
	);
	const { learned, requests, tokens } = taught;
	log.info(
		`${model.name} has described ${learned.size} of ${tools.length} tools for the search, in ${requests} requests${tokens > 0 ? ` with ${tokens} tokens` : ''}`,
	);
	const end = endText(taught, model, tools.length);
	if (taught.end.kind === 'failed')
		sayFailure(end, remedyFor(taught.end.error, definition?.client, run)).catch(showError);
	else void notify(end);
	if (learned.size === 0) return undefined;
	return {
		label: l10n.t('what search learned about {0}', toolCount(learned.size)),
		// Leaves texts alone that were forgotten or rewritten since.
		undo: () => expansions.change([...learned].map(([tool, was]) => [tool, previousTexts.get(tool), was])),
	};
}

/** Says how many tools were described, and why not every one. Teaching again continues with the rest. */
function endText({ learned, undescribed, end }: LearnedExpansion, model: ChatModel, all: number): string {
	const name = labelText(model.name);
	const done = l10n.t(
		'Descriptions saved for {0} of {1}. To continue, run “Discovery: Teach Search…” again.',
		wholeNumber(learned.size),
		toolCount(all),
	);
	switch (end.kind) {
		case 'complete':
			return undescribed.length > 0
				? l10n.t(
						'{0} described. “{1}” returned nothing usable for {2}.',
						toolCount(learned.size),
						name,
						toolCount(undescribed.length),
					)
				: l10n.t('{0} described. To undo this, run “Discovery: Undo Last Change”.', toolCount(learned.size));
		case 'failed':
			return l10n.t('teaching search stopped: {0} {1}', whyStopped(end.error, name), done);
		case 'cancelled':
			return l10n.t('you stopped teaching search. {0}', done);
	}
}

/** Shows why teaching stopped, with the button that an answer in the chat would have. */
async function sayFailure(text: string, remedy: Remedy | undefined): Promise<void> {
	const chosen = await showErrorWithButtons(text, ...(remedy ? [remedy.title] : []));
	if (chosen !== undefined) await remedy?.run();
}

interface Remedy {
	readonly title: string;
	readonly run: () => Thenable<unknown>;
}

/** `client`: that of the model; absent if VS Code offers the model. */
function remedyFor(error: unknown, client: ClientDefinition | undefined, run: RunAction): Remedy | undefined {
	const help = error instanceof ModelError ? helpAfter(error.reason, client?.baseUrl) : undefined;
	switch (help?.to) {
		case 'key':
			return (
				client && {
					title: shortTitle(commands.manageSecrets),
					run: () => run('manageSecrets', refOfClient(client)),
				}
			);
		case 'configuration': {
			if (!client) return undefined;
			const place: FileNode = { kind: 'origin', uri: vscode.Uri.parse(client.file), client: client.name };
			return { title: commandTitle(commands.openConfig), run: () => run('openConfig', place) };
		}
		case 'page': {
			const { title, url } = help;
			return { title, run: () => vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(url)) };
		}
		default:
			return undefined;
	}
}

function whyStopped(error: unknown, model: string): string {
	return error instanceof FruitlessError
		? l10n.t('“{0}” did not answer in the requested form. Try another model.', model)
		: failureText(error);
}

async function withProgress(
	model: ChatModel,
	tools: readonly CatalogTool[],
	keep: (learned: ReadonlyMap<CatalogTool, ToolExpansion>) => Promise<void>,
): Promise<LearnedExpansion> {
	const title = l10n.t('Discovery: “{0}” describes your tools', labelText(model.name));
	return inNotification(title, ({ signal, report }) => {
		const progress = (done: number) =>
			report(done / tools.length, l10n.t('{0} of {1}', wholeNumber(done), toolCount(tools.length)));
		progress(0);
		return teach(tools, { model, signal, keep, progress });
	});
}
