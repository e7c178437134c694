/** A tool that is ranked anew. */
export interface Candidate {
	readonly place: number;
	/** What it has of the query, summed. */
	readonly sum: number;
	score: number;
	/** Share of what the query says that the tool has, by weight: 0 to 1. */
	readonly coverage: number;
	/** What it has of each slot. */
	readonly bySlot: Float32Array;
	/** Slots, by place, of which it has the very word and not a synonym. */
	readonly literal: Uint8Array;
	/** Share of the words of its name that the query asks for. */
	readonly named: number;
}
