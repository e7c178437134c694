import type * as vscode from 'vscode';
import { isLoopback } from '../../config/servers/address.ts';
import { isProvidersOwn, type KeyClient, originOf } from './keyRules.ts';
import type { KeyStore } from './keyStore.ts';

/** What is known of where chats may go, and who is asked. */
export interface ChatConsentParts {
	readonly keys: Pick<KeyStore, 'sourceFor'>;
	/** Outlives the session, and is never in the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** Whether what is said may go there. */
	readonly ask: (client: KeyClient) => Promise<boolean>;
}

/**
 * Which addresses may be sent what is said in chats. A repository names its models with any address it likes, and the editor may preselect the
 * first of them: so an address of which the user knows nothing is told before anything goes there. They know those of the providers, this
 * machine, and what they have given a key to.
 */
export class ChatConsents {
	readonly #parts: ChatConsentParts;
	/** Questions on the screen, by origin: requests at the same time ask once. */
	readonly #asked = new Map<string, Promise<boolean>>();

	constructor(parts: ChatConsentParts) {
		this.#parts = parts;
	}

	/** Asks where that is not known; a refusal holds for this request only. */
	async mayReceive(client: KeyClient): Promise<boolean> {
		return (await this.knows(client)) || this.#askOnce(client);
	}

	/** Whether the user knows of the address; asks nobody. */
	async knows(client: KeyClient): Promise<boolean> {
		const origin = originOf(client);
		if (isLoopback(origin) || isProvidersOwn(origin)) return true;
		if (this.#parts.agreements.get<boolean>(agreementName(origin)) === true) return true;
		const { kind } = await this.#parts.keys.sourceFor(client);
		return kind === 'stored' || kind === 'variable';
	}

	#askOnce(client: KeyClient): Promise<boolean> {
		const origin = originOf(client);
		const answer = this.#asked.get(origin) ?? this.#ask(client).finally(() => this.#asked.delete(origin));
		this.#asked.set(origin, answer);
		return answer;
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
