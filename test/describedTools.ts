import type { ChatCompletionRequest, FixtureResponse } from '@copilotkit/aimock';

/** Names of the tools that a request of Teach Search is about. */
export function askedTools({ messages }: ChatCompletionRequest): string[] {
	const { content } = messages.at(-1) ?? {};
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	return [...text.matchAll(/(?<=^|\\n|\n)\{\\?"name\\?":\\?"([^"\\]+)/g)].map(([, name]) => name ?? '');
}

/**
 * What a model answers that is asked to describe tools: of each a sentence and a query, which have its name in words that no server has,
 * such as `zz-git_blame`.
 */
export function describedTools(tools: readonly string[]): FixtureResponse {
	const entries = tools.map((name) => ({
		name,
		when: `A person wants what zz${letters(name)} does.`,
		queries: [`please zz${letters(name)} for me`],
	}));
	return {
		toolCalls: [{ name: 'describe_tools', arguments: JSON.stringify({ tools: entries }) }],
		usage: { prompt_tokens: 1000, completion_tokens: 100 },
	};
}

/** A tool's name as one word, which no server's text has. */
export function coined(name: string): string {
	return `zz${letters(name)}`;
}

function letters(name: string): string {
	return name.replace(/[^a-z]/g, '');
}
