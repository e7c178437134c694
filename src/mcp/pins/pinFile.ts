import { readFile, stat } from 'node:fs/promises';
import { isRecord } from '../../discovery/record.ts';
import { writeWhole } from '../wholeFile.ts';
import type { PinLimits } from './pinLimits.ts';
import type { Pin } from './screening.ts';

/** Grows when the shape of the file changes; a file of another format cannot be read. */
const fileFormat = 1;
/** A character of JSON has at most so many bytes. */
const bytesPerCharacter = 3;

/** What was accepted of the tools of one launch. */
export interface PinnedServer {
	/** Milliseconds since the epoch. */
	readonly usedAt: number;
	/** By the hash of the tool's name. */
	readonly pins: Map<string, Pin>;
}

/** Everything that was accepted. */
export interface PinRecord {
	/** By server and launch, see `DefinitionPins`. */
	readonly servers: Map<string, PinnedServer>;
	/** Something was accepted that could not be read: a server that is not here may be one that was. */
	readonly lost: boolean;
}

type StoredPin = readonly [name: string, hash: string, text?: string];

/** Reads what {@link writePins} has written. Only a file that is not there is a beginning; one that cannot be read is a loss. */
export async function readPins(file: string, limits: PinLimits): Promise<PinRecord> {
	try {
		const { size } = await stat(file);
		if (size > limits.file * bytesPerCharacter) return { servers: new Map(), lost: true };
		return parsed(JSON.parse(await readFile(file, 'utf8')));
	} catch (error) {
		const missing = isRecord(error) && error.code === 'ENOENT';
		return { servers: new Map(), lost: !missing };
	}
}

/** Writes what was used last, as far as there is room. Rejects if the folder cannot be written to. */
export async function writePins(
	file: string,
	{ servers, lost }: PinRecord,
	limits: PinLimits,
): Promise<void> {
	const latest = [...servers].sort(([, a], [, b]) => b.usedAt - a.usedAt).slice(0, limits.servers);
	const entries: string[] = [];
	let room = limits.file;
	for (const [key, server] of latest) {
		const entry = [stored(key, server, true), stored(key, server, false)].find((text) => text.length <= room);
		if (entry === undefined) continue;
		entries.push(entry);
		room -= entry.length + 1;
	}
	await writeWhole(file, `{"format":${fileFormat},"lost":${lost},"servers":[${entries.join(',')}]}`);
}

function stored(key: string, { usedAt, pins }: PinnedServer, withTexts: boolean): string {
	const tools = [...pins].map(([name, { hash, text }]): StoredPin => {
		return withTexts && text !== undefined ? [name, hash, text] : [name, hash];
	});
	return JSON.stringify([key, usedAt, tools]);
}

/** Nothing of a file is believed that is not all as it was written. */
function parsed(value: unknown): PinRecord {
	if (!isRecord(value) || value.format !== fileFormat || !Array.isArray(value.servers)) {
		throw new Error('not a file of accepted tools');
	}
	const servers = new Map(value.servers.map(parsedServer));
	return { servers, lost: value.lost !== false };
}

function parsedServer(value: unknown): [string, PinnedServer] {
	const [key, usedAt, tools] = Array.isArray(value) ? value : [];
	if (typeof key !== 'string' || typeof usedAt !== 'number' || !Array.isArray(tools)) {
		throw new Error('not an entry of accepted tools');
	}
	return [key, { usedAt, pins: new Map(tools.map(parsedPin)) }];
}

function parsedPin(value: unknown): [string, Pin] {
	const [name, hash, text] = Array.isArray(value) ? value : [];
	if (typeof name !== 'string' || typeof hash !== 'string') throw new Error('not an accepted tool');
	return [name, { hash, ...(typeof text === 'string' && { text }) }];
}
