import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Disposable, Event } from '../../common/event.ts';
import { acquireLock } from '../../common/fileLock.ts';

/** Prefixes of the keys of sign-ins and of registrations. */
const grantPrefix = 'signIn.grant.';
const registrationPrefix = 'signIn.registration.';
/** Within this time, other windows see what one has stored. */
const arrivalMs = 500;

/** Private storage for texts, such as VS Code's secret storage. */
export interface SecretTexts {
	keys(): PromiseLike<readonly string[]>;
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
	/** The address of the MCP server, as configured. */
	server: z.string(),
	/** The configured `client_id`; empty: we registered ourselves. */
	configuredClient: z.string(),
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
	issuer: z.string(),
	redirectUri: z.string(),
	port: z.number(),
	/** What a client may ask for. Some issuers enforce this. */
	scope: z.string().optional(),
	client: clientSchema,
});

/** How an issuer knows us, and the redirect URL it accepts. */
export type Registration = z.infer<typeof registrationSchema>;

/** The configured server that a grant belongs to. */
export interface GrantOwner {
	readonly server: string;
	readonly configuredClient: string;
}

/** Stores grants by issuer, resource and client, and registrations by issuer. */
export class Grants {
	/** Somebody signed in or out, or a token was refreshed, in any window. */
	readonly onDidChange: Event<void>;
	readonly #secrets: SecretTexts;
	readonly #folder: string;

	constructor(secrets: SecretTexts, folder: string) {
		this.#secrets = secrets;
		this.#folder = folder;
		this.onDidChange = (listener) =>
			secrets.onDidChange(({ key }) => {
				if (key.startsWith(grantPrefix)) listener();
			});
	}

	async #all(): Promise<readonly Grant[]> {
		const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(grantPrefix));
		const read = await Promise.all(keys.map((key) => this.#read(key, grantSchema)));
		return read.filter((grant) => grant !== undefined);
	}

	/** The grant of a server; the latest, if several were left behind. */
	async of({ server, configuredClient }: GrantOwner): Promise<Grant | undefined> {
		const own = (await this.#all()).filter(
			(grant) => grant.server === server && grant.configuredClient === configuredClient,
		);
		return own.sort((a, b) => b.receivedAt - a.receivedAt)[0];
	}

	/**
	 * Replaces a grant, one at a time per issuer and client across all windows. `renew` gets the latest grant, or `undefined` if it is gone,
	 * and returns the one to store, or `undefined` to delete it.
	 */
	renew(
		old: Grant,
		renew: (latest: Grant | undefined) => Promise<Grant | undefined>,
	): Promise<Grant | undefined> {
		return this.#inTurn(old, async (latest) => {
			const renewed = await renew(latest);
			if (renewed === undefined && latest !== undefined) await this.#secrets.delete(keyOf(latest));
			if (renewed !== undefined && renewed !== latest) await this.#write(renewed);
			return renewed;
		});
	}

	/** Stores a new grant in place of all earlier ones of the server. */
	async add(grant: Grant): Promise<void> {
		const before = (await this.#all()).filter(
			(other) => other.server === grant.server && other.configuredClient === grant.configuredClient,
		);
		await this.#inTurn(grant, () => this.#write(grant));
		for (const other of before) if (keyOf(other) !== keyOf(grant)) await this.#secrets.delete(keyOf(other));
	}

	/** Deletes a grant; resolves to its last state. A refresh in progress finishes first. */
	remove(grant: Grant): Promise<Grant> {
		return this.#inTurn(grant, async (latest) => {
			await this.#secrets.delete(keyOf(grant));
			return latest ?? grant;
		});
	}

	async registration(issuer: string): Promise<Registration | undefined> {
		return this.#read(registrationPrefix + hashOf(issuer), registrationSchema);
	}

	async keepRegistration(registration: Registration): Promise<void> {
		await this.#secrets.store(registrationPrefix + hashOf(registration.issuer), JSON.stringify(registration));
	}

	async forgetRegistration(issuer: string): Promise<void> {
		await this.#secrets.delete(registrationPrefix + hashOf(issuer));
	}

	/**
	 * Runs work with the latest record of a grant, which only one window of this machine may do at a time. Secret storage has no lock, and if two
	 * windows use a refresh token at once, some issuers take the second use for theft and end the sign-in. The next window waits until it can see
	 * what this one has stored.
	 */
	async #inTurn<T>(grant: Grant, work: (latest: Grant | undefined) => Promise<T>): Promise<T> {
		// A disk that cannot be written to must not prevent signing in.
		const release = await acquireLock(join(this.#folder, turnOf(grant))).catch(() => async () => {});
		const key = keyOf(grant);
		const before = await this.#secrets.get(key);
		try {
			return await work(await this.#read(key, grantSchema));
		} finally {
			const hasStored = (await this.#secrets.get(key)) !== before;
			setTimeout(release, hasStored ? arrivalMs : 0);
		}
	}

	async #write(grant: Grant): Promise<void> {
		await this.#secrets.store(keyOf(grant), JSON.stringify(grant));
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

/** Whether a client's secret has expired. */
export function isExpired({ client_secret_expires_at: at = 0 }: OAuthClient, now: number): boolean {
	return at > 0 && at * 1_000 <= now;
}

/** Contains no secret. */
function keyOf({ authorizationServer: { issuer }, resource, server, client }: Grant): string {
	return grantPrefix + hashOf(issuer, resource ?? server, client.client_id);
}

function turnOf({ authorizationServer, client }: Grant): string {
	return hashOf(authorizationServer.issuer, client.client_id);
}

function hashOf(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
