/** A server of which no tool is known, so that no search finds any. `faulty`: its entry in the configuration is wrong. */
export interface UnsearchedServer {
	readonly name: string;
	readonly why: 'starting' | 'unapproved' | 'signed-out' | 'failed' | 'stopped' | 'faulty' | 'forbidden';
	/** What its process said of its failure. For people: models do not get it. */
	readonly said?: string;
}

/** What a search could not look at. */
export interface Unsearched {
	readonly servers: readonly UnsearchedServer[];
	/** The chat's toolset, where it leaves servers out; these are not named. */
	readonly outside?: { readonly toolset: string; readonly servers: number };
}

/** Asked by a search that has missed; never by one that has found something likely. */
export interface SearchMiss {
	/** Lets servers that are starting tell their tools, for a moment. Rejects where the user does not wait. */
	settle(): Promise<void>;
	/** `undefined`: all that there is was searched. */
	unsearched(): Unsearched | undefined;
}
