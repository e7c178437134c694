/**
 * The lines of a body of newline-delimited JSON, empty ones left out; what follows the last line end counts as a line. Calls
 * `onOverlong`, which throws, for a line of more than `maxCharacters`: it would have to be held in memory whole.
 */
export async function* linesOf(
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	maxCharacters: number,
	onOverlong: () => never,
): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let parts: string[] = [];
	let length = 0;
	const append = (part: string): void => {
		parts.push(part);
		length += part.length;
		if (length > maxCharacters) onOverlong();
	};
	const line = (): string => {
		const whole = parts.join('').trim();
		parts = [];
		length = 0;
		return whole;
	};
	for await (const chunk of body) {
		const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
		append(first);
		for (const next of rest) {
			const whole = line();
			if (whole !== '') yield whole;
			append(next);
		}
	}
	append(decoder.decode());
	const last = line();
	if (last !== '') yield last;
}
