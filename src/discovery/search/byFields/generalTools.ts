import { firstSentence } from '../../../common/text.ts';
import type { Tool } from '../../catalog/tool.ts';
import { tokenize } from '../words/tokenizer.ts';

/** What a tool does whatever it is asked about: search the web, read any page, keep what it is told. */
export type GeneralKind = 'web' | 'page' | 'memory';

interface General {
	/** Tells such a tool by its name, title and first sentence. */
	readonly tool: RegExp;
	/** Found in every request for one, and in few others: what it does not find need not be read more closely. */
	readonly hint: RegExp;
	/** Tells a request for one. */
	readonly request: RegExp;
	/** Words of such a request that say what is to be done. All others say what it is to be done with. */
	readonly words: ReadonlySet<string>;
	/** Words that the request means, whether it says them or not. */
	readonly means: readonly string[];
}

const anyPage = String.raw`\b(?:urls?|links?|web ?pages?|pages?|web ?sites?|sites?)\b`;

const generals: Readonly<Record<GeneralKind, General>> = {
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

/** The kind of general tool that a request asks for in so many words. */
export function generalRequest(text: string): GeneralKind | undefined {
	return kinds.find((kind) => generals[kind].hint.test(text) && generals[kind].request.test(text));
}

/** Whether a word of such a request says what is to be done, and not with what. */
export function saysWhatToDo(kind: GeneralKind, word: string): boolean {
	return generals[kind].words.has(word);
}

/** See {@link General.means}. */
export function meantBy(kind: GeneralKind): readonly string[] {
	return generals[kind].means;
}

/** Places of the general tools of each kind. */
export function findGeneralTools(tools: readonly Tool[]): ReadonlyMap<GeneralKind, readonly number[]> {
	const found = new Map<GeneralKind, number[]>();
	tools.forEach(({ name, title, description }, place) => {
		const text =
			`${tokenize(name).join(' ')}. ${title ?? ''}. ${firstSentence(description ?? '')}`.toLowerCase();
		for (const kind of kinds) {
			if (generals[kind].tool.test(text)) found.set(kind, [...(found.get(kind) ?? []), place]);
		}
	});
	return found;
}

const publicQuestion =
	/^(?:(?:please|can|could|you|tell|me|hey|hi) ){0,4}(?:who|what|whats|what's|when|where|which|why|how|is|are|does|did|will|look up|search for)\b|\b(?:news|weather|forecast|prices?|reviews?|latest|look up|how much)\b/i;
const ownMatter = /\b(?:my|our|mine|ours|i|we|i'm|this|these)\b/i;

/** Whether a text asks for what anybody may know, so that the web has it where no tool is for it. */
export function isPublicQuestion(text: string): boolean {
	return publicQuestion.test(text.trim()) && !ownMatter.test(text);
}
