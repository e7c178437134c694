import * as z from 'zod';
import type { StoredFormat } from '../../common/sealedJson.ts';
import { StoredJson, type StoredJsonParts } from '../../common/storedJson.ts';
import { salvagedList } from '../../common/storedShapes.ts';
import { boundedRules, permissionLimits } from '../../mcp/accepted/permissions.ts';
import { nothingTrusted, type TrustFile, type TrustState } from './trustState.ts';

const name = z.string().min(1).max(permissionLimits.characters);

const approvedServer = z.object({
	server: z.string(),
	hash: z.string(),
	first: z.string().optional(),
	facts: z.array(
		z.object({
			about: z.enum(['runs', 'in', 'sets', 'inherits', 'connects', 'sends', 'where']),
			text: z.string(),
		}),
	),
	trustsHints: z.boolean(),
});

const rule = z.object({
	decision: z.enum(['allow', 'never']),
	server: name,
	launch: name,
	tool: name,
	definition: name,
	scope: z.discriminatedUnion('kind', [
		z.object({ kind: z.literal('workspace') }),
		z.object({ kind: z.literal('chat'), chat: name }),
	]),
	// A decision must not be lost because its date is invalid.
	since: z.number().catch(0),
});

const state = z.object({
	approvals: salvagedList(approvedServer).catch([]),
	reviewed: salvagedList(z.tuple([z.string(), z.string()])).catch([]),
	rules: salvagedList(rule).transform(boundedRules).catch([]),
});

/** A workspace has a few kilobytes: an approval is as long as the command. */
const trustFormat: StoredFormat<TrustState> = {
	version: 1,
	maxBytes: 4 * 1024 * 1024,
	shape: state,
};

/** Opens a file with decisions of the user, and follows what other windows write. `onProblem`: see {@link StoredJsonParts}. */
export async function openTrustFile(
	path: string,
	{ clock, onProblem }: Pick<StoredJsonParts<TrustState>, 'clock' | 'onProblem'>,
): Promise<TrustFile> {
	const others = { ...(onProblem && { onProblem }), clock };
	const file = new StoredJson({ path, format: trustFormat, nothing: nothingTrusted, ...others });
	file.watch();
	await file.load();
	return file;
}
