/** A file with one fault, and all that is told of it: `error line:column message`. */
export type Fault = readonly [fault: string, text: string, ...problems: string[]];

/** A server `w` with these keys, each on a line of its own: the first on line 3. */
export function server(...keys: string[]): string {
	return `{ "servers": {\n"w": {\n${keys.join(',\n')}\n} } }`;
}
