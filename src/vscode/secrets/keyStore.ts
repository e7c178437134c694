import type * as vscode from 'vscode';
import { isLoopback } from '../../config/servers/address.ts';
import {
	isKeyOf,
	isProvidersOwn,
	type KeyClient,
	type KeyVerdict,
	keyVerdict,
	originOf,
} from './keyRules.ts';

/** The answer to whether a variable's key may go to an origin. */
export type KeyAnswer =
	| { readonly kind: 'send' }
	/** Another key is to be sent and stored. */
	| { readonly kind: 'replace'; readonly key: string }
	| { readonly kind: 'declined' };

interface KeyStoreParts {
	readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
	/** Outlives the session, outside the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** A variable of the environment, or of `.env` beside the client's file. */
	readonly environment: (name: string, client: KeyClient) => string | undefined;
	readonly ask: (client: KeyClient, variable: string) => Promise<KeyAnswer>;
	/** A Microsoft token; `undefined`: no sign-in. */
	readonly signIn: () => Promise<string | undefined>;
	/** Asks whether a variable's secret may go in a configured header. */
	readonly askForHeader: (client: KeyClient, variable: string) => Promise<boolean>;
	/** Asks whether messages may go to the client's address. */
	readonly askForChat: (client: KeyClient) => Promise<boolean>;
}

/** Where a key comes from, without the key. */
export interface KeySource {
	readonly kind: KeyVerdict['kind'];
	readonly variable?: string;
}

/** Open questions by subject. Whoever asks the same question gets the same answer. */
class Questions<Answer> {
	readonly #asked = new Map<string, Promise<Answer>>();

	ask(about: string, run: () => Promise<Answer>): Promise<Answer> {
		const answer = this.#asked.get(about) ?? run().finally(() => this.#asked.delete(about));
		this.#asked.set(about, answer);
		return answer;
	}
}

/** Providers' keys by origin. Keys and chats go only where the user sends them: to addresses of keys that they stored, or where they agreed. */
export class KeyStore {
	readonly #parts: KeyStoreParts;
	/** Origins that the user denied a variable's key, and origins with variables that no header may hold, until the window reloads. */
	readonly #declined = new Set<string>();
	/** Origins that refused a request. */
	readonly #refused = new Set<string>();
	readonly #questions = new Questions<string | undefined>();
	/** About headers, and about chats. */
	readonly #consentQuestions = new Questions<boolean>();

	constructor(parts: KeyStoreParts) {
		this.#parts = parts;
	}

	/** A stored secret changed, perhaps in another window. */
	get onDidChange(): vscode.SecretStorage['onDidChange'] {
		return this.#parts.secrets.onDidChange;
	}

	/** The key to send, if any. Asks if a variable's key was made for another address. */
	async keyFor(client: KeyClient): Promise<string | undefined> {
		const verdict = await this.#verdict(client);
		switch (verdict.kind) {
			case 'stored':
			case 'variable':
				return verdict.key;
			case 'ask':
				return this.#askOnce(client, verdict);
			case 'declined':
			case 'none':
				return undefined;
		}
	}

	/** Like `keyFor`, without asking. */
	async knownKeyFor(client: KeyClient): Promise<string | undefined> {
		const verdict = await this.#verdict(client);
		return verdict.kind === 'stored' || verdict.kind === 'variable' ? verdict.key : undefined;
	}

	/** Call this after an origin refused a key or its absence. True: the user agreed to send one, so a retry may help. */
	async keyAfterRefusal(client: KeyClient): Promise<boolean> {
		this.#refused.add(originOf(client));
		const verdict = await this.#verdict(client);
		return verdict.kind === 'ask' && (await this.#askOnce(client, verdict)) !== undefined;
	}

	/** A token of the user's Microsoft account. */
	signIn(): Promise<string | undefined> {
		return this.#parts.signIn();
	}

	/** Whether a variable's secret may go to an origin in a header. Asks once. */
	async mayUse(client: KeyClient, variable: string): Promise<boolean> {
		if (this.mayUseUnasked(client, variable)) return true;
		const about = `${originOf(client)} ${variable}`;
		if (this.#declined.has(about)) return false;
		return this.#consentQuestions.ask(about, async () => {
			const agreed = await this.#parts.askForHeader(client, variable);
			if (agreed) await this.#agree(client, variable);
			else this.#declined.add(about);
			return agreed;
		});
	}

