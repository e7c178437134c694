/** A request as it came over the wire. */
export interface WireRequest {
	readonly path: string;
	readonly body: unknown;
}

/** Characters of a text that a transcript shows. */
const shownCharacters = 160;

/** Requests as people read them: one line for each entry of a list, long texts cut. `replacements`: what differs from run to run. */
export function wireTranscript(
	requests: readonly WireRequest[],
	replacements: Readonly<Record<string, string>> = {},
): string {
	const text = requests.map(({ path, body }, i) => `=== ${i + 1} POST ${path}\n${fields(body)}`).join('\n\n');
	const told = Object.entries(replacements).reduce(
		(all, [actual, instead]) => all.replaceAll(actual, instead),
		`${text}\n`,
	);
	return withNumberedIds(told);
}

/** A text with ids of calls that we have made up, other ones each time, as numbers. */
export function withNumberedIds(text: string): string {
	const ids = new Map<string, string>();
	return text.replace(/(?<=id":")c[a-z0-9]{8}(?=")/g, (id) => {
		const name = ids.get(id) ?? `OURS-${ids.size + 1}`;
		ids.set(id, name);
		return name;
	});
}

/** Fields with a value of its own for each conversation. */
const ofConversation = new Set(['prompt_cache_key', 'session_id']);

function fields(body: unknown): string {
	return Object.entries(body as object)
		.map(([key, value]) => [key, ofConversation.has(key) ? '…' : value] as const)
		.map(([key, value]) =>
			Array.isArray(value)
				? `${key}:\n${value.map((one) => `  ${shown(one)}`).join('\n')}`
				: `${key}: ${shown(value)}`,
		)
		.join('\n');
}

function shown(value: unknown): string {
	return JSON.stringify(value, (key, inner: unknown) => {
		// The schemas are the servers'; that they are sent is what counts.
		if (['input_schema', 'parameters', 'inputSchema'].includes(key) && typeof inner === 'object')
			return '{…}';
		if (typeof inner !== 'string' || inner.length <= shownCharacters) return inner;
		return `${inner.slice(0, shownCharacters)}… (${inner.length})`;
	});
}
