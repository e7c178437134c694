/** A server that runs as a child process and speaks over its stdin and stdout. */
export interface StdioLaunch extends LaunchOrigin<'command' | 'args' | 'env' | 'cwd'> {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** Added to the few variables of our own environment that a child gets. */
	readonly env: Readonly<Record<string, string>>;
	/** Absolute folder the process starts in. */
	readonly cwd: string;
}

/** A server that runs elsewhere and is reached by address. */
export interface RemoteLaunch extends LaunchOrigin<'url' | 'headers'> {
	readonly kind: 'remote';
	readonly url: string;
	readonly transport: 'streamable-http' | 'sse';
	readonly headers: Readonly<Record<string, string>>;
}

/** How to reach one server; variables are resolved, so two equal launches reach the same server. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;

/** Where the texts of a launch come from, if it reads variables of the environment. */
interface LaunchOrigin<Key extends string> {
	/**
	 * Its texts as the file has them, `Bearer ${env:NOTES_KEY}`, other variables replaced. They tell whose key a server is given, which the
	 * value itself does not.
	 */
	readonly written?: WrittenTexts<Key>;
	/** The variables of the environment in them, by name. */
	readonly reads?: Readonly<Record<string, ReadVariable>>;
}

type WrittenTexts<Key extends string> = {
	readonly [K in Key]: K extends 'args'
		? readonly string[]
		: K extends 'env' | 'headers'
			? Readonly<Record<string, string>>
			: string;
};

/** A variable of the environment that a launch reads. */
export interface ReadVariable {
	readonly value: string;
	/** It comes from secret storage, and so is a secret whatever its name. */
	readonly isStored: boolean;
}
