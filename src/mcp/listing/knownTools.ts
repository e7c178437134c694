import { isDeepStrictEqual } from 'node:util';
import type { CatalogServer } from '../../discovery/catalog.ts';
import { cut } from '../../discovery/text.ts';
import type { Clock } from '../clock.ts';
import type { McpConnection } from '../connection/connection.ts';
import type { McpLimits } from '../limits.ts';
import { type DroppedTool, listAllTools } from './toolListing.ts';

/** Longest text that is kept of what a server says of itself, in characters; prompts and views take far less. */
const longestIntroduction = 65_536;

/** What a server says of itself and offers: the part of it that the catalog is made of. */
export type ServerContent = Omit<CatalogServer, 'name'>;

/** What is known of a server's tools, and since when. */
export interface KnownTools {
	/** Kept on disk from an earlier time, or listed by the server since we started. */
	readonly from: 'cache' | 'live';
	readonly content: ServerContent;
	readonly dropped: readonly DroppedTool[];
	/** Why the list may not be all that the server has. */
	readonly cutShort: string | undefined;
	/** Milliseconds since the epoch. */
	readonly listedAt: number;
}

/** Asks a server for what it offers. What says the same as before is the same object, so that nobody takes a fetch for a change. */
export async function fetchTools(
	server: string,
	connection: McpConnection,
	options: {
		readonly signal: AbortSignal;
		readonly limits: McpLimits;
		readonly clock: Clock;
		readonly before: KnownTools | undefined;
	},
): Promise<KnownTools> {
	const page = (cursor: string | undefined) => connection.listToolsPage(cursor, options.signal);
	const { tools, dropped, cutShort } = connection.hasTools
		? await listAllTools(server, page, options.limits)
		: { tools: [], dropped: [], cutShort: undefined };
	const content = contentOf(connection, tools);
	const before = options.before?.content;
	return {
		from: 'live',
		content: before && isDeepStrictEqual(before, content) ? before : content,
		dropped,
		cutShort,
		listedAt: options.clock.now(),
	};
}

function contentOf(
	{ serverInfo, instructions }: McpConnection,
	tools: ServerContent['tools'],
): ServerContent {
	const { title, description } = serverInfo ?? {};
	return {
		...(title ? { title: cut(title, longestIntroduction) } : {}),
		...(description ? { description: cut(description, longestIntroduction) } : {}),
		...(instructions ? { instructions: cut(instructions, longestIntroduction) } : {}),
		tools,
	};
}

/** Whether two catalogs' contents, by server, say the same. Order counts, for the catalog's follows it. Contents that say the same are the same object, or compare equal. */
export function sameContents(
	a: ReadonlyMap<string, ServerContent>,
	b: ReadonlyMap<string, ServerContent>,
): boolean {
	const names = [...b.keys()];
	return (
		a.size === b.size &&
		[...a].every(([name, content], i) => name === names[i] && isDeepStrictEqual(content, b.get(name)))
	);
}
