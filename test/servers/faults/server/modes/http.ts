import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { text } from '../messages.ts';

const megabyte = 1024 * 1024;

/** Faults that only HTTP can have. */
export const httpModes: Modes = {
	/** Every request with this method (`any` for all) gets this status, a page with a stack trace, and a Retry-After header. */
	status: ([status, rpc, retryAfter = '1']): Mode => ({
		http: (request, response) => {
			if (request.method === 'DELETE' || (rpc !== 'any' && request.rpc !== rpc)) return false;
			response
				.writeHead(Number(status), {
					'content-type': 'text/html',
					...(retryAfter && { 'retry-after': retryAfter }),
				})
				.end('<html><b>secret stack trace</b></html>');
			return true;
		},
	}),
	/** Requests with this method get a body of this type, with this status. */
	body: ([type = '', body = '', rpc, status = '200']): Mode => ({
		http: (request, response) => {
			if (request.rpc !== rpc) return false;
			response.writeHead(Number(status), { 'content-type': type }).end(body);
			return true;
		},
	}),
	/** Calls get a body that never ends or has so many megabytes, plain or compressed. */
	'endless-body': ([status, type = '', how, megabytes = 'Infinity']): Mode => ({
		http: (request, response) => {
			if (request.rpc !== 'tools/call') return false;
			const packed = how === 'packed';
			response.writeHead(Number(status), {
				'content-type': type,
				...(packed && { 'content-encoding': 'gzip' }),
			});
			const piece = Buffer.alloc(megabyte, type === 'text/event-stream' ? 'x' : ' ');
			const body = function* () {
				if (type === 'text/event-stream') yield Buffer.from('data: ');
				for (let i = 0; i < Number(megabytes); i += 1) yield piece;
			};
			// It is expected that nobody reads the rest.
			const done = () => {};
			if (packed) pipeline(body, createGzip(), response, done);
			else pipeline(body, response, done);
			return true;
		},
	}),
	/** The call of `fault` gets streams with event ids that end at once and ask to be resumed at once. */
	'ends-streams': (): Mode => {
		const end = (response: ServerResponse | undefined) =>
			response?.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata:\n\n');
		return {
			http: (request, response) => {
				if (request.method !== 'GET') return false;
				end(response);
				return true;
			},
			fault: (_params, { response }) => {
				end(response);
				return noAnswer;
			},
		};
	},
	/** So many of these in a stream, then perhaps an event, and the answer. */
	streams: ([count, one = '', end = '']): Mode => ({
		fault: async (_params, { response, id }) => {
			response?.writeHead(200, { 'content-type': 'text/event-stream' });
			const piece = one.repeat(10_000);
			for (let i = 0; i < Number(count) / 10_000; i += 1)
				if (!response?.write(piece)) await new Promise((resolve) => response?.once('drain', resolve));
			response?.end(`${end}data: ${encode({ id, result: text('said') })}\n\n`);
			return noAnswer;
		},
	}),
	/** The answer begins as this type, then its stream or body ends, normally or with a reset. */
	'cuts-off': ([type = '', how]): Mode => ({
		fault: (_params, { response, id }) => {
			response?.writeHead(200, { 'content-type': type });
			const frame = type === 'text/event-stream' ? 'data: ' : '';
			response?.write(`${frame}${encode({ id, result: text('half') }).slice(0, 40)}`);
			setTimeout(() => (how === 'cleanly' ? response?.end() : response?.destroy()), 20);
			return new Promise(() => {});
		},
	}),
	/** The answer at the end of a batch of so many notifications. */
	batch: ([count]): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			const notification = `${encode({ method: 'notifications/message', params: { level: 'info', data: 'x' } })},`;
			await sendPieces([
				' '.repeat(200),
				'[',
				notification.repeat(Number(count)),
				encode({ id, result: text('at last') }),
				']',
			]);
			return noAnswer;
		},
	}),
	/** Sends a byte now and then, for ever. */
	'slow-body': ([type = '']): Mode => ({
		fault: (_params, { response }) => {
			response?.writeHead(200, { 'content-type': type });
			setInterval(() => response?.write(' '), 50);
			return new Promise(() => {});
		},
	}),
};
