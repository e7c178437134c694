import * as l10n from '@vscode/l10n';
import type { Remedy } from '../../http/refusals.ts';
import type { ModelError } from '../../modelError.ts';

/** Fields for thoughts, and how refusals describe a missing one. */
const thoughtFields = /\breasoning(?:_content|_details)?\b|extra_content|thinking_blocks/;
const missing = /missing|must be (?:passed|provided|included)|required/i;
/** How servers describe an unknown field. */
const unknownField =
	/(?:un(?:known|recogni[sz]ed|expected|supported)|extra|additional|not (?:permitted|allowed|supported)).*(?:field|param|arg|propert|key|input)|(?:field|param|arg|propert|key|input).*not (?:permitted|allowed|supported|recogni[sz]ed)/i;

/** Names of remedies that are not fields of a body. */
export const withoutThoughts = 'thoughts are left out';
export const withFilledThoughts = 'missing thoughts are filled in';
export const withoutReasoning = 'tools are called without reasoning';

/** GPT from 5.4 on reasons by default, so leaving the field out is refused as well: https://github.com/BerriAI/litellm/pull/34569. */
export function reasoningRemedy(model: string): Remedy {
	return {
		name: withoutReasoning,
		isMeant: (failure) => failure.says(/function tools with reasoning_effort/i),
		notice: l10n.t(
			'Through this API, “{0}” cannot reason and call tools, so it does not reason. To change this, set {1} for the model.',
			model,
			'"api": "responses"',
		),
	};
}

/** What a model or a server may refuse besides fields that any request can do without. */
export const chatRemedies: readonly Remedy[] = [
	{
		name: withFilledThoughts,
		isMeant: (failure) => failure.says(thoughtFields) && failure.says(missing),
		notice: undefined,
	},
	{ name: withoutThoughts, isMeant: (failure) => failure.says(thoughtFields), notice: undefined },
	{ name: 'stream_options', isMeant: mayBeOfUsage, notice: undefined },
];

/** Fields of every request. A refusal of another field may contain these words as well. */
const everywhere = ['model', 'messages', 'stream', 'stream_options'];

/** Whether a request may have been refused for the field that asks for usage: the refusal names it, or no field at all. */
function mayBeOfUsage(failure: ModelError, body: object): boolean {
	if (!Object.hasOwn(body, 'stream_options')) return false;
	if (failure.said === '' || failure.says(/stream_?options|include_?usage/i)) return true;
	const others = Object.keys(body).filter((field) => !everywhere.includes(field));
	return failure.says(unknownField) && !others.some((field) => failure.said.includes(field));
}
