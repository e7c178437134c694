import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Position } from '../../../src/config/config.ts';
import { deferServer, deferTool, pinTool } from '../../../src/config/edit.ts';
import { configTemplate } from '../../../src/config/template.ts';
import { edited, load } from './fixtures.ts';

const full = `{
  "clients": { "o": { "provider": "openai", "base_url": "http://127.0.0.1:9" } }, // one
  "models": { "m": { "client": "o", "model": "x", "template": "y" } },
  "mcpServers": { "a": { "command": "a", "args": ["b"], "env": { "K": "\${env:TOKEN}" }, "pinned": ["x"] } },
  "servers": { "r": { "url": "https://x.test", "transport": "sse", "headers": { "H": "v" }, "tools": { "t": { "defer_loading": true } } } },
  "tool_sets": { "s": { "servers": { "a": true, "r": { "exclude": ["t"] } } } },
  "tool_discovery": { "enabled": true, "max_active_schemas": null }
}`;

const scrap = fc.constantFrom(
	'{',
	'}',
	'[',
	']',
	',',
	':',
	'"',
	'\\',
	'//',
	'/*',
	'*/',
	'\0',
	'\n',
	'\r',
	'\uFEFF',
	'\uD800',
	'null',
	'-1',
	'1e999',
	'"__proto__": ',
	'"servers": ',
	'"\\u0000"',
	'${env:',
	'"command"',
	'"pinned"',
	'true',
	'{}',
	'[[]]',
);

/** A valid file with pieces taken out, put in, doubled or moved. */
const mutated = fc
	.tuple(
		fc.constantFrom(full, configTemplate),
		fc.array(
			fc.record({
				at: fc.double({ min: 0, max: 1, noNaN: true }),
				cut: fc.nat(12),
				put: fc.oneof(scrap, fc.constant('')),
			}),
			{
				minLength: 1,
				maxLength: 4,
			},
		),
	)
	.map(([text, mutations]) =>
		mutations.reduce<string>((rest, { at, cut, put }) => {
			const offset = Math.floor(at * rest.length);
			return rest.slice(0, offset) + put + rest.slice(offset + cut);
		}, text),
	);

function isWithin(lines: readonly string[], { line, character }: Position): boolean {
	return line >= 0 && character >= 0 && character <= (lines[line]?.length ?? -1);
}

test('a spoiled file never crashes the reader, and every problem lies within the text', () => {
	fc.assert(
		fc.property(mutated, (text) => {
			const { config, problems } = load(text);
			const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
			for (const { start, end, message } of problems) {
				expect(isWithin(lines, start), message).toBe(true);
				expect(isWithin(lines, end), message).toBe(true);
				expect(start.line < end.line || start.character <= end.character).toBe(true);
			}
			if (!config) expect(problems.some((problem) => problem.severity === 'error')).toBe(true);
		}),
		{ numRuns: 300 },
	);
});

test('an edit of a spoiled file that can still be read leaves one that can be read', () => {
	fc.assert(
		fc.property(mutated, fc.constantFrom('a', 'r', 'files'), (text, server) => {
			for (const edits of [
				deferServer(text, server),
				pinTool(text, server, 'x'),
				deferTool(text, server, 'x', ['x']),
			]) {
				if (edits) expect(load(edited(text, edits)).config).toBeDefined();
			}
		}),
		{ numRuns: 300 },
	);
});
