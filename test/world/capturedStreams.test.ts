import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isRecord, parsedJson, recordOf } from '../../src/common/json.ts';
import { answerText, callsOf } from '../../src/models/answerParts.ts';
import { createModel } from '../../src/models/createModel.ts';
import type { ModelErrorReason } from '../../src/models/modelError.ts';
import { answerOf, asking, endpointAt, Loopback, sse } from '../providers/loopback.ts';
import type { Json } from './chatEndpoint.ts';

/**
 * Streams that providers sent, as public projects keep them for their tests (Apache-2.0 and MIT): each line has its source and its
 * events. Letters and digits of texts are replaced by `x`, long runs of pieces are joined, and fields that nobody reads are missing.
 */
const streams = gunzipSync(readFileSync(new URL('capturedStreams.jsonl.gz', import.meta.url)))
	.toString()
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { readonly from: string; readonly events: readonly Json[] });

/** What a stream says by the letter of its protocol, without any of our code. */
interface Said {
	readonly text: string;
	/** `undefined`: not compared. */
	readonly thought?: string;
	readonly calls: readonly (readonly [name: string, input: unknown])[];
	readonly end: string;
}

type Row = Record<string, never> & Json;
const rows = (value: unknown) => (Array.isArray(value) ? (value.filter(isRecord) as Row[]) : []);
const words = (value: unknown) => (typeof value === 'string' ? value : '');
const joined = (texts: readonly unknown[]) => texts.map(words).join('');
const input = (written: unknown) =>
	typeof written === 'string' ? (parsedJson(written || '{}') ?? written) : written;

function chatSays(events: readonly Json[]): Said {
	const choices = events.flatMap(({ choices }) => rows(choices)).filter(({ index = 0 }) => index === 0);
	const deltas = choices.map(({ delta, message }) => recordOf(delta ?? message));
	const parts = deltas.flatMap(({ content }) => rows(content));
	const calls = new Map<unknown, { name: string; json: string }>();
	for (const { index = calls.size, function: called } of deltas.flatMap((delta) => rows(delta.tool_calls))) {
		const { name, arguments: json } = recordOf(called);
		const call = calls.get(index) ?? { name: '', json: '' };
		calls.set(index, { name: call.name || words(name), json: call.json + words(json) });
	}
	return {
		text: joined([...deltas.map(({ content }) => content), ...parts.map(({ text }) => text)]),
		thought: joined([
			...deltas.map(({ reasoning_content: own, reasoning }) => own ?? reasoning),
			...parts.flatMap(({ thinking }) => rows(thinking).map(({ text }) => text)),
		]),
		calls: [...calls.values()].map(({ name, json }) => [name, input(json)]),
		end: words(choices.findLast((choice) => choice.finish_reason)?.finish_reason),
	};
}

function claudeSays(events: readonly Json[]): Said {
	const blocks: {
		type: unknown;
		name: unknown;
		input: unknown;
		text: string;
		thinking: string;
		json: string;
	}[] = [];
	const begun = recordOf(events.find(({ type }) => type === 'message_start')?.message);
	for (const { type, content_block: block, delta } of [
		...rows(begun.content).map((content_block) => ({
			type: 'content_block_start',
			content_block,
			delta: {},
		})),
		...events,
	]) {
		const { text, thinking, partial_json: json } = recordOf(type === 'content_block_start' ? block : delta);
		if (type === 'content_block_start') {
			const { type: kind, name, input: whole } = recordOf(block);
			blocks.push({ type: kind, name, input: whole, text: '', thinking: '', json: '' });
		}
		const last = blocks.at(-1);
		if (!last) continue;
		last.text += words(text);
		last.thinking += words(thinking);
		last.json += words(json);
	}
	const stopped = events.findLast(({ type }) => type === 'message_delta');
	return {
		text: joined(blocks.map(({ text }) => text)),
		thought: joined(blocks.map(({ thinking }) => thinking)),
		calls: blocks
			.filter(({ type }) => type === 'tool_use')
			.map(({ name, json, input: whole }) => [words(name), json === '' ? whole : input(json)]),
		end: words(recordOf(stopped?.delta ?? begun).stop_reason),
	};
}

