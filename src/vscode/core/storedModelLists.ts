import * as z from 'zod';
import { StoredFiles } from '../../chat/storedFiles.ts';
import { orNothing, salvagedList } from '../../common/storedShapes.ts';
import { isPlausibleTokens } from '../../models/knownLimits.ts';
import { cachedModel } from '../../models/listing.ts';

const storedList = z.object({
	listedAt: orNothing(z.number()),
	models: salvagedList(z.unknown().transform(cachedModel))
		.transform((models) => models.filter((model) => model !== undefined))
		.catch([]),
	/** Context lengths, by model. */
	learned: salvagedList(z.tuple([z.string(), z.number().refine(isPlausibleTokens)])).catch([]),
});

const format = { version: 1, maxBytes: 2 * 1024 * 1024, shape: storedList };
const limits = { files: 32, bytes: 64 * 1024 * 1024, ageMs: Number.POSITIVE_INFINITY };

/** The lists of the latest clients, and what was learned about their models, by client. */
export function storedModelLists(folder: string): StoredFiles<z.output<typeof storedList>> {
	return new StoredFiles(folder, limits, format);
}
