/** A version as it stands in the name of a model: 4.6 is `[4, 6]`. */
export type Version = readonly [major: number, minor: number];

/** The name without what says that the model is fine-tuned (`ft:…`) or behind a gateway (`openai/…`, `anthropic.…`). */
function baseName(model: string): string {
	return model
		.slice(model.lastIndexOf('/') + 1)
		.replace(/^ft:|^(?:\w+\.)*anthropic\./, '')
		.toLowerCase();
}

/** Lowest version of GPT that reasons. */
const reasoningVersion = 5;

/**
 * Whether a model of OpenAI's reasons before it answers. Others refuse a request that asks for their reasoning: “Encrypted content is not
 * supported with this model.”
 */
export function reasons(model: string): boolean {
	if (isOSeries(model)) return true;
	return gptVersion(model) >= reasoningVersion && !baseName(model).startsWith('gpt-5-chat');
}

/** Whether a model is one of OpenAI's o1, o3, o4-mini and the like. */
export function isOSeries(model: string): boolean {
	return /^(o\d|codex-mini)/.test(baseName(model));
}

/** 5.4 for `gpt-5.4-mini`; 0 where the name has no such number (`gpt-4o`). */
export function gptVersion(model: string): number {
	const [, version] = /^gpt-(\d(?:\.\d)?)(?![\w.])/.exec(baseName(model)) ?? [];
	return Number(version ?? 0);
}

/** Family and version of a Claude by its name; `undefined`: it is none, or its name has no version. */
export function claudeOf(model: string): { readonly family: string; readonly version: Version } | undefined {
	const name = baseName(model);
	// Up to 3.7 the version stood before the family: `claude-3-5-haiku-latest`. A number of more digits is a date.
	const older = /^claude-(\d)(?:[-.](\d))?-([a-z]+)/.exec(name);
	if (older) return { family: older[3] ?? '', version: [Number(older[1]), Number(older[2] ?? 0)] };
	const [, family, major, minor] =
		/^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)/.exec(name) ?? [];
	return family === undefined ? undefined : { family, version: [Number(major), Number(minor ?? 0)] };
}

/** Whether a version is this one or a later one. */
export function isFrom([major, minor]: Version, [fromMajor, fromMinor]: Version): boolean {
	return major > fromMajor || (major === fromMajor && minor >= fromMinor);
}
