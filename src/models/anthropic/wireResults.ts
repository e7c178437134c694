import type Anthropic from '@anthropic-ai/sdk';
import { resultText } from '../../discovery/toolResult.ts';
import type { ToolCallResult } from '../chatModel.ts';
import { type ContentBlock, contentBlocks, imageBlocks, textBlocks } from './wireContent.ts';

/** What of results can be sent. */
export interface Taken {
	/** Whether the model takes pictures. */
	readonly images: boolean;
	/** Names that a `tool_reference` may have; see `wireTools.ts`. */
	readonly deferred: ReadonlySet<string>;
	/** Whose thoughts are sent back; see `thinkerOf`. */
	readonly thinker?: string;
}

/** A call's id on the wire, and its result if there is one. */
export interface AnsweredCall {
	readonly id: string;
	readonly result: ToolCallResult | undefined;
}

/**
 * The message that answers all calls of one answer: a result for each, in their order, and behind them what the API does not take inside
 * of a result.
 */
export function resultBlocks(calls: readonly AnsweredCall[], taken: Taken): Anthropic.ContentBlockParam[] {
	const written = calls.map((call) => writtenResult(call, taken));
	return [...written.map(({ block }) => block), ...written.flatMap(({ behind }) => behind)];
}

function writtenResult(
	{ id, result }: AnsweredCall,
	{ images, deferred }: Taken,
): { block: Anthropic.ToolResultBlockParam; behind: readonly ContentBlock[] } {
	const block = { type: 'tool_result', tool_use_id: id } as const;
	if (result === undefined) {
		return { block: { ...block, content: textBlocks('The call was not run.'), is_error: true }, behind: [] };
	}
	const { content: parts, isError } = result.result;
	if (isError) {
		// With `is_error`, the API takes nothing but text.
		const content = orNoOutput(textBlocks(resultText(result.result)));
		return { block: { ...block, content, is_error: true }, behind: imageBlocks(parts, images) };
	}
	const blocks = contentBlocks(parts, images);
	const references = referencesOf(result, deferred);
	// References stand alone: a result that has any takes no other content.
	if (references.length > 0) return { block: { ...block, content: references }, behind: blocks };
	return { block: { ...block, content: orNoOutput(blocks) }, behind: [] };
}

/** The API refuses results without any content. */
function orNoOutput(blocks: ContentBlock[]): ContentBlock[] {
	return blocks.length > 0 ? blocks : textBlocks('(no output)');
}

function referencesOf(
	{ loaded = [] }: ToolCallResult,
	deferred: ReadonlySet<string>,
): Anthropic.ToolReferenceBlockParam[] {
	const names = new Set(loaded.map(({ name }) => name));
	return [...names]
		.filter((name) => deferred.has(name))
		.map((name) => ({ type: 'tool_reference', tool_name: name }));
}
