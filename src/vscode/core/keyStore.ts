import type * as vscode from 'vscode';
import type { Event } from '../../common/event.ts';
import type { Step } from '../../common/steps.ts';
import { addressOf } from '../../config/models/clientDefinition.ts';
import type { FoundVariable } from '../../config/secrets/dotenv.ts';
import { isLoopback } from '../../config/servers/address.ts';
import {
	type Additions,
	additionsOf,
	type KeyClient,
	type KeyVerdict,
	keyVerdict,
	type ModelFields,
	mayBeAskedForModels,
	mayGetChats,
	ownVariable,
	sendableKey,
	type VariableSecret,
	variableSecret,
} from './keyRules.ts';

/** The answer to whether a variable's secret may go to an address. */
export type SecretAnswer =
	| { readonly kind: 'send' }
	/** Another key is to be sent and stored. */
	| { readonly kind: 'replace'; readonly key: string }
	| { readonly kind: 'declined' };

/** A variable's secret that is to be sent as a client's key or in one of its headers. */
export interface AskedSecret {
	readonly variable: string;
	readonly as: 'key' | 'header';
	/** It is in the `.env` beside the client's file, in a workspace. */
	readonly isOfWorkspace: boolean;
}

interface KeyStoreParts {
	readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
	/** Outlives the session, outside the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** A variable of the environment, or of `.env` beside the client's file. */
	readonly environment: (name: string, client: KeyClient) => FoundVariable | undefined;
	/** Asks whether a variable's secret may go to the client's address. */
	readonly askForSecret: (client: KeyClient, secret: AskedSecret) => Promise<SecretAnswer>;
	/** Asks whether messages may go to the client's address. */
	readonly askForChat: (client: KeyClient, added: Additions) => Promise<boolean>;
	/** A Microsoft token; `undefined`: no sign-in. */
	readonly signIn: () => Promise<string | undefined>;
}

/** Where a key comes from, without the key. */
export interface KeySource {
	readonly kind: KeyVerdict['kind'];
	readonly variable?: string;
}

/** Open questions by subject: equal questions share one answer. */
class Questions<Answer> {
	readonly #open = new Map<string, Promise<Answer>>();

	ask(subject: string, run: () => Promise<Answer>): Promise<Answer> {
		const answer = this.#open.get(subject) ?? run().finally(() => this.#open.delete(subject));
		this.#open.set(subject, answer);
		return answer;
	}
}

/**
 * Providers' keys by URL, and where the user agreed to send secrets and chats. Nothing is found by a client's name: clients of two files may
 * have the same.
 */
export class KeyStore {
	readonly #parts: KeyStoreParts;
	/** Ids of the secrets that the user declined to send, by address, until the window reloads. */
	readonly #declined = new Map<string, readonly string[]>();
	/** Addresses that refused a request. */
	readonly #refused = new Set<string>();
	readonly #secretQuestions = new Questions<SecretAnswer>();
	readonly #chatQuestions = new Questions<boolean>();

	constructor(parts: KeyStoreParts) {
		this.#parts = parts;
	}

