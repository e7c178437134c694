import * as l10n from '@vscode/l10n';
import { duration } from '../../chat/counts.ts';
import { assertNever } from '../../common/assertNever.ts';
import { type ChosenEndpoint, type ChosenModel, clientFor, planModel } from '../../config/models/addition.ts';
import { addressOf, type ClientDefinition } from '../../config/models/clientDefinition.ts';
import { isLoopback } from '../../config/servers/address.ts';
import type { ListedModel } from '../../models/listing.ts';
import { ModelError } from '../../models/modelError.ts';
import type { Endpoint } from '../../models/provider.ts';
import { silentEndpoint } from '../core/clientEndpoint.ts';
import { addToConfig, chooseFile } from '../core/configChange.ts';
import type { Configuration } from '../core/configuration.ts';
import { ownVariable } from '../core/keyRules.ts';
import type { KeyStore } from '../core/keyStore.ts';
import { modelId } from '../core/modelInformation.ts';
import { undoNotified } from '../core/offerUndo.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import { inNotification } from '../ui/cancellation.ts';
import { cannotChange } from '../ui/fileChanges.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { notify, shortTitle, showError } from '../ui/messages.ts';
import { openChat } from '../ui/openChat.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import { askAfterFailure, askEndpoint, askKey, askModel } from './addModelQuestions.ts';

interface AddModelServices {
	readonly configFile: Configuration;
	readonly keys: KeyStore;
	readonly undo: UndoHistory;
}

/** What has been chosen so far. Each state has what the next question needs, so that Back loses nothing. */
interface Chosen {
	readonly endpoint: ChosenEndpoint;
	readonly target: CurrentText;
	readonly client: ClientDefinition;
	/** Entered, and stored only with the entry. */
	readonly key?: string;
}

type State =
	| { readonly kind: 'endpoint' }
	| { readonly kind: 'file'; readonly endpoint: ChosenEndpoint }
	/** `refusal`: what the endpoint said to the key, or to none. */
	| { readonly kind: 'key'; readonly chosen: Chosen; readonly refusal?: string }
	| { readonly kind: 'model'; readonly chosen: Chosen }
	| {
			readonly kind: 'test';
			readonly chosen: Chosen;
			readonly model: ListedModel;
			readonly isListed: boolean;
	  }
	| {
			readonly kind: 'write';
			readonly chosen: Chosen;
			readonly model: ListedModel;
			readonly isListed: boolean;
			/** How long the answer to the test took; absent: the user adds the model although it did not answer. */
			readonly answeredMs?: number;
	  }
	| { readonly kind: 'end' };

/**
 * Adds a model: asks for the endpoint, its key and one of its models, sends one request, and writes the entry as one change that can be undone.
 * Nothing is stored before that.
 */
export async function addModel(services: AddModelServices): Promise<void> {
	const typed = { value: '' };
	let state: State = { kind: 'endpoint' };
	while (state.kind !== 'end') state = await nextState(state, typed, services);
}

async function nextState(
	state: Exclude<State, { readonly kind: 'end' }>,
	typed: { value: string },
	services: AddModelServices,
): Promise<State> {
	switch (state.kind) {
		case 'endpoint': {
			const endpoint = await askEndpoint(typed);
			return endpoint ? { kind: 'file', endpoint } : { kind: 'end' };
		}
		case 'file':
			return afterFile(state.endpoint, services);
		case 'key': {
			const { chosen, refusal } = state;
			const canSkip = refusal === undefined && ownVariable(addressOf(chosen.client)) === undefined;
			const reply = await askKey(chosen.client, { refusal, canSkip });
			switch (reply.kind) {
				case 'answer':
					return { kind: 'model', chosen: { ...chosen, key: reply.text.trim() } };
				case 'skipped':
					return { kind: 'model', chosen };
				case 'back':
					return { kind: 'endpoint' };
				default:
					return { kind: 'end' };
			}
		}
		case 'model': {
			const { chosen } = state;
			const reply = await askModel(chosen.client, endpointOf(chosen, services.keys));
			switch (reply.kind) {
				case 'answer':
					return { kind: 'test', chosen, ...reply.answer };
				case 'refused':
					return { kind: 'key', chosen, refusal: reply.refusal };
				case 'back':
					return { kind: 'endpoint' };
				default:
					return { kind: 'end' };
			}
		}
		case 'test':
			return afterTest(state, services);
		case 'write':
			await write(state, services);
			return { kind: 'end' };
		default:
			return assertNever(state);
	}
}

