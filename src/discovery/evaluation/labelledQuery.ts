/** A query with the tools that answer it, as somebody has written them down. */
export interface LabelledQuery {
	readonly query: string;
	/** Needs, each with names of tools of which one is enough; empty: no tool there is can do it. */
	readonly needs: readonly (readonly string[])[];
	/** Names of tools that help besides: neither hit nor miss. */
	readonly also?: readonly string[];
	/** Where it stands in its file, from 1. */
	readonly line?: number;
}

/** What is wrong at a line of a file of labelled queries, from 1. */
export interface QueryFault {
	readonly line: number;
	/** A sentence. */
	readonly message: string;
}

/** What a file of labelled queries came to: an entry that is faulty is left out, the others count. */
export interface QueryFile {
	readonly queries: readonly LabelledQuery[];
	readonly faults: readonly QueryFault[];
}

/** Labelled queries that are read of one file. */
export const mostQueries = 2000;