	/** The stored key of an address changed, perhaps in another window. */
	get onDidChange(): Event<string> {
		return (listener) =>
			this.#parts.secrets.onDidChange(({ key }) => {
				if (key.startsWith(keyPrefix)) listener(key.slice(keyPrefix.length));
			});
	}

	/** The key to send with a chat, if any. Asks if the user must agree first. */
	async keyFor(client: KeyClient): Promise<string | undefined> {
		const verdict = await this.#verdict(client);
		return verdict.kind === 'ask' ? this.#askForKey(client, verdict) : sendableKey(verdict);
	}

	/** The key for requests that contain nothing of the user's: a provider's own key goes there without consent. Never asks. */
	async knownKeyFor(client: KeyClient): Promise<string | undefined> {
		const verdict = await this.#verdict(client);
		const isProviders = verdict.kind === 'ask' && verdict.variable === ownVariable(addressOf(client));
		return isProviders ? verdict.value : sendableKey(verdict);
	}

	/** Call this after an address refused a key or its absence. True: the user agreed to send one, so a retry may help. */
	async keyAfterRefusal(client: KeyClient): Promise<boolean> {
		this.#refused.add(addressOf(client));
		const verdict = await this.#verdict(client);
		return verdict.kind === 'ask' && (await this.#askForKey(client, verdict)) !== undefined;
	}

	/** A token of the user's Microsoft account. */
	signIn(): Promise<string | undefined> {
		return this.#parts.signIn();
	}

	/** Whether a variable's secret may go to a client's address in a header. Asks once. */
	async mayUse(client: KeyClient, variable: string): Promise<boolean> {
		if (this.mayUseUnasked(client, variable)) return true;
		const secret = this.#secretIn(client, variable);
		if (this.#declinedSecrets(client).includes(secret.id)) return false;
		return (await this.#askForSecret(client, secret, 'header')).kind === 'send';
	}

	/** Like `mayUse`, without asking. */
	mayUseUnasked(client: KeyClient, variable: string): boolean {
		const isProviders = variable === ownVariable(addressOf(client));
		return isProviders || this.#agreedSecrets(client).includes(this.#secretIn(client, variable).id);
	}

	/**
	 * Whether chats may be sent to a model of a client. A repository's configuration may name models at any address, bring a key and add headers
	 * and fields, and VS Code may preselect one of its models, so this asks. A refusal counts for this request only.
	 */
	async mayReceiveChats(client: KeyClient, model: ModelFields = client): Promise<boolean> {
		const [address, added] = [addressOf(client), additionsOf(client, model)];
		if (isLoopback(address)) return true;
		let key = await this.#verdict(client);
		if (key.kind === 'ask' && key.isOfWorkspace) {
			if ((await this.#askForKey(client, key)) === undefined) return false;
			key = await this.#verdict(client);
		}
		if (mayGetChats({ address, key, added: added.id, agreed: this.#agreedChats(client) })) return true;
		return this.#chatQuestions.ask(`${address} ${added.id}`, async () => {
			const isAgreed = await this.#parts.askForChat(client, added);
			if (isAgreed) await this.#agree(chatAgreements(address), added.id);
			return isAgreed;
		});
	}

	/** Whether a client's address may be asked for its models. Never asks. */
	async mayBeAskedForModels(client: KeyClient): Promise<boolean> {
		const key = await this.#verdict(client);
		return mayBeAskedForModels({ address: addressOf(client), key, agreed: this.#agreedChats(client) });
	}

	/** Where the key for a request would come from. Never asks. */
	async sourceFor(client: KeyClient): Promise<KeySource> {
		const verdict = await this.#verdict(client);
		return 'variable' in verdict
			? { kind: verdict.kind, variable: verdict.variable }
			: { kind: verdict.kind };
	}

	/** Variables whose secrets may go to the client's address. */
	agreedVariables(client: KeyClient): readonly string[] {
		return [...new Set(this.#agreedSecrets(client).map((id) => id.split(' ', 1)[0] ?? ''))];
	}

	hasAgreedToChats(client: KeyClient): boolean {
		return this.#agreedChats(client).length > 0;
	}

	async store(client: KeyClient, key: string): Promise<void> {
		await this.changing(client, key.trim()).take();
	}

	async remove(client: KeyClient): Promise<void> {
		await this.changing(client, undefined).take();
	}

	/** Stores the key for a client's address; `undefined` removes it. */
	changing(client: KeyClient, key: string | undefined): Step {
		const { secrets } = this.#parts;
		const address = addressOf(client);
		const name = keyName(address);
		const take = async () => {
			const previousKey = await secrets.get(name);
			await (key === undefined ? secrets.delete(name) : secrets.store(name, key));
			this.#declined.delete(address);
			return this.changing(client, previousKey);
		};
		return { take };
	}

	/** Forgets the answers about secrets and chats for a client's address, so that the user is asked again. */
	async forgetAnswers(client: KeyClient): Promise<void> {
		const address = addressOf(client);
		this.#declined.delete(address);
		for (const name of [secretAgreements(address), chatAgreements(address)])
			await this.#parts.agreements.update(name, undefined);
	}

	#declinedSecrets(client: KeyClient): readonly string[] {
		return this.#declined.get(addressOf(client)) ?? [];
	}

	#agreedSecrets(client: KeyClient): readonly string[] {
		return this.#agreed(secretAgreements(addressOf(client)));
	}

	#agreedChats(client: KeyClient): readonly string[] {
		return this.#agreed(chatAgreements(addressOf(client)));
	}

	#agreed(name: string): readonly string[] {
		const stored: unknown = this.#parts.agreements.get(name);
		return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
	}

	async #agree(name: string, subject: string): Promise<void> {
		await this.#parts.agreements.update(name, [...new Set([...this.#agreed(name), subject])]);
	}

	#secretIn(client: KeyClient, variable: string): VariableSecret {
		const foundVariable = this.#parts.environment(variable, client);
		return variableSecret(variable, foundVariable ?? { value: '', isOfWorkspace: false });
	}

	async #verdict(client: KeyClient): Promise<KeyVerdict> {
		const address = addressOf(client);
		return keyVerdict({
			address,
			provider: client.provider,
			auth: client.auth,
			stored: await this.#parts.secrets.get(keyName(address)),
			environment: (name) => this.#parts.environment(name, client),
			agreed: this.#agreedSecrets(client),
			declined: this.#declinedSecrets(client),
			isRefused: this.#refused.has(address),
		});
	}

	/** Asks whether a variable's key may be sent; resolves to the key to send, if any. */
	async #askForKey(client: KeyClient, secret: VariableSecret): Promise<string | undefined> {
		const answer = await this.#askForSecret(client, secret, 'key');
		switch (answer.kind) {
			case 'send':
				return secret.value;
			case 'replace':
				return answer.key.trim();
			case 'declined':
				return undefined;
		}
	}

	#askForSecret(client: KeyClient, secret: VariableSecret, as: AskedSecret['as']): Promise<SecretAnswer> {
		const { id, variable, isOfWorkspace } = secret;
		const address = addressOf(client);
		return this.#secretQuestions.ask(`${address} ${id} ${as}`, async () => {
			const answer = await this.#parts.askForSecret(client, { variable, as, isOfWorkspace });
			if (answer.kind === 'send') await this.#agree(secretAgreements(address), id);
			else if (answer.kind === 'replace') await this.store(client, answer.key);
			else this.#declined.set(address, [...this.#declinedSecrets(client), id]);
			return answer;
		});
	}
}

const keyPrefix = 'apiKey:';

function keyName(address: string): string {
	return keyPrefix + address;
}

function secretAgreements(address: string): string {
	return `secretAgreements:${address}`;
}

function chatAgreements(address: string): string {
	return `chatAgreements:${address}`;
}
