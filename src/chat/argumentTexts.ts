import { isRecord } from '../discovery/record.ts';

/** One text among the arguments of a call. */
export interface ArgumentText {
	/** Where it stands: `files[2].content`. */
	readonly path: string;
	readonly text: string;
}

/** Texts of one call that are looked at; names of arguments are none. */
const mostTexts = 5_000;

/** The texts among the arguments of a call, however deep, in their order. */
export function argumentTexts(input: Readonly<Record<string, unknown>>): readonly ArgumentText[] {
	const texts: ArgumentText[] = [];
	// A list of its own, not the stack: what a model writes may be nested without end.
	const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: input }];
	for (let next = open.pop(); next && texts.length < mostTexts; next = open.pop()) {
		const { path, value } = next;
		if (typeof value === 'string') texts.push({ path, text: value });
		else if (Array.isArray(value)) {
			for (let i = value.length - 1; i >= 0; i--) open.push({ path: `${path}[${i}]`, value: value[i] });
		} else if (isRecord(value)) {
			for (const [name, inner] of Object.entries(value).reverse()) {
				open.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
			}
		}
	}
	return texts;
}
