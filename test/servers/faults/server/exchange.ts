import type { ServerResponse } from 'node:http';
import type { Json } from './messages.ts';

/** What a mode has in hand while it deals with one message of the client. */
export interface Exchange {
	readonly method: string;
	readonly params: Json;
	/** Absent for notifications. */
	readonly id: number | undefined;
	readonly wire: Wire;
	/** Sends a message on the way that the answer takes. */
	send(message: Json): Promise<void>;
	/** The same in pieces that need not be JSON. */
	sendPieces(pieces: Iterable<string | Buffer>): Promise<void>;
	/** Breaks the connection off; a process dies. */
	breakOff(): void;
	/** The answer under way, where the transport is HTTP. */
	readonly response: ServerResponse | undefined;
}

/** The way to the client outside of any exchange. */
export interface Wire {
	readonly kind: 'stdio' | 'sse' | 'streamable-http' | 'json';
	send(message: Json): Promise<void>;
}

export type Handler = (params: Json, exchange: Exchange) => unknown;

/** Returned by a handler that has answered by itself, or does not answer. */
export const noAnswer = Symbol('no answer');

/** What a mode does differently from a server that works. */
export interface Mode {
	/** Before anything is read. */
	readonly begin?: () => void;
	/** By method. */
	readonly handlers?: Readonly<Record<string, Handler>>;
	/** The call of the tool `fault`. */
	readonly fault?: Handler;
	/** Takes an HTTP request before it is looked at; `true`: it is answered. */
	readonly http?: (
		request: { method: string; url: string; rpc: string | undefined },
		response: ServerResponse,
	) => boolean;
	/** What the SSE transport says first: the address to post to. `undefined`: nothing. */
	readonly endpoint?: () => string | undefined;
	/** Does not end with its stdin. */
	readonly stays?: boolean;
}

/** Modes by name; each gets what follows its name on the command line. */
export type Modes = Readonly<Record<string, (args: readonly string[]) => Mode>>;

/** A message as it goes over the wire, without what a transport puts around it. */
export function encode(message: Json): string {
	return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** Runs one piece of work after the other: messages must not get into one another. */
export function oneAtATime(): (work: () => Promise<void>) => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return (work) => {
		last = last.then(work);
		return last;
	};
}