	/** Like `mayUse`, without asking. */
	mayUseUnasked(client: KeyClient, variable: string): boolean {
		const origin = originOf(client);
		return isKeyOf(origin, variable) || this.agreedVariables(client).includes(variable);
	}

	/**
	 * Whether chats may be sent to a client's address. A repository's configuration may name models at any address, and VS Code may preselect
	 * one of them, so this asks. A refusal counts for this request only.
	 */
	async mayReceiveChats(client: KeyClient): Promise<boolean> {
		if (await this.mayReceiveChatsUnasked(client)) return true;
		const origin = originOf(client);
		return this.#consentQuestions.ask(origin, async () => {
			const agreed = await this.#parts.askForChat(client);
			if (agreed) await this.#parts.agreements.update(chatAgreementName(origin), true);
			return agreed;
		});
	}

	/** Like `mayReceiveChats`, without asking: for providers' own addresses, this machine, and addresses with a key from the user. */
	async mayReceiveChatsUnasked(client: KeyClient): Promise<boolean> {
		const origin = originOf(client);
		if (isLoopback(origin) || isProvidersOwn(origin)) return true;
		if (this.#parts.agreements.get<boolean>(chatAgreementName(origin)) === true) return true;
		return (await this.knownKeyFor(client)) !== undefined;
	}

	/** Where the key for a request would come from. Never asks. */
	async sourceFor(client: KeyClient): Promise<KeySource> {
		const verdict = await this.#verdict(client);
		return 'variable' in verdict
			? { kind: verdict.kind, variable: verdict.variable }
			: { kind: verdict.kind };
	}

	/** Variables whose keys may go to the client's origin. */
	agreedVariables(client: KeyClient): readonly string[] {
		return this.#parts.agreements.get<readonly string[]>(agreementsName(originOf(client))) ?? [];
	}

	async store(client: KeyClient, key: string): Promise<void> {
		const origin = originOf(client);
		this.#declined.delete(origin);
		await this.#parts.secrets.store(secretName(origin), key.trim());
	}

	async remove(client: KeyClient): Promise<void> {
		const origin = originOf(client);
		this.#declined.delete(origin);
		await this.#parts.secrets.delete(secretName(origin));
	}

	/** Forgets the answers about a client's origin, so that the user is asked again. */
	async forgetAnswers(client: KeyClient): Promise<void> {
		const origin = originOf(client);
		for (const about of this.#declined) if (about.split(' ', 1)[0] === origin) this.#declined.delete(about);
		await this.#parts.agreements.update(agreementsName(origin), undefined);
	}

	async #agree(client: KeyClient, variable: string): Promise<void> {
		const agreed = [...this.agreedVariables(client), variable];
		await this.#parts.agreements.update(agreementsName(originOf(client)), agreed);
	}

	async #verdict(client: KeyClient): Promise<KeyVerdict> {
		const origin = originOf(client);
		return keyVerdict({
			origin,
			provider: client.provider,
			stored: await this.#parts.secrets.get(secretName(origin)),
			environment: (name) => this.#parts.environment(name, client),
			agreed: this.agreedVariables(client),
			declined: this.#declined.has(origin),
			refused: this.#refused.has(origin),
		});
	}

	#askOnce(client: KeyClient, wanted: KeyVerdict & { kind: 'ask' }): Promise<string | undefined> {
		return this.#questions.ask(`${wanted.variable} ${originOf(client)}`, () => this.#ask(client, wanted));
	}

	async #ask(
		client: KeyClient,
		{ key, variable }: KeyVerdict & { kind: 'ask' },
	): Promise<string | undefined> {
		const answer = await this.#parts.ask(client, variable);
		switch (answer.kind) {
			case 'send':
				await this.#agree(client, variable);
				return key;
			case 'replace':
				await this.store(client, answer.key);
				return answer.key.trim();
			case 'declined':
				this.#declined.add(originOf(client));
				return undefined;
		}
	}
}

function secretName(origin: string): string {
	return `apiKey:${origin}`;
}

function agreementsName(origin: string): string {
	return `keyAgreements:${origin}`;
}

function chatAgreementName(origin: string): string {
	return `chatAgreement:${origin}`;
}
