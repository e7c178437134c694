import type { KeptToolset } from '../catalog/toolset.ts';
import type { Activation } from './activationSet.ts';
import type { DiscoveryStatistics, TimelineEntry } from './journal.ts';
import type { KeptUsage } from './usage.ts';

/** What is kept of a session so that it can be taken up again; plain JSON. */
export interface SessionState extends KeptToolset {
	readonly activations: readonly Activation[];
	/** Turns there were; absent in what earlier versions kept. */
	readonly turn?: number;
	/** Servers that there were in it: see `earlierTools.ts`. Absent in what earlier versions kept. */
	readonly servers?: readonly string[];
	readonly statistics: DiscoveryStatistics;
	/** Absent in what earlier versions kept. */
	readonly usage?: KeptUsage;
}

/** What a session is taken up with besides its state. */
export interface SessionOptions {
	/** What happened before. */
	readonly timeline?: readonly TimelineEntry[];
	/** Milliseconds since 1970, for the timeline: the engine has no clock of its own. */
	readonly now?: () => number;
	/** Servers that whoever begins the session has known: those of the chat that an agent works for. */
	readonly servers?: readonly string[];
}
