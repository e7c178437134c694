import type { ServerResponse } from 'node:http';
import type { Json } from './messages.ts';

/** What a mode has at hand while it handles one message of the client. */
export interface Exchange {
	readonly method: string;
	readonly params: Json;
	/** Absent for notifications. */
	readonly id: number | undefined;
	readonly wire: Wire;
	/** Sends a message the same way as the answer. */
	send(message: Json): Promise<void>;
	/** Sends pieces of a message, which need not be JSON. */
	sendPieces(pieces: Iterable<string | Buffer>): Promise<void>;
	/** Breaks the connection; over stdio, ends the process. */
	breakOff(): void;
	/** The HTTP response with the answer, if the transport is HTTP. */
	readonly response: ServerResponse | undefined;
}

/** The connection to the client outside of any exchange. */
export interface Wire {
	readonly kind: 'stdio' | 'sse' | 'streamable-http' | 'json';
	send(message: Json): Promise<void>;
}

export type Handler = (params: Json, exchange: Exchange) => unknown;

/** Returned by a handler that has answered by itself or does not answer. */
export const noAnswer = Symbol('no answer');

/** What a mode does differently from a server that works. */
export interface Mode {
	/** Before anything is read. */
	readonly begin?: () => void;
	/** By method. */
	readonly handlers?: Readonly<Record<string, Handler>>;
	/** Handles a call of the tool `fault`. */
	readonly fault?: Handler;
	/** Handles an HTTP request before anything else does; `true`: it has answered. */
	readonly http?: (
		request: { method: string; url: string; rpc: string | undefined },
		response: ServerResponse,
	) => boolean;
	/** The address to post to, which the SSE transport sends first. `undefined`: none. */
	readonly endpoint?: () => string | undefined;
	/** Whether it keeps running after its stdin has ended. */
	readonly stays?: boolean;
}

/** Modes by name. Each receives the arguments after its name. */
export type Modes = Readonly<Record<string, (args: readonly string[]) => Mode>>;

/** A message as the wire carries it, without the frame of a transport. */
export function encode(message: Json): string {
	return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** Runs one piece of work after the other, so that messages do not mix. */
export function oneAtATime(): (work: () => Promise<void>) => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return (work) => {
		last = last.then(work);
		return last;
	};
}
