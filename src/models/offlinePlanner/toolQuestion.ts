import type { Candidate } from './candidate.ts';
import { codeSpan } from './markdown.ts';

/** A question for tools, not for what they do; what follows says what they are for. */
const asksForTools = [
	/^\s*(?:which|what)\s+(?:(?:mcp|other|of\s+(?:the|my|your))\s+)*tools?\b(?:\s+(?:is|are)\s+there)?/i,
	/^\s*(?:is|are)\s+there\s+(?:a|an|any|some)\s+(?:mcp\s+)?tools?\b/i,
	/^\s*(?:do|have)\s+(?:you|i|we)\s+(?:have|got)?\s*(?:a|an|any|some)?\s*(?:mcp\s+)?tools?\b/i,
	/^\s*(?:list|show|find|search)\s+(?:me\s+)?(?:for\s+)?(?:(?:a|an|any|all|the)\s+)*(?:mcp\s+)?tools?\b/i,
];
const lead =
	/^\s*(?:that|which|who)?\s*(?:can|could|do|does|will|would|should\s+i\s+use|i\s+can\s+use)?\s*(?:to|for)?\s+/i;

/** What the tools that the user asks for are to do; `undefined` for a request that is none for tools. */
export function toolsAskedFor(prompt: string): string | undefined {
	for (const form of asksForTools) {
		const match = form.exec(prompt);
		if (!match) continue;
		const rest = prompt
			.slice(match[0].length)
			.replace(lead, '')
			.replace(/[\s?.!]+$/, '');
		return rest === '' ? undefined : rest;
	}
	return undefined;
}

/** The tools found, each with the first sentence of its description. */
export function toolListText(candidates: readonly Candidate[]): string {
	return [
		candidates.length === 1 ? 'I found one tool for this:' : `I found ${candidates.length} tools for this:`,
		'',
		...candidates.map(({ tool, readable }) => {
			const sentence = /^.*?[.!?](?=\s|$)/s.exec(tool.description.trim())?.[0] ?? tool.description.trim();
			return `- ${codeSpan(readable)}${sentence === '' ? '' : ` — ${codeSpan(sentence)}`}`;
		}),
		'',
		'Nothing was called. Say what you want done, or name a tool: `server:tool name="value"`.',
	].join('\n');
}
