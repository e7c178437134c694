/** Answers to a server's own requests that are under way at the same time; more of them are not given. */
const answersAtOnce = 32;

/** The part of a transport that sends. */
interface Sender<Message, Options> {
	send(message: Message, options?: Options): Promise<void>;
}

/** Keeps a server that asks without end from having us answer without end: each answer may be a request over HTTP. */
export function boundAnswers<Message extends object, Options>(transport: Sender<Message, Options>): void {
	const send = transport.send.bind(transport);
	let underWay = 0;
	transport.send = async (message, options) => {
		if ('method' in message) return send(message, options);
		if (underWay === answersAtOnce) return;
		underWay += 1;
		try {
			await send(message, options);
		} finally {
			underWay -= 1;
		}
	};
}
