import { EventReader, type ServerEvent } from './eventReader.ts';
import {
	AnswerError,
	drop,
	HttpStatusError,
	HttpTransport,
	isStream,
	mediaTypeOf,
	type Outgoing,
} from './httpTransport.ts';
import { MALFORMED_CODE } from './jsonRpc.ts';

/** The older HTTP transport: one stream for everything the server says, including the address to post to. */
export class SseTransport extends HttpTransport {
	/** The stream has ended, and the connection with it. */
	onlost: ((error: Error) => void) | undefined;
	#endpoint: URL | undefined;

	/** Resolves when the server has announced where to post to. */
	async start(): Promise<void> {
		const url = new URL(this.options.url);
		const { signal } = this.closing;
		const response = await this.fetch(url, { headers: { accept: 'text/event-stream' }, signal });
		if (!isStream(response)) {
			drop(response);
			if (!response.ok) throw new HttpStatusError(response);
			throw new AnswerError(MALFORMED_CODE, `it answered with a body of the type "${mediaTypeOf(response)}"`);
		}
		await new Promise<void>((resolve, reject) => {
			const events = new EventReader(this.options.limits.messageBytes);
			const take = async ({ type, data }: ServerEvent) => {
				if (type === 'message') await this.receive(data);
				if (type !== 'endpoint' || !Buffer.isBuffer(data)) return;
				const endpoint = URL.parse(data.toString('utf8'), url);
				if (!endpoint || endpoint.origin !== url.origin) {
					reject(new AnswerError(MALFORMED_CODE, 'it asks to post to another origin'));
					return;
				}
				this.#endpoint = endpoint;
				resolve();
			};
			void this.readEvents(response, events, take).then(() => {
				const ended = new TypeError('The stream of events ended.');
				reject(ended);
				if (!signal.aborted) this.onlost?.(ended);
			});
		});
	}

	protected override async post({ message, exchange: { signal } }: Outgoing): Promise<void> {
		if (!this.#endpoint) throw new Error('Not connected');
		const response = await this.fetch(this.#endpoint, { message, signal });
		drop(response);
		if (!response.ok) throw new HttpStatusError(response);
	}
}