async function afterFile(endpoint: ChosenEndpoint, { configFile, keys }: AddModelServices): Promise<State> {
	const placeHolder = l10n.t('Select the configuration to add the model to');
	const file = await chooseFile({ configFile }, { command: commands.addModel, placeHolder });
	const target = file && (await configFile.current(file.place.uri));
	if (!target) return { kind: 'endpoint' };
	const client = clientFor(endpoint, target.text, target.scope);
	// Before anything is asked: the answers would be lost.
	if (!client) throw cannotChange(target.uri);
	const chosen = { endpoint, target, client };
	// Most endpoints on this machine need no key. One that does says so.
	const needsNone = client.provider === 'ollama' || isLoopback(client.baseUrl);
	const hasKey = needsNone || ['stored', 'variable'].includes((await keys.sourceFor(client)).kind);
	return { kind: hasKey ? 'model' : 'key', chosen };
}

function endpointOf({ client, key }: Chosen, keys: KeyStore): Endpoint {
	const endpoint = silentEndpoint(client, keys);
	return key === undefined ? endpoint : { ...endpoint, key: async () => key };
}

async function afterTest(
	state: Extract<State, { readonly kind: 'test' }>,
	{ keys }: AddModelServices,
): Promise<State> {
	const { chosen, model } = state;
	const tested = await test(model, endpointOf(chosen, keys));
	if (tested.kind === 'cancelled') return { kind: 'model', chosen };
	if (tested.kind === 'answered') return { ...state, kind: 'write', answeredMs: tested.ms };
	const { error } = tested;
	switch (await askAfterFailure(model, error)) {
		case 'again':
			return state;
		case 'key':
			return { kind: 'key', chosen, refusal: labelText(error.happened) };
		case 'model':
			return { kind: 'model', chosen };
		case 'add':
			return { ...state, kind: 'write' };
		case 'end':
			return { kind: 'end' };
	}
}

type Tested =
	| { readonly kind: 'answered'; readonly ms: number }
	| { readonly kind: 'failed'; readonly error: ModelError }
	| { readonly kind: 'cancelled' };

/** Sends one short request with one tool, as chats do: a model that cannot call tools is of no use here. */
async function test({ model, ...facts }: ListedModel, endpoint: Endpoint): Promise<Tested> {
	const { createModel } = await import('../../models/createModel.ts');
	const created = await createModel({ id: model, name: model, model, facts }, endpoint);
	const tool = {
		name: 'current_time',
		description: 'Returns the current time.',
		inputSchema: { type: 'object', properties: {} },
	};
	const request = {
		system: '',
		messages: [{ role: 'user', text: 'Reply with the word OK.' }] as const,
		tools: [tool],
	};
	return inNotification(
		l10n.t('Sending a test message to {0}…', labelText(model)),
		async ({ signal, report }) => {
			const started = performance.now();
			try {
				await created.answer(request, signal, (event) => {
					if (event.type === 'retrying') report(0, labelText(event.reason));
				});
				return { kind: 'answered', ms: performance.now() - started };
			} catch (error) {
				if (signal.aborted) return { kind: 'cancelled' };
				if (error instanceof ModelError) return { kind: 'failed', error };
				throw error;
			}
		},
	);
}

async function write(
	{ chosen, model, isListed, answeredMs }: Extract<State, { readonly kind: 'write' }>,
	{ configFile, keys, undo }: AddModelServices,
): Promise<void> {
	const { endpoint, target, client, key } = chosen;
	const { uri, scope } = target;
	const added: ChosenModel = { endpoint, model: model.model, isListed };
	const plan = planModel(added, target.text, scope);
	if (!plan) throw cannotChange(uri);
	const edits = (text: string | undefined) => planModel(added, text, scope)?.edits;
	const change = await addToConfig(
		configFile,
		target,
		edits,
		key === undefined ? [] : [keys.changing(client, key)],
	);
	let isUndone = false;
	const undoable: UndoableChange | undefined = change && {
		label: l10n.t('add {0}', labelText(plan.name)),
		canUndo: () => !isUndone,
		undo: async () => {
			await change.undo();
			isUndone = true;
		},
	};
	if (undoable) undo.push(undoable);
	const texts = [
		...(answeredMs === undefined
			? []
			: [l10n.t('{0} answered in {1}.', labelText(model.model), duration(answeredMs))]),
		plan.state === 'present'
			? l10n.t('{0} is already configured.', labelText(plan.name))
			: l10n.t('Added {0}.', labelText(plan.name)),
	];
	const [ask, back] = [shortTitle(commands.ask), l10n.t('Undo')];
	// It waits for the user, and must not keep the command from running again.
	const offer = async () => {
		const button = await notify(texts.join(' '), ask, ...(undoable ? [back] : []));
		if (undoable && button === back) await undoNotified(undoable);
		// With the new model: the message covers the chat’s model picker.
		if (button === ask) await openChat('', modelId(plan.name));
	};
	offer().catch(showError);
}
