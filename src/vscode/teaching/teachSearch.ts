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
import { lessonCost, lessonsOf } from '../../chat/teaching/lesson.ts';
import { FruitlessError, type Taught, teach } from '../../chat/teaching/teach.ts';
import { answerCost, type TokenPrice } from '../../common/cost.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { TeachingChange } from '../../discovery/evaluation/comparison.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { Services } from '../../services.ts';
import { inNotification } from '../ui/cancellation.ts';
import { commands, ids, isPlanner } from '../ui/ids.ts';
import { failureText, labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, offerAfterFailure, say, shortTitle } from '../ui/messages.ts';

/** What search is taught with. */
export type TeachingServices = Pick<Services, 'sessions' | 'languageModels' | 'learning' | 'undo' | 'log'>;

const nameLength = 100;

/** Tools that a model is to be asked about. */
interface Curriculum {
	readonly tools: readonly CatalogTool[];
	/** Tools of the same servers that search knows already. */
	readonly known: number;
}

/** Shows what was learned, and whether it helps. */
type ShowLearned = (learned: TeachingChange) => Promise<void>;

/** Teaches the search, step by step asking what and with which model. `servers`: only these; else all. */
export async function teachSearch(
	services: TeachingServices,
	show: ShowLearned,
	servers?: readonly string[],
): Promise<void> {
	refuseSecond(services);
	const curriculum = await chosenTools(services, servers);
	if (!curriculum) return;
	const picked = await chooseModel();
	if (!picked) return;
	const model = await services.languageModels.models.chatModelOf(picked);
	const tools = await agreedTools(curriculum, model);
	if (tools) await teachTools(services, model, tools, show);
}

/** What is being taught at the moment. */
const underWay = new WeakSet<object>();

/** The same tools would be sent, and paid for, twice. */
function refuseSecond({ learning: { expansions } }: TeachingServices): void {
	if (underWay.has(expansions)) {
		throw new Error(l10n.t('search is already being taught. Wait until it finishes, or stop it first.'));
	}
}

async function chosenTools(
	services: TeachingServices,
	servers: readonly string[] | undefined,
): Promise<Curriculum | undefined> {
	const { ranking } = services.sessions.policy;
	if (ranking !== 'default') {
		throw new Error(
			l10n.t(
				'the ranking {0} in the configuration uses only the servers’ own texts. Remove it first.',
				ranking,
			),
		);
	}
	// Another window may have taught it meanwhile.
	await services.learning.expansions.load();
	const isAsked = ({ server }: CatalogTool) => servers === undefined || servers.includes(server);
	const all = services.sessions.searched.filter(isAsked);
	if (all.length === 0) {
		throw new Error(l10n.t('there is nothing to teach yet. Tools appear after you approve their servers.'));
	}
	const tools = services.sessions.untaught.filter(isAsked);
	if (tools.length > 0) return { tools, known: all.length - tools.length };
	const again = l10n.t('Teach Again');
	const answer = await notify(l10n.t('search already knows all {0}.', toolCount(all.length)), again);
	return answer === again ? { tools: all, known: 0 } : undefined;
}

/** Any model but the planner, which has no words of its own. */
async function chooseModel(): Promise<vscode.LanguageModelChat | undefined> {
	const models = (await vscode.lm.selectChatModels()).filter((model) => !isPlanner(model));
	if (models.length === 0) return sayNoModel();
	const items = models.map((model) => ({
		label: labelText(model.name, nameLength),
		description: labelText(
			[model.vendor === ids.vendor ? '' : model.vendor, model.family].filter(Boolean).join(' · '),
			nameLength,
		),
		model,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.teachSearch),
		placeHolder: l10n.t('Select the model that describes the tools. Nothing is sent until you agree.'),
		matchOnDescription: true,
	});
	return picked?.model;
}

