import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { JsonSchema, Tool } from '../../src/discovery/index.ts';
import { type Joining, type PlannedRound, planned } from './program.ts';
import type { RecordedCall, Recording, Round } from './recording.ts';

/** What a conversation costs, in tokens, over all its requests. */
export interface Cost {
	readonly requests: number;
	/** Of all prompts, and the parts of them that results of searches and of other calls take. */
	readonly prompt: number;
	readonly searchResults: number;
	readonly callResults: number;
	/** Of what the model writes. */
	readonly output: number;
	/** With the prompt cache, in tokens of uncached input. */
	readonly price: number;
}

/** Prices relative to input, as of Claude: https://platform.claude.com/docs/en/about-claude/pricing. */
const outputPrice = 5;
const cacheReadPrice = 0.1;
const cacheWritePrice = 1.25;

/** Tokens around a message (its role), and around a call or a result (ids, types, names). */
const messageFrame = 4;
const callFrame = 12;

/** What surrounds every conversation. */
export interface Surroundings {
	/** Tokens of the definitions in each request, with the paragraph on discovery. */
	readonly head: number;
	/** Tools by `server:name`. */
	readonly tools: ReadonlyMap<string, Tool>;
	/** What a model gets of a call's result. */
	readonly shown: (result: string) => string;
}

/** One way of joining calls. */
export interface Variant extends Joining {
	/** Whether the results of searches bring a line about each tool for programs. */
	readonly stubs: boolean;
}

/** The definition that each request has in code mode once two tools are found. */
const runCodeDefinition = {
	name: 'run_code',
	description: `Run a JavaScript program that calls the loaded tools, and get what it returns instead of every result. Use it for several calls whose results need not be read in between: loops, filters, counts, joins. One global per server has a method per tool, see the signatures in the results of searches: \`const { items } = await github.list_issues({ state: 'open' })\`. Names that are no identifiers: \`server["odd-name"]({})\`. A call gives the structured content, else parsed JSON, else text, and throws when the tool fails. \`search(words)\` and \`describe(tool)\` find tools. \`return\` what you need, at most 8 KB; \`console.log\` is returned, too. No network, no files, no timers; 30 seconds, 100 calls, 8 at once.`,
	parameters: {
		type: 'object',
		properties: { code: { type: 'string', description: 'Body of an async function.' } },
		required: ['code'],
	},
};

/** What a recorded conversation costs. */
export function recordedCost(recording: Recording, surroundings: Surroundings): Cost {
	const plan = recording.rounds.map((round): PlannedRound => ({ kind: 'recorded', round }));
	return costOf(recording, plan, surroundings);
}

/** What a conversation would cost with its calls joined. */
export function joinedCost(recording: Recording, variant: Variant, surroundings: Surroundings): Cost {
	const plan = planned(recording, variant);
	if (variant.way === 'parallel') return costOf(recording, plan, surroundings);
	return costOf(recording, plan, surroundings, {
		definition: tokensOf(JSON.stringify(runCodeDefinition)),
		stubsOf: variant.stubs ? stubCounter(surroundings.tools) : () => 0,
	});
}

/** What code mode adds to requests. */
interface CodeMode {
	readonly definition: number;
	/** Tokens that the stubs of the tools that a round finds take. */
	readonly stubsOf: (round: Round) => number;
}

function costOf(
	{ system, question, answer }: Recording,
	plan: readonly PlannedRound[],
	{ head, shown }: Surroundings,
	{ definition, stubsOf }: CodeMode = { definition: 0, stubsOf: () => 0 },
): Cost {
	const now = {
		prompt: head + tokensOf(system) + tokensOf(question) + 2 * messageFrame,
		searches: 0,
		calls: 0,
	};
	const cost = { requests: 0, prompt: 0, searchResults: 0, callResults: 0, output: 0, price: 0 };
	let [cached, foundTools] = [0, 0];
	const send = (output: number) => {
		cost.requests++;
		cost.prompt += now.prompt;
		cost.searchResults += now.searches;
		cost.callResults += now.calls;
		cost.output += output;
		cost.price += cacheReadPrice * cached + cacheWritePrice * (now.prompt - cached) + outputPrice * output;
		cached = now.prompt;
		now.prompt += output + messageFrame;
	};
	const read = (kind: 'searches' | 'calls', tokens: number) => {
		now[kind] += tokens;
		now.prompt += tokens + callFrame;
	};
	for (const item of plan) {
		const { text, calls } = item.kind === 'recorded' ? item.round : item;
		const script = item.kind === 'joined' ? item.script : undefined;
		const written = script === undefined ? calls.map(({ args }) => args) : [script];
		send(tokensOf(text) + sum(written.map((args) => tokensOf(JSON.stringify(args)) + callFrame)));
		if (item.kind === 'joined') {
			const results = item.returned.map((result) => tokensOf(shown(result)));
			for (const tokens of script === undefined ? results : [sum(results)]) read('calls', tokens);
			continue;
		}
		for (const { kind, result } of calls) {
			if (kind === 'search') read('searches', tokensOf(result));
			else read('calls', tokensOf(shown(result)));
		}
		const previouslyFound = foundTools;
		foundTools += calls.flatMap(toolsFoundBy).length;
		now.prompt += stubsOf(item.round) + (previouslyFound < 2 && foundTools >= 2 ? definition : 0);
	}
	send(tokensOf(answer));
	return cost;
}

/** Tools that the result of a search lists, as `server:name`. */
function toolsFoundBy({ kind, result }: RecordedCall): string[] {
	if (kind !== 'search') return [];
	const listed = result.matchAll(/- server_name: (.+)\n\s+tool_name: (.+)/g);
	return [...listed].map(([, server, tool]) => `${server}:${tool}`);
}

/** Counts the stubs of one conversation: each tool's once. */
function stubCounter(tools: ReadonlyMap<string, Tool>): CodeMode['stubsOf'] {
	const counted = new Set<string>();
	return ({ calls }) => {
		const fresh = new Set(calls.flatMap(toolsFoundBy)).difference(counted);
		for (const name of fresh) counted.add(name);
		const freshTools = [...fresh].flatMap((name) => tools.get(name) ?? []);
		return sum(freshTools.map((tool) => tokensOf(`${stubOf(tool)}\n`)));
	};
}

/** How a program calls a tool, on one line: `github.list_issues({ repo: string; state?: "open" | "closed" }): unknown`. */
export function stubOf({ server, name, inputSchema }: Pick<Tool, 'server' | 'name' | 'inputSchema'>): string {
	const member = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
	return `${server}${member}(${typeOf(inputSchema)}): unknown`;
}

function typeOf(schema: JsonSchema = {}): string {
	if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
	const { items, properties, required } = schema as {
		readonly items?: JsonSchema;
		readonly properties?: Readonly<Record<string, JsonSchema>>;
		readonly required?: readonly string[];
	};
	switch (schema.type) {
		case 'string':
		case 'number':
		case 'boolean':
			return schema.type;
		case 'integer':
			return 'number';
		case 'array':
			return `${typeOf(items)}[]`;
		case 'object': {
			const fields = Object.entries(properties ?? {}).map(
				([name, field]) => `${name}${required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
			);
			return fields.length > 0 ? `{ ${fields.join('; ')} }` : '{}';
		}
		default:
			return 'unknown';
	}
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

const known = new Map<string, number>();

/** Texts are counted as text, even if they look like a special token; conversations repeat most of them. */
export function tokensOf(text: string): number {
	let tokens = known.get(text);
	if (tokens === undefined) {
		tokens = countTokens(text, { disallowedSpecial: new Set() });
		known.set(text, tokens);
	}
	return tokens;
}
