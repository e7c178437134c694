import * as z from 'zod';
import { isNestedDeeper, isRecord, type JsonRecord } from '../common/json.ts';
import type { ChatMessage } from '../discovery/catalog/message.ts';
import type { ChatEvent, LogEntry } from '../discovery/session/logEntry.ts';

/** Arguments in an entry may have 200 levels; deeper ones could overflow the stack of recursive code. */
const maxEntryDepth = 256;

const text = z.string();
const texts = z.array(text);
const count = z.number();
const flag = z.boolean();
const yes = z.literal(true).exactOptional();
const record = z.custom<JsonRecord>(isRecord);

const definition = z.object({ name: text, description: text, inputSchema: record });
const definitions = z.array(definition);
const tool = z.object({ wireName: text, server: text, name: text });
const tools = z.array(tool);
const toolNames = z.array(z.tuple([text, texts]));

const loading = z.enum(['append', 'native', 'call']);
const newHeadReason = z.enum([
	'first',
	'model',
	'loading',
	'unload',
	'reset',
	'limit',
	'changes',
	'off',
	'configured',
]);

const image = z.object({ type: z.literal('image'), data: text, mimeType: text });
const content = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text'), text, isNote: yes }),
	image,
	z.object({ type: z.literal('audio'), data: text, mimeType: text }),
	z.object({ type: z.literal('file'), name: text, data: text, mimeType: text }),
]);
const result = z.object({ content: z.array(content), isError: flag, declined: yes });

const origin = z.object({ by: text, data: z.unknown() }).exactOptional();
const call = z.object({ id: text, name: text, input: record, fault: text.exactOptional() });
const part = z.discriminatedUnion('type', [
	z.object({ type: z.enum(['text', 'thinking']), text, origin }),
	z.object({ type: z.literal('toolCall'), call, origin }),
]);
const message = z.discriminatedUnion('role', [
	z.object({
		role: z.literal('user'),
		text,
		images: z.array(image).exactOptional(),
		attached: text.exactOptional(),
		news: text.exactOptional(),
	}),
	z.object({ role: z.literal('assistant'), parts: z.array(part) }),
	z.object({
		role: z.literal('tool'),
		results: z.array(
			z.object({
				callId: text,
				result,
				loaded: definitions.exactOptional(),
				from: texts.exactOptional(),
			}),
		),
	}),
]) satisfies z.ZodType<ChatMessage>;

const toolset = z.object({
	name: text,
	file: text.exactOptional(),
	servers: z.array(z.tuple([text, z.union([z.literal(true), z.object({ exclude: texts }), texts])])),
});
/** JSON has no `undefined`: the member is missing. */
function orMissing<Member extends z.ZodType>(member: Member) {
	return member.optional().transform((value) => value);
}

const head = z.object({
	frozen: z.object({
		policy: z.object({
			enabled: flag,
			inspectionTools: flag,
			manifestPlacement: z.enum(['tool', 'system']),
			maxManifestTokens: count,
		}),
		toolset: orMissing(toolset),
		findable: toolNames,
		hosted: definitions,
	}),
	loading,
	paragraph: orMissing(text),
	tools: definitions,
	synthetic: count,
});

const tokens = z.object({
	inputTokens: count,
	outputTokens: count,
	cachedInputTokens: count.exactOptional(),
	cacheWriteTokens: count.exactOptional(),
	hourCacheWriteTokens: count.exactOptional(),
	thoughtTokens: count.exactOptional(),
	usd: count.exactOptional(),
});
const cost = z.object({ usd: count, isReported: flag, everyToolUsd: count.exactOptional() });
const usage = z.object({
	measuredAnswers: count,
	inputTokens: count,
	cachedInputTokens: count,
	cacheWriteTokens: count,
	outputTokens: count,
	thoughtTokens: count,
	cost: z
		.object({ answers: count, reportedAnswers: count, usd: count, everyToolUsd: count.exactOptional() })
		.exactOptional(),
	requests: count,
	definitionTokens: count,
	everyToolTokens: count,
	calls: z.array(z.object({ server: text, tool: text, calls: count, failures: count, totalMs: count })),
});