async function sayNoModel(): Promise<undefined> {
	const open = l10n.t('Open Configuration');
	const key = shortTitle(commands.manageSecrets);
	const chosen = await offerAfterFailure(
		l10n.t('there is no language model to ask. Name one in the configuration, or sign in to one in VS Code.'),
		open,
		key,
	);
	if (chosen === open) await vscode.commands.executeCommand(commands.openConfig);
	if (chosen === key) await vscode.commands.executeCommand(commands.manageSecrets);
}

/** Says what is sent to whom and what it costs; the tools that the user lets be sent. */
async function agreedTools(
	{ tools, known }: Curriculum,
	model: ChatModel,
): Promise<readonly CatalogTool[] | undefined> {
	const teaches = l10n.t('Teach');
	const choose = l10n.t('Choose Servers…');
	const servers = new Set(tools.map(({ server }) => server));
	const question = l10n.t(
		'Teach search {0} of {1} with “{2}”?',
		toolCount(tools.length),
		serverCount(servers.size),
		labelText(model.name, nameLength),
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
	return fewer && agreedTools({ tools: fewer, known }, model);
}

function consentText(tools: readonly CatalogTool[], known: number, model: ChatModel): string {
	const lessons = lessonsOf(tools, model.maxInputTokens);
	const { input, output } = lessonCost(lessons);
	return [
		l10n.t(
			'It is sent the names of the servers, and the names, titles, descriptions and parameters of these tools, in {0}, and a few more where an answer leaves tools out: nothing of your chats or files, and nothing else of your settings.',
			requestCount(lessons.length),
		),
		costText(input, output, model.price),
		l10n.t(
			'What it writes of each tool, when people want it and five things they would say, is kept on this machine for the search alone. Models that call tools do not see it.',
		),
		...(known > 0 ? [l10n.t('Skipped: {0} that search already knows.', toolCount(known))] : []),
		l10n.t(
			'Then search is compared with how it was before, using your query files or the searches of this window’s chats. That stays on this machine, and you can undo it.',
		),
	].join('\n\n');
}

function costText(input: number, output: number, price: TokenPrice | undefined): string {
	const tokens = [shortNumber(input), shortNumber(output)] as const;
	const cost = answerCost({ inputTokens: input, outputTokens: output }, price, undefined);
	if (!cost) {
		return l10n.t(
			'About {0} tokens are sent, and {1} come back; what they cost is not known here.',
			...tokens,
		);
	}
	return l10n.t('About {0} tokens are sent, and {1} come back: ≈{2}.', ...tokens, dollars(cost.usd));
}

async function chooseServers(tools: readonly CatalogTool[]): Promise<readonly CatalogTool[] | undefined> {
	const items = [...Map.groupBy(tools, ({ server }) => server)].map(([server, its]) => ({
		label: labelText(server, nameLength),
		description: toolCount(its.length),
		picked: true,
		its,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.teachSearch),
		placeHolder: l10n.t('Tick the servers whose tools search is to learn of'),
		canPickMany: true,
	});
	return picked && picked.length > 0 ? picked.flatMap(({ its }) => its) : undefined;
}

/** Teaches until all is learned or the user has had enough; then what was learned is shown. */
async function teachTools(
	services: TeachingServices,
	model: ChatModel,
	tools: readonly CatalogTool[],
	show: ShowLearned,
): Promise<void> {
	const {
		sessions,
		learning: { expansions, teachingOffers },
		undo: history,
		log,
	} = services;
	const before = new Map(tools.map((tool) => [tool, expansions.of(tool)]));
	const learned = new Map<CatalogTool, ToolExpansion>();
	let isUndone = false;
	/** Leaves alone what has been forgotten or written anew since. */
	const undo = async () => {
		isUndone = true;
		await expansions.change([...learned].map(([tool, was]) => [tool, before.get(tool), was]));
		// Nobody wants to be offered at once what they have just taken back.
		await teachingOffers.remember(sessions.searched);
	};
	for (let goesOn = true; goesOn; ) {
		const left = tools.filter((tool) => !learned.has(tool));
		underWay.add(expansions);
		const taught = await withProgress(model, left, (texts) => expansions.change([...texts])).finally(() =>
			underWay.delete(expansions),
		);
		for (const [tool, text] of taught.learned) learned.set(tool, text);
		const { requests, tokens } = taught;
		log.info(
			`${model.name} has described ${taught.learned.size} of ${left.length} tools for the search, in ${requests} requests${tokens > 0 ? ` with ${tokens} tokens` : ''}`,
		);
		// The question where it has stopped may lie unanswered for long: until then it can be undone by the command, too.
		let isAsked = taught.end.kind !== 'complete' && learned.size > 0;
		if (isAsked) {
			const what = l10n.t('what search learned about {0}', toolCount(learned.size));
			history.push({ what, holds: () => isAsked && !isUndone, undo });
		}
		const chosen = await sayWhereItEnded(taught, model, { learned: learned.size, all: tools.length });
		isAsked = false;
		if (chosen === 'undo' && !isUndone) await undo();
		if (isUndone) return say(l10n.t('search forgot what it just learned.'));
		goesOn = chosen === 'goOn';
	}
	// Whatever was left out, the user has seen that it is there.
	await teachingOffers.remember(sessions.searched);
	// A tool that has gone or changed meanwhile has no part in a search of now.
	const present = new Set(sessions.searched.filter(({ expansion }) => expansion).map(({ id }) => id));
	const shown = [...learned].filter(([{ id }]) => present.has(id));
	if (shown.length === 0) return;
	await show({
		tools: shown.map(([tool, after]) => {
			const { server, name } = tool;
			const known = before.get(tool);
			return { server, name, ...(known && { before: known }), after };
		}),
		undo,
		forget: async (some) => {
			const isAmong = ({ server, name }: CatalogTool) =>
				some.some((one) => one.server === server && one.name === name);
			// Nothing is known of them then, which is something else than never asked: they are not asked about again.
			const left = [...learned].filter(([tool]) => isAmong(tool));
			await expansions.change(left.map(([tool, was]) => [tool, {}, was]));
			for (const [tool] of left) learned.set(tool, {});
		},
	});
}

/**
 * Says where teaching has ended, unless all is learned, and what the user wants then. What was learned before somebody or something stopped
 * it is kept in any case.
 */
async function sayWhereItEnded(
	{ undescribed, end }: Taught,
	model: ChatModel,
	{ learned, all }: { readonly learned: number; readonly all: number },
): Promise<'goOn' | 'undo' | undefined> {
	const name = labelText(model.name, nameLength);
	const kept = l10n.t('Learned {0} of {1}.', wholeNumber(learned), toolCount(all));
	const [again, back] = [l10n.t('Go On'), l10n.t('Undo')];
	const buttons = learned > 0 ? [again, back] : [again];
	if (end.kind === 'complete') {
		if (undescribed.length > 0)
			say(l10n.t('“{0}” returned nothing usable for {1}.', name, toolCount(undescribed.length)));
		return undefined;
	}
	const chosen =
		end.kind === 'failed'
			? await offerAfterFailure(
					new Error(l10n.t('teaching search has stopped: {0} {1}', whyStopped(end.error, name), kept)),
					...buttons,
				)
			: await notify(l10n.t('you stopped teaching search. {0}', kept), ...buttons);
	if (chosen === again) return 'goOn';
	return chosen === back ? 'undo' : undefined;
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
): Promise<Taught> {
	const title = l10n.t('Discovery: “{0}” teaches search', labelText(model.name, nameLength));
	return inNotification(title, ({ signal, tell }) => {
		const progress = (done: number) =>
			tell(done / tools.length, l10n.t('{0} of {1}', wholeNumber(done), toolCount(tools.length)));
		progress(0);
		return teach(tools, { model, signal, keep, progress });
	});
}
