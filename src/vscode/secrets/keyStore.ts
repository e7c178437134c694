import type * as vscode from 'vscode';
import type { ClientDefinition } from '../../config/config.ts';
import type { Provider } from '../../models/provider.ts';
import { isKeyOf, type KeyVerdict, keyVerdict } from './keyRules.ts';

/** Who wants a key, and where it would go. */
export interface KeyRequest {
	/** Scheme, host and port, e.g. `https://api.openai.com`. */
	readonly origin: string;
	readonly provider: Provider;
	/** Name of the client in the configuration. */
	readonly client: string;
}

/** Whose key a client of the configuration sends. */
export function keyRequest({ name, provider, baseUrl }: ClientDefinition): KeyRequest {
	return { origin: new URL(baseUrl).origin, provider, client: name };
}

/** What the user says when asked whether a variable's key may go to an origin. */
export type KeyAnswer =
	| { readonly kind: 'send' }
	/** Another key is to go there, and to be stored. */
	| { readonly kind: 'replace'; readonly key: string }
	| { readonly kind: 'declined' };

/** What keys are kept in, looked up in, and asked of. */
export interface KeyStoreParts {
	readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
	/** Outlives the session: what the user has agreed to is kept here, never in the repository. */
	readonly agreements: Pick<vscode.Memento, 'get' | 'update'>;
	/** Value of a variable of the environment, or of `.env` beside the configuration. */
	readonly environment: (name: string) => string | undefined;
	readonly ask: (request: KeyRequest, variable: string) => Promise<KeyAnswer>;
	/** A token of the user's account at Microsoft; `undefined`: they did not sign in. */
	readonly signIn: () => Promise<string | undefined>;
	/** Whether a variable's secret may go there in a header of the configuration. */
	readonly askForHeader: (request: KeyRequest, variable: string) => Promise<boolean>;
}

/** Where a key comes from, without the key. */
export interface KeySource {
	readonly kind: KeyVerdict['kind'];
	readonly variable?: string;
}

/** Keys of providers, by origin: each goes where it was stored for or where the user has agreed to, and nowhere else. */
export class KeyStore {
	readonly #parts: KeyStoreParts;
	/** Origins that were denied a variable's key, until the window is reloaded. */
	readonly #declined = new Set<string>();
	/** Origins that have refused a request. */
	readonly #refused = new Set<string>();
	/** Questions on the screen: requests at the same time ask once. */
	readonly #asked = new Map<string, Promise<string | undefined>>();
	/** What the user has said to secrets in headers, by variable and origin, until the window is reloaded. */
	readonly #headersAsked = new Map<string, Promise<boolean>>();

	constructor(parts: KeyStoreParts) {
		this.#parts = parts;
	}

	/** A stored key or secret has changed, perhaps in another window. */
	get onDidChange(): vscode.SecretStorage['onDidChange'] {
		return this.#parts.secrets.onDidChange;
	}

	/** The key to send, `undefined`: none. Asks the user where a variable's key was made for another address. */
	async keyFor(request: KeyRequest): Promise<string | undefined> {
		const verdict = await this.#verdict(request);
		switch (verdict.kind) {
			case 'stored':
			case 'variable':
				return verdict.key;
			case 'ask':
				return this.#askOnce(request, verdict);
			case 'declined':
			case 'none':
				return undefined;
		}
	}

	/** The key to send as far as it is known whether to; asks nobody. */
	async knownKeyFor(request: KeyRequest): Promise<string | undefined> {
		const verdict = await this.#verdict(request);
		return verdict.kind === 'stored' || verdict.kind === 'variable' ? verdict.key : undefined;
	}

