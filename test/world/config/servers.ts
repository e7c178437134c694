import { readPasted } from '../../../src/config/add/pasted.ts';
import { withPlacesAsInputs } from '../../../src/config/add/proposal.ts';
import { readForeignServers } from '../../../src/config/add/readers/json.ts';
import type { Drafts } from '../../../src/config/add/serverDraft.ts';
import { convertServers } from '../../../src/config/import/importedServer.ts';
import type { Product } from '../../../src/config/import/importSources.ts';

/** What a text becomes: the entry of each server, the secrets to store, and what the user is told. */
export interface Found {
	readonly servers: Readonly<Record<string, object>>;
	readonly secrets: readonly string[];
	readonly notes: readonly string[];
	readonly faults: readonly string[];
}

export function pasted(text: string): Found {
	return foundIn(readPasted(text));
}

/** The same text as the dialog offers it, which asks for what a readme leaves to its reader. */
export function offered(text: string): Found {
	const { servers, faults } = readPasted(text);
	return foundIn({ servers: servers.map(withPlacesAsInputs), faults });
}

/** The same text as a file; without `product`, one that the user chose. */
export function inFile(text: string, product?: Product, path = '/home/ada/x'): Found {
	return foundIn(readForeignServers({ path, ...(product && { product }) }, text));
}

function foundIn(read: Drafts): Found {
	const converted = convertServers(read.servers, { env: { HOME: '/home/ada' }, platform: 'linux' });
	return {
		servers: Object.fromEntries(
			converted.map(({ name, entry: { defer_loading: _, ...entry } }) => [name, entry]),
		),
		secrets: converted.flatMap(({ secrets }) => secrets.map(({ name }) => name)),
		notes: converted.flatMap(({ notes }) => notes),
		faults: read.faults,
	};
}

/** A reference to a variable, as our configuration writes it. */
export const env = (name: string) => `\${env:${name}}`;
