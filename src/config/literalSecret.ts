/** Keys that their issuers marked with a prefix, so that they can be told from other texts. */
const secretPatterns = [
	/\bsk-[\w-]{20,}/, // OpenAI, Anthropic, OpenRouter
	/\b[rs]k_(live|test)_\w{20,}/, // Stripe
	/\bgh[pousr]_\w{30,}|\bgithub_pat_\w{40,}/,
	/\bglpat-[\w-]{20,}/,
	/\bxox[abeprs]-[\w-]{20,}/, // Slack
	/\bAKIA[0-9A-Z]{16}\b/,
	/\bAIza[\w-]{35}/,
	/\bntn_\w{30,}/, // Notion
];

/** True if a text holds an API key written out. */
export function holdsLiteralSecret(text: string): boolean {
	return secretPatterns.some((pattern) => pattern.test(text));
}