/** What each kind of entry contains. */
const contents = {
	turn: z.object({ model: text, loading, prompt: text }),
	past: z.object({ prompt: text }),
	message: z.object({ message, from: text.exactOptional() }),
	request: z.object({
		isByRules: yes,
		anew: newHeadReason.exactOptional(),
		head: head.exactOptional(),
		added: definitions.exactOptional(),
		tools: count,
		tokens: count,
		everyToolTokens: count,
	}),
	measured: z.object({ tokens, cost: cost.exactOptional() }),
	told: z.object({
		findable: toolNames.exactOptional(),
		redefined: definitions.exactOptional(),
		gone: texts.exactOptional(),
		back: texts.exactOptional(),
		instructions: texts.exactOptional(),
	}),
	brought: z.object({ definitions }),
	search: z.object({
		words: text,
		found: z.object({ names: texts, count }),
		further: texts.exactOptional(),
		fault: text.exactOptional(),
	}),
	load: z.object({
		tools,
		renewed: texts,
		reason: z.enum(['search', 'name', 'server', 'user', 'call', 'prefetch', 'reference']),
		words: text.exactOptional(),
	}),
	evict: z.object({ wireNames: texts, names: texts }),
	unload: z.object({ wireNames: texts, names: texts }),
	drop: z.object({ wireNames: texts }),
	use: z.object({ wireName: text, server: text, name: text }),
	call: z.object({ server: text, tool: text, ms: count, failed: flag }),
	agent: z.object({
		agent: text,
		task: text,
		ms: count,
		calls: count,
		failed: flag,
		usage,
		messages: z.array(message),
	}),
	failure: z.object({ message: text }),
	byHand: z.object({}),
	reset: z.object({}),
	back: z.object({ turns: count }),
	anew: z.object({ why: newHeadReason }),
	linked: z.object({ server: text }),
	joined: z.object({ tools: toolNames }),
	toolset: z.object({ toolset: orMissing(toolset) }),
	system: z.object({ template: text, text }),
	answered: z.object({}),
} satisfies {
	readonly [Kind in ChatEvent['kind']]: z.ZodType<Omit<Extract<ChatEvent, { readonly kind: Kind }>, 'kind'>>;
};

/** Entries without which the conversation would have a gap: a call without its result, or a result without its call. */
const turns: ReadonlySet<unknown> = new Set<ChatEvent['kind']>(['turn', 'past']);
const structural: ReadonlySet<unknown> = new Set<ChatEvent['kind']>(['turn', 'past', 'message', 'back']);

/**
 * The readable entries of a stored log. If an unreadable one belongs to the conversation itself, the log ends before its turn: the editor's history
 * then supplies the rest.
 */
export function storedLog(stored: readonly unknown[]): readonly LogEntry[] {
	const log: LogEntry[] = [];
	for (const entry of stored) {
		if (isEntry(entry)) log.push(entry);
		else if (isRecord(entry) && (structural.has(entry.kind) || Object.hasOwn(entry, 'message'))) {
			const begin = turns.has(entry.kind) ? log.length : log.findLastIndex(({ kind }) => turns.has(kind));
			return log.slice(0, Math.max(begin, 0));
		}
	}
	return log;
}

/** Validates only: members that this version does not know stay, and definitions keep the order of their members, which providers cache. */
function isEntry(value: unknown): value is LogEntry {
	if (!isRecord(value) || typeof value.at !== 'number' || typeof value.kind !== 'string') return false;
	if (!Object.hasOwn(contents, value.kind) || isNestedDeeper(value, maxEntryDepth)) return false;
	return contents[value.kind as ChatEvent['kind']].safeParse(value).success;
}

export const logShape = z.array(z.unknown()).transform(storedLog);
