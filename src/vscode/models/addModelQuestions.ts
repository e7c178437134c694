import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ChosenEndpoint, namedEndpoints, readEndpoint } from '../../config/models/addition.ts';
import { addressOf, type ClientDefinition } from '../../config/models/clientDefinition.ts';
import { isUnencrypted } from '../../config/servers/address.ts';
import { type ListedModel, listModels, type ModelList } from '../../models/listing.ts';
import { ModelError } from '../../models/modelError.ts';
import type { Endpoint } from '../../models/provider.ts';
import { keyFault } from '../core/keyRules.ts';
import { commands } from '../ui/ids.ts';
import { askPick, askText, showInput } from '../ui/inputs/quickInputs.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';
import { keepOrder } from '../ui/unsupported.ts';

/** Milliseconds that Ollama has to answer before the list appears. On this machine, it takes one or two. */
const ollamaPatienceMs = 300;

interface EndpointItem extends vscode.QuickPickItem {
	/** Absent: its address is asked for. */
	readonly endpoint?: ChosenEndpoint;
	readonly isFault?: true;
}

/** Lets the user choose a provider, or paste an address. */
export async function askEndpoint(typed: { value: string }): Promise<ChosenEndpoint | undefined> {
	const byName = endpointsByName(await ollamaRuns());
	for (;;) {
		const item = await pickEndpoint(typed, byName);
		if (!item || item.endpoint) return item?.endpoint;
		const reply = await askText({
			title: dialogTitle(commands.addModel),
			canGoBack: true,
			prompt: l10n.t('Endpoint URL'),
			placeholder: l10n.t('for example {0}', 'http://localhost:1234/v1'),
			text: typed.value,
			check: async (text) => {
				const reading = readEndpoint(text);
				if (reading.kind === 'endpoints') return undefined;
				return reading.kind === 'fault' ? reading.fault : l10n.t('Enter a URL.');
			},
		});
		if (reply.kind === 'cancelled') return undefined;
		if ('text' in reply) typed.value = reply.text;
	}
}

async function pickEndpoint(
	typed: { value: string },
	byName: readonly EndpointItem[],
): Promise<EndpointItem | undefined> {
	const pick = vscode.window.createQuickPick<EndpointItem>();
	keepOrder(pick);
	pick.placeholder = l10n.t('Select a provider, or paste the URL of an endpoint');
	const draw = () => {
		pick.items = itemsFor(typed.value, byName);
	};
	pick.onDidChangeValue((value) => {
		typed.value = value;
		draw();
	});
	pick.value = typed.value;
	draw();
	const reply = await showInput<EndpointItem>(pick, { title: dialogTitle(commands.addModel) }, (answer) =>
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item && !item.isFault) answer(item);
		}),
	);
	return reply.kind === 'answer' ? reply.answer : undefined;
}

function itemsFor(text: string, byName: readonly EndpointItem[]): readonly EndpointItem[] {
	const reading = readEndpoint(text);
	switch (reading.kind) {
		case 'none':
			return byName;
		case 'fault':
			return [
				{
					label: labelText(reading.fault, lineLength),
					iconPath: new vscode.ThemeIcon('warning'),
					alwaysShow: true,
					isFault: true,
				},
			];
		case 'endpoints':
			return reading.endpoints.map((endpoint) => ({
				label: protocolLabel(endpoint),
				detail: labelText(endpoint.baseUrl, lineLength),
				iconPath: new vscode.ThemeIcon('add'),
				alwaysShow: true,
				endpoint,
			}));
	}
}

function protocolLabel({ provider, name }: ChosenEndpoint): string {
	if (name in namedEndpoints) return labels[name as keyof typeof namedEndpoints];
	switch (provider) {
		case 'openai':
			return l10n.t('OpenAI-Compatible Endpoint');
		case 'anthropic':
			return l10n.t('Anthropic-Compatible Endpoint');
		case 'ollama':
			return labels.ollama;
	}
}

