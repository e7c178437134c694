import type * as vscode from 'vscode';
import { isLoopback } from '../../config/servers/address.ts';
import { isProvidersOwn, type KeyClient, originOf } from './keyRules.ts';
import { type KeyStore, Questions } from './keyStore.ts';

interface ChatConsentParts {
	readonly keys: Pick<KeyStore, 'sourceFor'>;
	/** Outlives the session, outside the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** Asks whether messages may go to the client's address. */
	readonly ask: (client: KeyClient) => Promise<boolean>;
}

/**
 * Addresses that chats may be sent to. A repository's configuration may name models at any address, and VS Code may preselect one of them.
 * So the user is asked first, except for providers' own addresses, this machine, and addresses with a key from the user.
 */
export class ChatConsents {
	readonly #parts: ChatConsentParts;
	readonly #questions = new Questions<boolean>();

	constructor(parts: ChatConsentParts) {
		this.#parts = parts;
	}

	/** Asks if necessary. A refusal counts for this request only. */
	async mayReceive(client: KeyClient): Promise<boolean> {
		return (await this.knows(client)) || this.#questions.ask(originOf(client), () => this.#ask(client));
	}

	/** Whether the user has agreed. Never asks. */
	async knows(client: KeyClient): Promise<boolean> {
		const origin = originOf(client);
		if (isLoopback(origin) || isProvidersOwn(origin)) return true;
		if (this.#parts.agreements.get<boolean>(agreementName(origin)) === true) return true;
		const { kind } = await this.#parts.keys.sourceFor(client);
		return kind === 'stored' || kind === 'variable';
	}

	async #ask(client: KeyClient): Promise<boolean> {
		const agreed = await this.#parts.ask(client);
		if (agreed) await this.#parts.agreements.update(agreementName(originOf(client)), true);
		return agreed;
	}
}

function agreementName(origin: string): string {
	return `chatAgreement:${origin}`;
}
