import { cut, folded } from '../../discovery/text.ts';
import type { JsonSchema, ToolDefinition } from '../../discovery/tool.ts';
import type { Provider } from '../endpoint.ts';
import { dialects } from './dialects.ts';
import { descriptionCharacters, wordsCharacters } from './limits.ts';
import { type SchemaVerdict, schemaVerdict } from './schemaVerdict.ts';

/** A tool that cannot be sent, and why, as a sentence that begins with a capital and names no tool. */
export interface DroppedTool {
	readonly name: string;
	readonly reason: string;
}

/** What of some tools a provider takes. */
export interface SendableTools {
	/** In the order given, schemas rewritten where the provider would refuse them. */
	readonly tools: readonly ToolDefinition[];
	readonly dropped: readonly DroppedTool[];
}

/**
 * Rewrites or drops what a provider would refuse, so that one server's schema never costs the whole request. Each tool is taken for itself,
 * and a definition that was given before gives the same object again: the bytes of a request do not change with its other tools.
 */
export function sendableTools(tools: readonly ToolDefinition[], provider: Provider): SendableTools {
	const sendable: ToolDefinition[] = [];
	const dropped: DroppedTool[] = [];
	for (const tool of tools) {
		const taken = sendableTool(tool, provider);
		if ('reason' in taken) dropped.push(taken);
		else sendable.push(taken);
	}
	return { tools: sendable, dropped };
}

type Memo<Key extends object, Value> = Readonly<Record<Provider, WeakMap<Key, Value>>>;

/** Every request asks for every tool again. By schema too: a definition may be made anew with the same schema. */
const verdicts = memo<JsonSchema, SchemaVerdict>();
const definitions = memo<ToolDefinition, ToolDefinition | DroppedTool>();

function memo<Key extends object, Value>(): Memo<Key, Value> {
	return { openai: new WeakMap(), anthropic: new WeakMap(), ollama: new WeakMap() };
}

function sendableTool(tool: ToolDefinition, provider: Provider): ToolDefinition | DroppedTool {
	return remembered(definitions[provider], tool, () => {
		const { name, inputSchema } = tool;
		const verdict = remembered(verdicts[provider], inputSchema, () =>
			schemaVerdict(inputSchema, dialects[provider]),
		);
		if ('reason' in verdict) return { name, reason: verdict.reason };
		const { schema } = verdict;
		const description = describe(tool, verdict.words);
		if (schema === inputSchema && description === tool.description) return tool;
		return { ...tool, description, inputSchema: schema };
	});
}

/** The tool's description, which some endpoints want not to be empty, and behind it what its schema could not say. */
function describe({ name, description }: ToolDefinition, words: readonly string[]): string {
	const said = cut(folded(words.join('; ')), wordsCharacters);
	const own = cut(description.toWellFormed(), descriptionCharacters - said.length);
	return [own.trim() === '' ? name : own, ...(said === '' ? [] : [said])].join('\n\n');
}

function remembered<Key extends object, Value>(
	known: WeakMap<Key, Value>,
	key: Key,
	compute: () => Value,
): Value {
	const value = known.get(key) ?? compute();
	known.set(key, value);
	return value;
}
