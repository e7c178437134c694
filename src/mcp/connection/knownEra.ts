import { isRecord, type JsonRecord } from '../../common/json.ts';

/** Which generation a server speaks, as far as it is known. */
export interface Era {
	readonly kind: 'legacy' | 'modern';
	/** What a modern server has answered to the probe; left out where it was too long to keep. */
	readonly discover?: JsonRecord;
}

/** What was found out at a time, in milliseconds since the epoch. */
export interface KnownEra extends Era {
	readonly since: number;
}

/** What was written of an era, read back; nothing where it is not as it was written. */
export function readKnownEra(value: unknown): KnownEra | undefined {
	if (!isRecord(value) || typeof value.since !== 'number') return undefined;
	const { kind, since, discover } = value;
	if (kind === 'legacy') return { kind, since };
	if (kind !== 'modern') return undefined;
	return { kind, since, ...(isRecord(discover) ? { discover } : {}) };
}
