import type { Loading } from '../../../discovery/policy.ts';

/** Lowest version of GPT that knows the tool `tool_search` (OpenAI's guide “Tool search”). */
const toolSearchVersion = 5.4;
/** Lowest version of GPT that marks its messages with a phase (reference of `EasyInputMessage.phase`). */
const phaseVersion = 5.3;
/** Lowest version of GPT that reasons. */
const reasoningVersion = 5;

/**
 * Ways in which loaded tools can reach a model of the Responses API, the best first. `isOwn`: it is asked at OpenAI's own address;
 * elsewhere, whether `tool_search` is known is anybody's guess, so it is taken only where the user insists on `native`.
 */
export function responsesLoadings(model: string, isOwn: boolean): readonly [Loading, ...Loading[]] {
	return isOwn && knowsToolSearch(model) ? ['native', 'append', 'call'] : ['append', 'native', 'call'];
}

/** The nano models are refused: “Tool 'tool_search' is not supported with gpt-5.4-nano.” */
function knowsToolSearch(model: string): boolean {
	return gptVersion(model) >= toolSearchVersion && !/-nano(?![a-z])/.test(model);
}

/**
 * Whether a model reasons before it answers. Others refuse a request that asks for their reasoning: “Encrypted content is not
 * supported with this model.”
 */
export function reasons(model: string): boolean {
	if (/^(o\d|codex-mini)/.test(baseName(model))) return true;
	return gptVersion(model) >= reasoningVersion && !baseName(model).startsWith('gpt-5-chat');
}

/** Whether a model tells what it says between its calls from its answer, and wants that back. */
export function hasPhases(model: string): boolean {
	return gptVersion(model) >= phaseVersion;
}

/** 5.4 for `gpt-5.4-mini`; 0 where the name has no such number (`gpt-4o`). */
function gptVersion(model: string): number {
	const [, version] = /^gpt-(\d(?:\.\d)?)(?![\w.])/.exec(baseName(model)) ?? [];
	return Number(version ?? 0);
}

/** The name without what says that the model is fine-tuned (`ft:…`) or behind a gateway (`openai/…`). */
function baseName(model: string): string {
	return model.slice(model.lastIndexOf('/') + 1).replace(/^ft:/, '');
}