const labels: Readonly<Record<keyof typeof namedEndpoints, string>> = {
	openai: 'OpenAI',
	anthropic: 'Anthropic',
	openrouter: 'OpenRouter',
	ollama: 'Ollama',
};

function endpointsByName(ollamaIsHere: boolean): readonly EndpointItem[] {
	const item = (name: keyof typeof namedEndpoints, icon: string, description: string): EndpointItem => ({
		label: labels[name],
		description,
		iconPath: new vscode.ThemeIcon(icon),
		endpoint: namedEndpoints[name],
	});
	const ollama = item(
		'ollama',
		'vm',
		ollamaIsHere ? l10n.t('runs on this machine') : l10n.t('on this machine, not running now'),
	);
	const others = [
		item('openai', 'cloud', 'api.openai.com'),
		item('anthropic', 'cloud', 'api.anthropic.com'),
		item('openrouter', 'cloud', 'openrouter.ai'),
	];
	const other: EndpointItem = {
		label: l10n.t('Other Endpoint…'),
		description: l10n.t('LM Studio, llama.cpp, vLLM, Azure, Gemini and others, by URL'),
		iconPath: new vscode.ThemeIcon('globe'),
	};
	return ollamaIsHere ? [ollama, ...others, other] : [...others, ollama, other];
}

async function ollamaRuns(): Promise<boolean> {
	const signal = AbortSignal.timeout(ollamaPatienceMs);
	const answered = fetch(`${namedEndpoints.ollama.baseUrl}/api/version`, { signal, redirect: 'error' });
	return answered.then(
		({ ok }) => ok,
		() => false,
	);
}

/** Asks for a client's key. `refusal`: why it is asked for again. */
export function askKey(
	client: ClientDefinition,
	{ refusal, canSkip }: { readonly refusal: string | undefined; readonly canSkip: boolean },
): ReturnType<typeof askText> {
	const address = addressOf(client);
	const prompt = [
		...(refusal === undefined ? [] : [refusal]),
		l10n.t("The key for {0}. Stored in VS Code's secret storage and sent only to this URL.", address),
		...(isUnencrypted(address)
			? [l10n.t('The connection is not encrypted. Others on the network can read the key.')]
			: []),
		...(canSkip ? [l10n.t('If it needs no key, select Skip above.')] : []),
	];
	return askText({
		title: dialogTitle(commands.addModel),
		canGoBack: true,
		canSkip,
		prompt: prompt.join(' '),
		placeholder: '',
		text: '',
		secret: true,
		check: async (text) => keyFault(text),
	});
}

/** How the question for a model ended. `refused`: the endpoint wants a key, or another one. */
type ModelReply =
	| { readonly kind: 'answer'; readonly answer: { readonly model: ListedModel; readonly isListed: boolean } }
	| { readonly kind: 'refused'; readonly refusal: string }
	| { readonly kind: 'back' | 'cancelled' };

interface ModelItem extends vscode.QuickPickItem {
	readonly leadsTo?: Extract<ModelReply, { readonly kind: 'answer' | 'refused' }>;
}

