import { isRecord } from '../../common/json.ts';

/** Levels of a rendered prompt that are read. Real prompts have a few. */
const promptDepth = 50;

/** The text of a rendered prompt, the JSON that `renderElementJSON` of `@vscode/prompt-tsx` returns. */
export function promptText(value: unknown): string {
	return textsOf(value, promptDepth).join('');
}

function textsOf(node: unknown, depth: number): string[] {
	if (depth === 0) return [];
	if (Array.isArray(node)) return node.flatMap((child) => textsOf(child, depth - 1));
	if (!isRecord(node)) return [];
	const { text, lineBreakBefore, node: root, children } = node;
	const ownText = typeof text === 'string' ? [lineBreakBefore === true ? `\n${text}` : text] : [];
	return [...ownText, ...textsOf(root, depth - 1), ...textsOf(children, depth - 1)];
}

/**
 * Data for a model: text and JSON unchanged, otherwise a placeholder. `undefined`: no MIME type, but a mark that extensions set for their own
 * models, such as `cache_control`.
 */
export function dataText(mimeType: string, data: Uint8Array): string | undefined {
	const type = mimeType.split(';', 1).join('').trim().toLowerCase();
	if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) return undefined;
	const isText = /^text\/|[/+](json|xml|yaml)$/.test(type);
	return isText ? Buffer.from(data).toString('utf8') : `[data ${type}, ${data.length} bytes]`;
}
