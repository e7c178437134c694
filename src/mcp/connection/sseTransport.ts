import type { ServerError } from '../serverError.ts';
import { boundedBody } from '../stdio/lineSplitter.ts';
import type { Outgoing } from './guardedTransport.ts';
import { drop, HttpTransport, isStream, mediaTypeOf } from './httpTransport.ts';
import { MALFORMED_CODE } from './jsonRpc.ts';
import { AnswerError, readRefusal } from './requestError.ts';

/** The older HTTP transport: one stream for everything the server says, including the address to post to. */
export class SseTransport extends HttpTransport {
	readonly hasSession = true;
	#endpoint: URL | undefined;
	/** The stream has ended, and the connection with it. */
	#endedBy: unknown;

	/** Resolves when the server has announced where to post to. */
	override async start(): Promise<void> {
		const { url } = this;
		const { signal } = this.closing;
		const response = await this.fetch(url, { headers: { accept: 'text/event-stream' }, signal });
		if (!isStream(response)) {
			if (!response.ok) throw await readRefusal(response);
			drop(response);
			throw new AnswerError(
				MALFORMED_CODE,
				`${this.answerer(response)} answered with a body of the type "${mediaTypeOf(response)}"`,
			);
		}
		await new Promise<void>((resolve, reject) => {
			const take = async (data: Buffer, type: string) => {
				if (type === 'message') await this.onpiece?.(data);
				if (type !== 'endpoint') return;
				const endpoint = URL.parse(data.toString('utf8'), url);
				if (!endpoint || endpoint.origin !== url.origin)
					throw new AnswerError(MALFORMED_CODE, 'it asks to post to another origin');
				this.#endpoint = endpoint;
				resolve();
			};
			void this.readEvents(response, {}, take)
				.then(
					() => new TypeError('The stream of events ended.'),
					(error: unknown) => error,
				)
				.then((endedBy) => {
					this.#endedBy = endedBy;
					reject(endedBy);
					void this.close();
				});
		});
	}

	override explain(error: unknown): ServerError {
		return super.explain(this.#endedBy ?? error);
	}

	override async send({ message, exchange }: Outgoing): Promise<void> {
		if (!this.#endpoint) throw new Error('Not connected');
		const signal = exchange?.signal ?? this.closing.signal;
		const response = await this.fetch(this.#endpoint, { message, signal });
		if (!response.ok && exchange) throw await readRefusal(response);
		if (!response.ok) this.complain(response, message);
		// Some servers answer here instead of in the stream.
		const isAnswer = exchange !== undefined && mediaTypeOf(response) === 'application/json';
		const body = isAnswer ? await boundedBody(response, this.options.limits.messageBytes) : undefined;
		if (body) await this.onpiece?.(body, exchange?.id);
		else drop(response);
	}
}
