import type { Stretch } from '../text.ts';

/**
 * Finds where any of many prefixes may occur in a text: one pass, one lookup in a bit table per character. It may report false positives,
 * which the caller sorts out.
 */
export class BeginningsFilter {
	readonly #bits = new Uint8Array(1 << 16);
	#isEmpty = true;

	constructor(beginnings: readonly string[] = []) {
		for (const text of beginnings) this.add(text);
	}

	/** Only the first three UTF-16 units of a text count; a shorter text is not allowed. */
	add(text: string): void {
		this.#bits[hashOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))] = 1;
		this.#isEmpty = false;
	}

	/** The next position from `from` on where a prefix may begin, or -1. */
	next(text: string, from: number): number {
		if (this.#isEmpty) return -1;
		let first = text.charCodeAt(from);
		let second = text.charCodeAt(from + 1);
		for (let at = from; at + 2 < text.length; at++) {
			const third = text.charCodeAt(at + 2);
			if (this.#bits[hashOf(first, second, third)] === 1) return at;
			first = second;
			second = third;
		}
		return -1;
	}
}

function hashOf(first: number, second: number, third: number): number {
	return ((first << 10) ^ (second << 5) ^ third) & 0xffff;
}

const pem = '(?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----';

/**
 * Keys with a prefix from their issuer, recognizable anywhere: their first three characters, and a pattern for the whole. Each pattern is
 * bounded, or consumes what it looks at, so that no text takes long.
 */
const marked: readonly (readonly [beginning: string, key: string])[] = [
	// OpenAI, Anthropic, OpenRouter, DeepSeek. CSS classes can begin like this, but contain no digit.
	['sk-', 'sk-(?=[\\w-]{0,40}\\d)[\\w-]{20,}'],
	...['sk_', 'rk_'].map((lead) => [lead, `${lead}(?:live|test)_\\w{20,}`] as const), // Stripe
	['whs', 'whsec_[\\w+/=-]{20,}'],
	...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((lead) => [lead, `${lead}_\\w{30,}`] as const), // GitHub
	['git', 'github_pat_\\w{40,}'],
	...['glp', 'gld', 'glr', 'gls', 'glf'].map((lead) => [lead, `${lead}[a-z]{1,4}[-_][\\w=-]{20,}`] as const), // GitLab, Grafana
	['xox', 'xox[abeprs]-[\\w-]{10,}'], // Slack
	['xap', 'xapp-\\d-[\\w-]{20,}'],
	...['AKI', 'ASI'].map((lead) => [lead, `${lead}A[0-9A-Z]{16}(?![0-9A-Z])`] as const), // AWS
	['AIz', 'AIza[\\w-]{35}'], // Google
	['ya2', 'ya29\\.[\\w-]{20,}'],
	['GOC', 'GOCSPX-[\\w-]{20,}'],
	['ntn', 'ntn_\\w{30,}'], // Notion
	['sec', 'secret_[A-Za-z0-9]{40,}'],
	['hf_', 'hf_[A-Za-z0-9]{30,}'], // Hugging Face
	['r8_', 'r8_[A-Za-z0-9]{30,}'], // Replicate
	['gsk', 'gsk_\\w{30,}'], // Groq
	['xai', 'xai-\\w{30,}'],
	['nva', 'nvapi-[\\w-]{30,}'], // NVIDIA
	['ppl', 'pplx-\\w{30,}'], // Perplexity
	['tvl', 'tvly-[\\w-]{20,}'], // Tavily
	['fc-', 'fc-[0-9a-f]{32}'], // Firecrawl
	['ctx', 'ctx7sk-[\\w-]{20,}'], // Context7
	['npm', 'npm_[A-Za-z0-9]{36}'],
	['pyp', 'pypi-[\\w-]{50,}'],
	['dck', 'dckr_[po]at_[\\w-]{20,}'], // Docker
	['lin', 'lin_(?:api|oauth)_\\w{30,}'], // Linear
	['fig', 'figd_[\\w-]{30,}'], // Figma
	['sbp', 'sbp_[0-9a-f]{40}'], // Supabase
	['sb_', 'sb_secret_[\\w-]{20,}'],
	['dop', 'dop_v1_[0-9a-f]{64}'], // DigitalOcean
	['shp', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'], // Shopify
	['SG.', 'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}'], // SendGrid
	...['hvs', 'hvb'].map((lead) => [lead, `${lead}\\.[\\w-]{20,}`] as const), // Vault
	['snt', 'sntry[su]_[\\w+/=-]{30,}'], // Sentry
	['NRA', 'NRAK-[A-Z0-9]{27}'], // New Relic
	['phx', 'phx_\\w{30,}'], // PostHog
	['PMA', 'PMAK-[0-9a-f-]{50,}'], // Postman
	['dap', 'dapi[0-9a-f]{32}'], // Databricks
	['ATA', 'ATATT3[\\w=-]{50,}'], // Atlassian
	['pat', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'], // Airtable
	['api', 'apify_api_\\w{30,}'],
	['e2b', 'e2b_[0-9a-f]{40}'],
	['pul', 'pul-[0-9a-f]{40}'], // Pulumi
	['AGE', 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'],
	['eyJ', '(?<![\\w-])eyJ[\\w-]{8,4000}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}'], // JSON Web Tokens
	// Up to the end, or to the next beginning. A program may only mention the first line.
	[
		'---',
		`-----BEGIN ${pem}(?=(?:[^A-Za-z0-9]|\\\\[nr]){1,20}(?:[A-Za-z0-9+/]{16}|[A-Z][\\w-]+: ))(?:(?!-----(?:BEGIN|END) )[^])+(?:-----END ${pem})?`,
	],
];

const beginnings = new BeginningsFilter(marked.map(([beginning]) => beginning));
const patterns = new Map(marked.map(([beginning, key]) => [beginning, new RegExp(key, 'y')]));
const wordCharacter = /[A-Za-z0-9_]/;

/** Keys with an issuer's prefix, in order. */
export function* issuerKeysIn(text: string): Generator<Stretch> {
	for (let at = beginnings.next(text, 0); at !== -1; at = beginnings.next(text, at)) {
		const pattern = patterns.get(text.slice(at, at + 3));
		const isInWord = at > 0 && wordCharacter.test(text.charAt(at - 1));
		if (pattern) pattern.lastIndex = at;
		if (!isInWord && pattern?.test(text)) {
			yield { start: at, end: pattern.lastIndex };
			at = pattern.lastIndex;
		} else at++;
	}
}
