import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Disposable } from '../../common/event.ts';
import { acquireLock } from '../../common/fileLock.ts';

/** Prefixes of the keys of sign-ins and of registrations. */
const grantPrefix = 'signIn.grant.';
const registrationPrefix = 'signIn.registration.';
/** Within this time, other windows see what one has stored. */
const arrivalMs = 500;

/** Private storage for texts, such as VS Code's secret storage. */
export interface SecretTexts {
	get(key: string): PromiseLike<string | undefined>;
	store(key: string, value: string): PromiseLike<void>;
	delete(key: string): PromiseLike<void>;
	/** Includes changes by other windows. */
	readonly onDidChange: (listener: (change: { readonly key: string }) => void) => Disposable;
}

/** The parts of an authorization server's metadata that are used. */
export const authorizationServerSchema = z.object({
	issuer: z.string(),
	authorization_endpoint: z.string(),
	token_endpoint: z.string(),
	registration_endpoint: z.string().optional(),
	revocation_endpoint: z.string().optional(),
	response_types_supported: z.array(z.string()),
	scopes_supported: z.array(z.string()).optional(),
	code_challenge_methods_supported: z.array(z.string()).optional(),
	token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
	revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
	client_id_metadata_document_supported: z.boolean().optional(),
	authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type AuthorizationServer = z.infer<typeof authorizationServerSchema>;

/** A client as an authorization server knows it. */
export const clientSchema = z.object({
	client_id: z.string(),
	client_secret: z.string().optional(),
	/** Seconds since the epoch; 0: never. */
	client_secret_expires_at: z.number().optional(),
	token_endpoint_auth_method: z.string().optional(),
});
export type OAuthClient = z.infer<typeof clientSchema>;

const grantSchema = z.object({
	/** Differs after each sign-in, and stays when a token is refreshed. */
	id: z.string(),
	/** What the tokens are for, if the server says so. */
	resource: z.string().optional(),
	authorizationServer: authorizationServerSchema,
	/** Without a secret that is in the configuration. */
	client: clientSchema,
	access_token: z.string(),
	refresh_token: z.string().optional(),
	/** What was granted, or else requested. */
	scope: z.string().optional(),
	/** By our own clock, in milliseconds since the epoch. */
	receivedAt: z.number(),
	expiresAt: z.number().optional(),
});

/** The user's sign-in to one server: what an issuer has granted to a client for a resource. */
export type Grant = z.infer<typeof grantSchema>;

const registrationSchema = z.object({
	redirectUri: z.string(),
	port: z.number(),
	/** What a client may ask for. Some issuers enforce this. */
	scope: z.string().optional(),
	client: clientSchema,
});

/** How an issuer knows us, and the redirect URL it accepts. */
export type Registration = z.infer<typeof registrationSchema>;

/** Stores the grant of one server with one client, and registrations by issuer, which all servers share. */
export class Grants {
	/** The same for servers that share a grant. Contains no secret. */
	readonly owner: string;
	readonly #secrets: SecretTexts;
	readonly #folder: string;

	/**
	 * @param folder for locks
	 * @param configuredClient empty: we register ourselves
	 */
	constructor(secrets: SecretTexts, folder: string, server: string, configuredClient: string) {
		this.owner = grantPrefix + hashOf(server, configuredClient);
		this.#secrets = secrets;
		this.#folder = folder;
	}

	/** Somebody signed in or out, or the token was refreshed, in any window. */
	onDidChange(listener: () => void): Disposable {
		return this.#secrets.onDidChange(({ key }) => {
			if (key === this.owner) listener();
		});
	}

	latest(): Promise<Grant | undefined> {
		return this.#read(this.owner, grantSchema);
	}

	/**
	 * Stores what `work` makes of the latest grant; `undefined`: deletes it. Resolves to the grant before.
	 *
	 * Only one window of this machine may do so at a time. Secret storage has no lock, and if two windows use a refresh token at once, some
	 * issuers take the second use for theft and end the sign-in. The next window waits until it can see what this one has stored.
	 */
	async change(work: (latest: Grant | undefined) => Promise<Grant | undefined>): Promise<Grant | undefined> {
		// A disk that cannot be written to must not prevent signing in.
		const lock = join(this.#folder, this.owner);
		const release = await acquireLock(lock).catch(() => async () => {});
		let isChanged = false;
		try {
			const latest = await this.latest();
			const next = await work(latest);
			isChanged = next !== latest;
			if (isChanged && next) await this.#secrets.store(this.owner, JSON.stringify(next));
			if (isChanged && !next) await this.#secrets.delete(this.owner);
			return latest;
		} finally {
			setTimeout(release, isChanged ? arrivalMs : 0);
		}
	}

	registration(issuer: string): Promise<Registration | undefined> {
		return this.#read(registrationPrefix + hashOf(issuer), registrationSchema);
	}

	async keepRegistration(issuer: string, registration: Registration): Promise<void> {
		await this.#secrets.store(registrationPrefix + hashOf(issuer), JSON.stringify(registration));
	}

	async forgetRegistration(issuer: string): Promise<void> {
		await this.#secrets.delete(registrationPrefix + hashOf(issuer));
	}

	/** An unreadable record counts as missing: the user signs in again. */
	async #read<T>(key: string, schema: z.ZodType<T>): Promise<T | undefined> {
		try {
			return schema.parse(JSON.parse((await this.#secrets.get(key)) ?? ''));
		} catch {
			return undefined;
		}
	}
}

/** The parts of a token response that are stored. `scope`: what was requested. */
export function received(
	tokens: {
		readonly access_token: string;
		readonly refresh_token?: string | undefined;
		readonly scope?: string | undefined;
		readonly expires_in?: number | undefined;
	},
	scope: string | undefined,
	now: number,
): Pick<Grant, 'access_token' | 'receivedAt'> & Partial<Grant> {
	const { access_token, refresh_token, expires_in: seconds = Number.NaN } = tokens;
	return {
		access_token,
		...(refresh_token !== undefined && { refresh_token }),
		scope: tokens.scope ?? scope,
		receivedAt: now,
		// Measured by our own clock from now on, so that the issuer's clock does not matter.
		expiresAt: Number.isFinite(seconds) ? now + Math.max(0, seconds) * 1_000 : undefined,
	};
}

/** Whether a client's secret has expired. */
export function isExpired({ client_secret_expires_at: at = 0 }: OAuthClient, now: number): boolean {
	return at > 0 && at * 1_000 <= now;
}

function hashOf(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
