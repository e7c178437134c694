import { gptVersion } from '../../../common/answers/modelFamilies.ts';
import type { Loading } from '../../../discovery/policy.ts';

/** Lowest version of GPT that knows the tool `tool_search` (OpenAI's guide “Tool search”). */
const toolSearchVersion = 5.4;
/** Lowest version of GPT that marks its messages with a phase (reference of `EasyInputMessage.phase`). */
const phaseVersion = 5.3;

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

/** Whether a model tells what it says between its calls from its answer, and wants that back. */
export function hasPhases(model: string): boolean {
	return gptVersion(model) >= phaseVersion;
}
