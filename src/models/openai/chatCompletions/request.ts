import * as l10n from '@vscode/l10n';
import type { Remedy } from '../../http/refusals.ts';

/** Fields for thoughts, and how refusals describe a missing one. */
const thoughtFields = /\breasoning(?:_content|_details)?\b|extra_content|thinking_blocks/;
const missing = /missing|must be (?:passed|provided|included)|required/i;
/** Names of remedies that are not fields of a body. */
export const withoutThoughts = 'thoughts are left out';
export const withFilledThoughts = 'missing thoughts are filled in';
export const withSignatures = 'missing signatures of thoughts are filled in';
export const withEmptyTexts = 'empty texts instead of null';
export const withoutReasoning = 'tools are called without reasoning';

/** GPT from 5.4 on reasons by default, so leaving the field out is refused as well: https://github.com/BerriAI/litellm/pull/34569. */
export const reasoningRemedy: Remedy = {
	name: withoutReasoning,
	isMeant: (failure) => failure.says(/function tools with reasoning_effort/i),
	notice: (model) =>
		l10n.t(
			'Through this API, “{0}” cannot reason and call tools, so it does not reason. To change this, set {1} for the model.',
			model,
			'"api": "responses"',
		),
};

/** What a model or a server may refuse besides fields that any request can do without. */
export const chatRemedies: readonly Remedy[] = [
	// OpenAI's own form of an answer that consists of calls; some servers take only texts, and others refuse empty ones.
	{
		name: withEmptyTexts,
		isMeant: (failure) =>
			failure.says(/\bcontent\b.{0,60}(?:must be a string|expected a string|valid string|<nil>)/i),
	},
	// Gemini since 3, for calls that another model made.
	{ name: withSignatures, isMeant: (failure) => failure.says(/missing a .?thought.?signature/i) },
	{ name: withFilledThoughts, isMeant: (failure) => failure.says(thoughtFields) && failure.says(missing) },
	{ name: withoutThoughts, isMeant: (failure) => failure.says(thoughtFields) },
];