function ollamaSays(events: readonly Json[]): Said {
	const messages = events.map(({ message }) => recordOf(message));
	const calls = messages
		.flatMap(({ tool_calls: calls }) => rows(calls))
		.map((call) => recordOf(call.function));
	return {
		text: joined(messages.map(({ content }) => content)),
		thought: joined(messages.map(({ thinking }) => thinking)),
		calls: calls.map(({ name, arguments: input }) => [words(name), input ?? {}]),
		end: words(events.at(-1)?.done_reason),
	};
}

function responseSays(events: readonly Json[]): Said {
	const response = recordOf(
		events.findLast(({ type }) => /response\.(?:comp|inc|fail)/.test(words(type)))?.response,
	);
	const items = events
		.filter(({ type }) => type === 'response.output_item.done')
		.map(({ item }) => recordOf(item));
	const places = new Map<unknown, string>();
	for (const { type, output_index: place, delta } of events)
		if (type === 'response.output_text.delta') places.set(place, (places.get(place) ?? '') + words(delta));
	return {
		text: [...places.values()].join('\n\n'),
		calls: items
			.filter(({ type }) => type === 'function_call')
			.map(({ name, arguments: json }) => [words(name), input(json)]),
		end: words(response.status),
	};
}

/** Endings after which an answer is not taken for complete. */
const failing: Readonly<Record<string, ModelErrorReason>> = {
	length: 'outputLimit',
	max_tokens: 'outputLimit',
	refusal: 'refused',
	pause_turn: 'paused',
	failed: 'payment',
	error: 'malformedCall',
};

/** What we read otherwise than by the letter, and why. */
const otherwise: readonly (readonly [part: string, why: string])[] = [
	['test_groq_model_thinking_part_iter.yaml#0', 'the thought is in the text, between its tags'],
	['test_hf_model_thinking_part_iter.yaml#0', 'the thought is in the text, between its tags'],
	['cererebras-structured-output-tools', 'the same arguments twice are meant once'],
	['spliced-message-start', 'the message begins again'],
];

test('the table has 220 streams of four protocols', () => {
	expect(streams.length).toBeGreaterThanOrEqual(220);
});

test.each(streams.map((stream, i) => ({ ...stream, i })))('$i: $from', async ({ from, events }) => {
	const isClaude = events.some(({ type }) => type === 'message_start');
	const isResponse = events.some(({ type }) => words(type).startsWith('response.'));
	const isOllama = events.some(({ done }) => done === true);
	const says = isOllama ? ollamaSays : isClaude ? claudeSays : isResponse ? responseSays : chatSays;
	const said = says(events);
	const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
	await using server = await Loopback.start((response) => {
		response
			.writeHead(200, { 'content-type': isOllama ? 'application/x-ndjson' : 'text/event-stream' })
			.end(isOllama ? lines : sse(...events) + (isClaude || isResponse ? '' : 'data: [DONE]\n\n'));
	});
	const model = await createModel(
		{ id: 'm', name: 'M', model: 'm', ...(isResponse && { api: 'responses' as const }) },
		isOllama
			? endpointAt(server.url, 'ollama')
			: endpointAt(`${server.url}/v1`, isClaude ? 'anthropic' : 'openai'),
	);
	const { parts, error, events: told } = await answerOf(model, asking('hello'));
	const thought = joined(told.map((event) => (event.type === 'thinking' ? event.text : '')));
	const read = {
		text: answerText(parts),
		thought,
		calls: callsOf(parts).map((call) => [call.name, call.input]),
	};
	const { end, ...meant } = said;
	const reason = failing[end || (events.some((event) => event.error) ? 'error' : '')];
	if (reason !== undefined) expect(error).toMatchObject({ reason });
	else if (otherwise.some(([part]) => from.includes(part))) expect(read).not.toMatchObject(meant);
	else expect({ error, ...read }).toMatchObject({ error: undefined, ...meant });
});
