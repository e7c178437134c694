import type * as vscode from 'vscode';
import { isLoopback } from '../../config/servers/address.ts';
import { isProvidersOwn, type KeyClient, originOf } from './keyRules.ts';
import { type KeyStore, Questions } from './keyStore.ts';

/** What consents are known from, and how the user is asked. */
interface ChatConsentParts {
	readonly keys: Pick<KeyStore, 'sourceFor'>;
	/** Outlives the session, and is never in the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** Whether what is said may go there. */
	readonly ask: (client: KeyClient) => Promise<boolean>;
}

/**
 * Which addresses chats may be sent to. The configuration of a repository may name models at any address, and the editor may preselect one of
 * them. So the user is asked before a chat goes to an address that they may not know. They know the providers' own addresses, this machine,
 * and every address that they have given a key.
 */
export class ChatConsents {
	readonly #parts: ChatConsentParts;
	readonly #questions = new Questions<boolean>();

	constructor(parts: ChatConsentParts) {
		this.#parts = parts;
	}

	/** Asks where that is not known; a refusal holds for this request only. */
	async mayReceive(client: KeyClient): Promise<boolean> {
		return (await this.knows(client)) || this.#questions.ask(originOf(client), () => this.#ask(client));
	}

	/** Whether the user knows of the address; asks nobody. */
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