	/**
	 * To be told that an origin wants a key, or another one. True if the user has now agreed to send one, so that asking again may
	 * help.
	 */
	async keyAfterRefusal(request: KeyRequest): Promise<boolean> {
		this.#refused.add(request.origin);
		const verdict = await this.#verdict(request);
		return verdict.kind === 'ask' && (await this.#askOnce(request, verdict)) !== undefined;
	}

	/** A token of the user's account at Microsoft, for clients that are asked with it. */
	signIn(): Promise<string | undefined> {
		return this.#parts.signIn();
	}

	/** Whether a variable's secret may go to an origin in a header; asks the user once where that is not known. */
	async mayUse(request: KeyRequest, variable: string): Promise<boolean> {
		const { origin } = request;
		if (this.mayUseUnasked(request, variable)) return true;
		const question = headerQuestion(origin, variable);
		const answer = this.#headersAsked.get(question) ?? this.#askForHeader(request, variable);
		this.#headersAsked.set(question, answer);
		return answer;
	}

	/** Whether it is known that a variable's secret may go to an origin in a header; asks nobody. */
	mayUseUnasked({ origin }: KeyRequest, variable: string): boolean {
		return isKeyOf(origin, variable) || this.agreedVariables(origin).includes(variable);
	}

	/** Where the key for a request would come from now; asks nobody. */
	async sourceFor(request: KeyRequest): Promise<KeySource> {
		const verdict = await this.#verdict(request);
		return 'variable' in verdict
			? { kind: verdict.kind, variable: verdict.variable }
			: { kind: verdict.kind };
	}

	/** Variables whose keys the user has agreed to send to an origin. */
	agreedVariables(origin: string): readonly string[] {
		return this.#parts.agreements.get<readonly string[]>(agreementsName(origin)) ?? [];
	}

	/** Keeps a key for an origin. */
	async store(origin: string, key: string): Promise<void> {
		this.#declined.delete(origin);
		await this.#parts.secrets.store(secretName(origin), key.trim());
	}

	/** Removes the key that was stored for an origin. */
	async remove(origin: string): Promise<void> {
		this.#declined.delete(origin);
		await this.#parts.secrets.delete(secretName(origin));
	}

	/** Forgets what the user has said to sending a variable's key to an origin; they are asked again. */
	async forgetAnswers(origin: string): Promise<void> {
		this.#declined.delete(origin);
		for (const question of this.#headersAsked.keys()) {
			if (question.startsWith(headerQuestion(origin, ''))) this.#headersAsked.delete(question);
		}
		await this.#parts.agreements.update(agreementsName(origin), undefined);
	}

	async #askForHeader(request: KeyRequest, variable: string): Promise<boolean> {
		const agreed = await this.#parts.askForHeader(request, variable);
		if (agreed) await this.#agree(request.origin, variable);
		return agreed;
	}

	async #agree(origin: string, variable: string): Promise<void> {
		await this.#parts.agreements.update(agreementsName(origin), [...this.agreedVariables(origin), variable]);
	}

	async #verdict({ origin, provider }: KeyRequest): Promise<KeyVerdict> {
		return keyVerdict({
			origin,
			provider,
			stored: await this.#parts.secrets.get(secretName(origin)),
			environment: this.#parts.environment,
			agreed: this.agreedVariables(origin),
			declined: this.#declined.has(origin),
			refused: this.#refused.has(origin),
		});
	}

	#askOnce(request: KeyRequest, wanted: KeyVerdict & { kind: 'ask' }): Promise<string | undefined> {
		const question = `${wanted.variable} ${request.origin}`;
		const answer =
			this.#asked.get(question) ??
			this.#ask(request, wanted).finally(() => {
				this.#asked.delete(question);
			});
		this.#asked.set(question, answer);
		return answer;
	}

	async #ask(
		request: KeyRequest,
		{ key, variable }: KeyVerdict & { kind: 'ask' },
	): Promise<string | undefined> {
		const { origin } = request;
		const answer = await this.#parts.ask(request, variable);
		switch (answer.kind) {
			case 'send':
				await this.#agree(origin, variable);
				return key;
			case 'replace':
				await this.store(origin, answer.key);
				return answer.key.trim();
			case 'declined':
				this.#declined.add(origin);
				return undefined;
		}
	}
}

function headerQuestion(origin: string, variable: string): string {
	return `${origin} ${variable}`;
}

function secretName(origin: string): string {
	return `apiKey:${origin}`;
}

function agreementsName(origin: string): string {
	return `keyAgreements:${origin}`;
}
