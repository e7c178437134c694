import { isRecord, type JsonRecord } from '../../discovery/record.ts';
import { type Explanation, explanationOf } from './explanation.ts';
import { failureBytes } from './limits.ts';

/** How a body ended: as it should, within an event, or with an error in place of an answer. */
export type BodyVerdict =
	| { readonly kind: 'whole' }
	| { readonly kind: 'cut' }
	| { readonly kind: 'error'; readonly said: Explanation };

/** What ends an event of a stream (the line ends of the HTML standard, “9.2.6 Interpreting an event stream”). */
const eventEnds = ['\n\n', '\r\n\r\n', '\r\r'];
/** Lines of data in one event: providers write one, and millions of them would take all memory. */
const mostLines = 1_000;
/** Characters of one piece that may belong to an event's end which the next piece completes. */
const seamLength = 3;

/**
 * Looks at what stands behind the last whole event of a body. An SDK hands on half an event as if it were one and then complains of
 * its JSON, and passes over a body that holds none, in which a provider has said why: both would be taken for the answer of
 * something else than a provider.
 */
export class BodyEnd {
	/** What has come behind the last event, each byte as one character: all that is looked for is ASCII. */
	#pieces: string[] = [];
	#seam = '';

	/** Takes the next piece of the body. */
	add(bytes: Uint8Array): void {
		const text = this.#seam + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
		const end = Math.max(...eventEnds.map((mark) => endOfLast(mark, text)));
		if (end < 0) this.#pieces.push(text.slice(this.#seam.length));
		else this.#pieces = [text.slice(end)];
		this.#seam = text.slice(-seamLength);
	}

	/** What the body came to, once all of it is there. */
	verdict(): BodyVerdict {
		const rest = Buffer.from(this.#pieces.join(''), 'latin1').toString().trim();
		if (rest.startsWith('{') || rest.startsWith('[')) {
			// A list of models is larger than any error, and read by whoever asked for it.
			const said = rest.length > failureBytes ? undefined : saidInsteadOf(rest);
			return said ? { kind: 'error', said } : { kind: 'whole' };
		}
		const data: string[] = [];
		for (const [, line = ''] of rest.matchAll(/^data:(.*)$/gm)) {
			data.push(line.trim());
			if (data.length > mostLines) return { kind: 'cut' };
		}
		const isWhole = data.length === 0 || data.at(-1) === '[DONE]' || json(data.join('\n')) !== undefined;
		return { kind: isWhole ? 'whole' : 'cut' };
	}
}

/** The error that a body consists of; `undefined`: it is something else. */
function saidInsteadOf(body: string): Explanation | undefined {
	const parsed = json(body);
	const said = Array.isArray(parsed) ? parsed[0] : parsed;
	return isRecord(said) && isError(said) ? explanationOf(body) : undefined;
}

/** As the providers write it, and as older vLLM (`object`) and FastAPI (`detail`) do. */
function isError({ error, object, type, detail, message, choices, content, output }: JsonRecord): boolean {
	if (error || object === 'error' || type === 'error') return true;
	const isAnswer = choices !== undefined || content !== undefined || output !== undefined;
	return !isAnswer && (typeof detail === 'string' || typeof message === 'string');
}

function endOfLast(mark: string, text: string): number {
	const at = text.lastIndexOf(mark);
	return at < 0 ? -1 : at + mark.length;
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
