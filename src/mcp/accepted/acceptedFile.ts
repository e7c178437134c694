import { readFileSync, statSync } from 'node:fs';
import { sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import { isRecord } from '../../common/json.ts';
import type { AcceptedTool } from './definition.ts';

const kilo = 1024;
const mega = 1024 * kilo;

/** Bounds of what is kept of accepted tools: sizes in characters of JSON, times in milliseconds. */
export const defaultAcceptanceLimits = {
	/** Launches whose approval does not stand any more; the longest unused go first. */
	servers: 256,
	/** Tools of one launch, those that it does not list any more among them. New ones over it wait to be accepted. */
	toolsPerServer: 10_000,
	/** One tool's definition; of a larger one only the hash is kept, and there is no difference to see. */
	definition: 64 * kilo,
	/** All definitions of one launch. */
	definitionsPerServer: 4 * mega,
	/** The file; what does not fit goes without definitions, then goes. */
	file: 32 * mega,
	/** Quiet time before the file is written. */
	writeDelayMs: 500,
};

/** {@link defaultAcceptanceLimits}, or others in their place. */
export type AcceptanceLimits = Readonly<typeof defaultAcceptanceLimits>;

/** Grows when the shape of the file changes; a file of another format cannot be read. */
const fileFormat = 1;
/** A character of JSON has at most so many bytes. */
const bytesPerCharacter = 3;

/** What was accepted of the tools of one launch. */
export interface AcceptedServer {
	/** Milliseconds since the epoch. */
	readonly usedAt: number;
	/** By the hash of the tool's name. */
	readonly pins: Map<string, AcceptedTool>;
	/** All of its tools were accepted anew since something was lost; see {@link AcceptedRecord.lost}. */
	readonly isAnew?: boolean;
}

/** Everything that was accepted. */
export interface AcceptedRecord {
	/** By server and launch, see `AcceptedDefinitions`. */
	readonly servers: Map<string, AcceptedServer>;
	/** Something was accepted that is not known any more: a server that is not here, or not accepted anew since, may be one that was. */
	readonly lost: boolean;
}

/** What another window has written; `isDamaged`: or what nobody has, as it cannot be read. */
export interface AcceptedNews extends AcceptedRecord {
	readonly isDamaged: boolean;
}

type StoredTool = readonly [name: string, hash: string, text?: string];

/** The file of what was accepted, which other windows may write as well. */
export class AcceptedFile {
	readonly path: string;
	readonly #limits: AcceptanceLimits;
	/** Tells which file was read or written last; `undefined`: none was there. */
	#seen: string | undefined;

	constructor(path: string, limits: AcceptanceLimits) {
		this.path = path;
		this.#limits = limits;
	}

	/**
	 * What is in the file, if that is another one than was read or written last. Only a file that was never there is a beginning; one that
	 * cannot be read, or has gone, is a loss. Not asynchronous: before a tool counts as new it has to be known what others have accepted,
	 * and there is a file to be read only where another window has written.
	 */
	news(): AcceptedNews | undefined {
		const now = identityOf(this.path);
		if (now === this.#seen) return undefined;
		this.#seen = now;
		try {
			const stats = statSync(this.path);
			// A pipe would be waited for.
			if (!stats.isFile() || stats.size > this.#limits.file * bytesPerCharacter) return nothingKnown();
			return { ...parsed(unsealed(fileFormat, readFileSync(this.path, 'utf8'))), isDamaged: false };
		} catch {
			return nothingKnown();
		}
	}

	/**
	 * Writes all whose launches are approved (`isKept`), and of the others what was used last. Definitions go first where the file is
	 * full; were anything to go that is to be kept, that is written, too. Rejects if the folder cannot be written to.
	 */
	async write({ servers, lost }: AcceptedRecord, isKept: (key: string) => boolean): Promise<void> {
		const byUse = [...servers].sort(([, a], [, b]) => b.usedAt - a.usedAt);
		const others = byUse.filter(([key]) => !isKept(key)).slice(0, this.#limits.servers);
		const wanted = [...byUse.filter(([key]) => isKept(key)), ...others];
		let room = this.#limits.file;
		const bare = wanted.map(([key, server]) => ({ key, server, text: stored(key, server, false) }));
		const fitting = bare.filter(({ text }) => {
			if (text.length >= room) return false;
			room -= text.length + 1;
			return true;
		});
		const isLost = lost || bare.some((entry) => isKept(entry.key) && !fitting.includes(entry));
		const entries = fitting.map(({ key, server, text }) => {
			const whole = stored(key, server, true);
			if (whole.length - text.length > room) return text;
			room -= whole.length - text.length;
			return whole;
		});
		await writeAtomically(this.path, sealed(fileFormat, `"lost":${isLost},"servers":[${entries.join(',')}]`));
		this.#seen = identityOf(this.path);
	}
}

function nothingKnown(): AcceptedNews {
	return { servers: new Map(), lost: true, isDamaged: true };
}

/** A file that is written is another one each time, even where its time is the same. */
function identityOf(path: string): string | undefined {
	try {
		const { ino, mtimeMs, ctimeMs, size } = statSync(path);
		return JSON.stringify([ino, mtimeMs, ctimeMs, size]);
	} catch (error) {
		return isRecord(error) && error.code === 'ENOENT' ? undefined : 'unreadable';
	}
}

function stored(key: string, { usedAt, pins, isAnew }: AcceptedServer, withTexts: boolean): string {
	const tools = [...pins].map(([name, { hash, text }]): StoredTool => {
		return withTexts && text !== undefined ? [name, hash, text] : [name, hash];
	});
	return JSON.stringify([key, usedAt, tools, ...(isAnew ? [1] : [])]);
}

/** Nothing of a file is believed that is not all as it was written. */
function parsed(value: unknown): AcceptedRecord {
	if (!isRecord(value) || !Array.isArray(value.servers)) throw new Error('not a file of accepted tools');
	return { servers: new Map(value.servers.map(parsedServer)), lost: value.lost !== false };
}

function parsedServer(value: unknown): [string, AcceptedServer] {
	const [key, usedAt, tools, isAnew] = Array.isArray(value) ? value : [];
	if (typeof key !== 'string' || typeof usedAt !== 'number' || !Array.isArray(tools)) {
		throw new Error('not an entry of accepted tools');
	}
	return [key, { usedAt, pins: new Map(tools.map(parsedTool)), isAnew: isAnew === 1 }];
}

function parsedTool(value: unknown): [string, AcceptedTool] {
	const [name, hash, text] = Array.isArray(value) ? value : [];
	if (typeof name !== 'string' || typeof hash !== 'string') throw new Error('not an accepted tool');
	return [name, { hash, ...(typeof text === 'string' && { text }) }];
}