/** Lets the user choose one of an endpoint's models, or type the name of any. */
export async function askModel({ name }: ClientDefinition, endpoint: Endpoint): Promise<ModelReply> {
	const pick = vscode.window.createQuickPick<ModelItem>();
	keepOrder(pick);
	pick.placeholder = l10n.t('Select a model of {0}, or type its name', labelText(name));
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.busy = true;
	const closed = new AbortController();
	let list: ModelList = { models: [], leftOut: 0 };
	let fault: string | undefined;
	const draw = () => {
		pick.items = modelItems(list, pick.value.trim(), fault);
	};
	pick.onDidChangeValue(draw);
	const reply = await showInput<NonNullable<ModelItem['leadsTo']>>(
		pick,
		{ title: dialogTitle(commands.addModel), canGoBack: true },
		(answer) => {
			pick.onDidAccept(() => {
				const leadsTo = pick.selectedItems[0]?.leadsTo;
				if (leadsTo) answer(leadsTo);
			});
			listModels(endpoint, closed.signal)
				.then(
					(models) => {
						list = models;
					},
					(error: unknown) => {
						if (error instanceof ModelError && wantsKey(error))
							answer({ kind: 'refused', refusal: error.happened });
						fault = listFault(error);
					},
				)
				.then(() => {
					if (closed.signal.aborted) return;
					pick.busy = false;
					draw();
				});
		},
	);
	closed.abort();
	if (reply.kind === 'answer') return reply.answer;
	return { kind: reply.kind === 'back' ? 'back' : 'cancelled' };
}

function wantsKey({ reason }: ModelError): boolean {
	return reason === 'unauthorized' || reason === 'forbidden';
}

function listFault(error: unknown): string {
	if (error instanceof ModelError && (error.reason === 'malformed' || error.reason === 'notFound'))
		return l10n.t('This URL has no list of models. Type the model’s name, or go back and check the URL.');
	const happened = error instanceof ModelError ? error.message : String(error);
	return l10n.t('{0} You can also type the model’s name.', happened);
}

function modelItems({ models }: ModelList, typed: string, fault: string | undefined): readonly ModelItem[] {
	const listedItems = models
		.filter(({ tools }) => tools !== false)
		.map(
			(model): ModelItem => ({
				label: labelText(model.title ?? model.model),
				...(model.title !== undefined && { description: labelText(model.model) }),
				leadsTo: { kind: 'answer', answer: { model, isListed: true } },
			}),
		);
	const isListed = models.some(({ model }) => model === typed);
	const byHand: ModelItem = {
		label: labelText(typed),
		description: l10n.t('use this name'),
		iconPath: new vscode.ThemeIcon('add'),
		alwaysShow: true,
		leadsTo: { kind: 'answer', answer: { model: { model: typed }, isListed: false } },
	};
	const warning: ModelItem = {
		label: labelText(fault ?? '', 2 * lineLength),
		iconPath: new vscode.ThemeIcon('warning'),
		alwaysShow: true,
	};
	return [
		...listedItems,
		...(typed === '' || isListed ? [] : [byHand]),
		...(fault === undefined ? [] : [warning]),
	];
}

/** What to do after the test failed. */
type AfterFailure = 'again' | 'key' | 'model' | 'add' | 'end';

/** Says what the endpoint answered, and asks what to do: the most likely remedy first. Back leads to the models. */
export async function askAfterFailure({ model }: ListedModel, error: ModelError): Promise<AfterFailure> {
	const item = (choice: AfterFailure, icon: string, label: string, description = '') => ({
		what: choice,
		label,
		description,
		iconPath: new vscode.ThemeIcon(icon),
	});
	const again = item('again', 'refresh', l10n.t('Try Again'));
	const key = item('key', 'key', l10n.t('Enter Another Key…'));
	const other = item('model', 'list-unordered', l10n.t('Choose Another Model…'));
	const first = wantsKey(error)
		? key
		: error.reason === 'notFound' || error.reason === 'noTools'
			? other
			: again;
	const otherItems = [again, other, key].filter((choice) => choice !== first);
	const reply = await askPick({
		title: dialogTitle(commands.addModel),
		canGoBack: true,
		placeholder: l10n.t('What to do?'),
		prompt: l10n.t('{0} did not answer: {1}', labelText(model), labelText(error.happened, lineLength)),
		items: [
			first,
			...otherItems,
			item('add', 'add', l10n.t('Add Anyway'), l10n.t('without a successful test')),
		],
		selected: [],
	});
	if (reply.kind === 'back') return 'model';
	return reply.kind === 'answer' ? reply.answer.what : 'end';
}
