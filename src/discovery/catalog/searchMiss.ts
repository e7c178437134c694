/** A server whose tools are unknown and so cannot be found. `faulty`: its configuration entry is invalid. */
export interface UnsearchedServer {
	readonly name: string;
	readonly why: 'starting' | 'unapproved' | 'signed-out' | 'failed' | 'stopped' | 'faulty' | 'forbidden';
	/** What explains its failure: output of its process, or the network's error. For people; not sent to models. */
	readonly explanation?: string;
}

/** What a search could not look at. */
export interface Unsearched {
	readonly servers: readonly UnsearchedServer[];
	/** The chat's toolset, if it excludes servers; they are not named. */
	readonly outside?: { readonly toolset: string; readonly servers: number };
}

/** Helpers for a search that found nothing likely. */
export interface SearchMiss {
	/** Gives starting servers a moment to list their tools. Rejects if the user does not wait. */
	settle(): Promise<void>;
	/** `undefined`: everything was searched. */
	unsearched(): Unsearched | undefined;
}
