/** What the tests use of the package, which has no types. */
declare module 'oidc-provider' {
	import type { RequestListener } from 'node:http';

	interface OpaqueToken {
		readonly isValid: boolean;
		readonly accountId: string;
		readonly aud: string | readonly string[] | undefined;
		readonly scope: string | undefined;
	}

	// biome-ignore lint/style/noDefaultExport: it is the package's own
	export default class Provider {
		constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
		readonly AccessToken: { find(token: string): Promise<OpaqueToken | undefined> };
		callback(): RequestListener;
		on(event: string, listener: (...args: readonly unknown[]) => void): void;
	}
}
