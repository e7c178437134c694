import { firstSentence } from '../../../common/text.ts';
import type { Tool } from '../../catalog/tool.ts';
import { toolsAtOnce } from '../ranker.ts';
import { tokenize } from '../words/tokenizer.ts';

/** Tools that work for any subject: search the web, read any page, remember what they are told. */
export type GeneralKind = 'web' | 'page' | 'memory';

interface General {
	/** Recognises such a tool by name, title and first sentence. */
	readonly tool: RegExp;
	/** Cheap pre-check: matches every such request and few others. */
	readonly hint: RegExp;
	/** Recognises a request for such a tool. */
	readonly request: RegExp;
	/** Words of the request that say what to do. All other words are the subject. */
	readonly words: ReadonlySet<string>;
	/** Words implied by the request. */
	readonly means: readonly string[];
}

const anyPage = String.raw`\b(?:urls?|links?|web ?pages?|pages?|web ?sites?|sites?)\b`;

export const generals: Readonly<Record<GeneralKind, General>> = {
	web: {
		tool: /\bsearch\w*\b[^.]{0,40}\b(?:web|internet|online)\b|\b(?:web|internet|online) search/,
		hint: /\b(?:web|internet|net|online|google)\b/i,
		request:
			/\b(?:search|look|check|browse|find|ask|scour)\w*\b.{0,200}?\b(?:the (?:web|internet|net)|online)\b(?= ?(?:$|[^\w\s-]|(?:for|about|on|regarding|to|and|or|who|what|when|where|which|why|how|if|whether|please)\b))|\b(?:web|internet|online) search\b|^(?:(?:please|can|could|you|just) ){0,4}google\b/i,
		words: new Set(
			'search web internet online find look up news image images video videos picture pictures'.split(' '),
		),
		means: ['search', 'web'],
	},
	page: {
		tool: /\b(?:fetch|retriev|read|extract|get|scrap|crawl|open|visit|navigat|download|load)\w*\b[^.]{0,60}\b(?:urls?|web ?pages?|web ?sites?)\b/,
		hint: /https?:/i,
		request: new RegExp(
			String.raw`(?=.*https?://)(?=.*(?:\b(?:fetch|scrape|crawl|visit|open|browse|navigate|load|summari[sz]e)\b|\bgo to\b|${anyPage}))`,
			'is',
		),
		words: new Set(
			'fetch scrape crawl open visit read get page webpage website site url content text html markdown'.split(
				' ',
			),
		),
		means: ['url', 'fetch'],
	},
	memory: {
		tool: /\bknowledge graph\b|\b(?:remember|memory|memories)\b/,
		hint: /\b(?:remember|memori[sz]e|memory|mind|forget|know|tell|say)\b/i,
		request:
			/\b(?:remember|memori[sz]e|keep in mind) (?:that|this|my|our|the|how|i|we)\b|\b(?:don'?t|do not) forget that\b|\bwhat (?:do|did) (?:you|i) (?:know|remember|tell|say) .{0,20}(?:about|of)\b|\bforget (?:everything|all|what)\b|\b(?:in|from|to) (?:your|the) memory\b/i,
		words: new Set('remember memorize memorise memory forget know stored store save recall'.split(' ')),
		means: ['memory'],
	},
};

const kinds = Object.keys(generals) as GeneralKind[];

/** The kind of general tool that a request explicitly asks for. */
export function generalRequest(text: string): GeneralKind | undefined {
	return kinds.find((kind) => generals[kind].hint.test(text) && generals[kind].request.test(text));
}

/** Finds the places of the general tools of each kind, in steps. */
export function* findGeneralTools(
	tools: readonly Tool[],
): Generator<void, ReadonlyMap<GeneralKind, readonly number[]>, void> {
	const found = new Map<GeneralKind, number[]>();
	for (const [place, { name, title, description }] of tools.entries()) {
		if (place % toolsAtOnce === toolsAtOnce - 1) yield;
		const text =
			`${tokenize(name).join(' ')}. ${title ?? ''}. ${firstSentence(description ?? '')}`.toLowerCase();
		for (const kind of kinds) {
			if (generals[kind].tool.test(text)) found.set(kind, [...(found.get(kind) ?? []), place]);
		}
	}
	return found;
}

const publicQuestion =
	/^(?:(?:please|can|could|you|tell|me|hey|hi) ){0,4}(?:who|what|whats|what's|when|where|which|why|how|is|are|does|did|will|look up|search for)\b|\b(?:news|weather|forecast|prices?|reviews?|latest|look up|how much)\b/i;
const ownMatter = /\b(?:my|our|mine|ours|i|we|i'm|this|these)\b/i;

/** Whether anyone could ask this question, so that the web can answer it if no tool does. */
export function isPublicQuestion(text: string): boolean {
	return publicQuestion.test(text.trim()) && !ownMatter.test(text);
}
