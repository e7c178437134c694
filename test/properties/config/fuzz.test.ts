import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type Node, parseTree } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../../bench/random.ts';
import { configTemplate } from '../../../src/config/assist/templates.ts';
import type { Config } from '../../../src/config/config.ts';
import { deferServer, deferTool, pinTool } from '../../../src/config/file/edit.ts';
import type { Position } from '../../../src/config/file/jsonPath.ts';
import type { MovedSecret } from '../../../src/config/fixes/configFix.ts';
import { fixesFor } from '../../../src/config/fixes/fixes.ts';
import { runs, seed } from '../../effort.ts';
import { edited, load, scope } from '../../unit/config/fixtures.ts';

/** Whole values, which keep a file valid JSON: every type, and texts that careless readers mishandle. */
const values = [
	...'null true false [] {} [[]] [{}] {"a":{}} -1 0 1.5 1e999 -1e999 9007199254740993 1.0 0.1e-7'.split(' '),
	...'"true" "5" "9" "0.70" "1e-1" "" "__proto__" "\\u0000" "\\ud800" "a\\nb" "\\t" ".." "../x" "a/b" "🙂"'.split(
		' ',
	),
	...'"https://u:p@x.test/" "http://x.test/v1/" "javascript:alert(1)" "//x" "https://\\n" "https://["'.split(
		' ',
	),
	...`"\${" "\${env:" "\${env:}" "\${env:NOPE}" "\${env:BROKEN}" "\${wokspaceFolder}" "$&"`.split(' '),
	...['" "', '"{0} %s"', '["a", 1, null]', '["npx", "-y"]', '{"exclude": [1]}', '"\u202Ea"', '"\u200B"'],
	...['"npx -y \\"a b\\" ; rm"', '"sk-aaaaaaaaaaaaaaaaaaaaaaaa"', '"Bearer abcdefgh12345678"', '"\u{E0041}"'],
	...['{"command": "x"}', '{"command": "x", "url": "y"}', '{"servers": {"w": true}}', '9'.repeat(400)],
	...['{"__proto__": {"polluted": 1}}', '{"constructor": {"prototype": {"polluted": 1}}}'],
	...[`"${'x'.repeat(300)}"`, ...[30, 80].map((depth) => '['.repeat(depth) + ']'.repeat(depth))],
];

/** Names of keys, known and unknown. */
const names = [
	...'__proto__ constructor prototype toString hasOwnProperty .. a/b é 🙂 a\\u0000 \\ud800 A=B 1 -1'.split(
		' ',
	),
	...'command comand cmd args env cwd url type transport headers pinned lazy tools search_tools'.split(' '),
	...'servers mcpServers mcp_servers clients models tool_sets tool_discovery enabled synonyms'.split(' '),
	...'provider base_url api_key client model template exclude NODE_OPTIONS'.split(' '),
	...['', ' ', 'X Y', '\u202E', '\u200B', 'x'.repeat(300)],
].map((name) => `"${name}"`);

/** Pieces that usually break a file. */
const scraps = [
	...'{ } [ ] , : " \\ // /* */ \' \0 \uFEFF \uFFFD \uD800 \uDC00 \u2028 🙂'.split(' '),
	...['\n', '\r', '\r\n', '\t', '"a": ', ', "a": 1', '"__proto__": {"polluted": 1}, '],
	...['[', '{"a":'].map((opening) => opening.repeat(70)),
];

/** A JSON token. Broken JSON is split into single characters. */
const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|[A-Za-z0-9.+-]+|[^\s]/g;

/** A text with one to four random changes, either of values and names or of tokens and characters. */
function mutated(text: string, random: SeededRandom): string {
	const change = random.next() < 0.6 ? withOtherNode : withOtherPiece;
	let result = text;
	for (let changes = 1 + Math.floor(random.next() * 4); changes > 0; changes--)
		result = change(result, random);
	return result;
}

/** Replaces one value or name by another one. */
function withOtherNode(text: string, random: SeededRandom): string {
	const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
	const all = root ? [...nodesOf(root)] : [];
	const [node, other] = [oneOf(all, random), oneOf(all, random)];
	if (!node || !other) return text;
	const isName = node.parent?.type === 'property' && node.parent.children?.[0] === node;
	const [start, end] = [node.offset, node.offset + node.length];
	const content = isName
		? oneOf(names, random)
		: random.next() < 0.2
			? text.slice(other.offset, other.offset + other.length)
			: oneOf(values, random);
	const key = `${oneOf(names, random)}: ${content ?? 'null'}`;
	const isOfProperty = node.parent?.type === 'property' && !isName;
	return (
		text.slice(0, start) +
		(content ?? '') +
		(isOfProperty && random.next() < 0.3 ? `, ${key}` : '') +
		text.slice(end)
	);
}

function* nodesOf(node: Node): Generator<Node> {
	if (node.type !== 'property') yield node;
	for (const child of node.children ?? []) yield* nodesOf(child);
}

/** Cuts the text off, or removes, doubles, inserts or exchanges characters and tokens. */
function withOtherPiece(text: string, random: SeededRandom): string {
	const at = Math.floor(random.next() * (text.length + 1));
	const stop = Math.min(text.length, at + 1 + Math.floor(random.next() * 12));
	const token = tokenFrom(text, at);
	const [start, end] = token ? [token.index, token.index + token[0].length] : [at, at];
	switch (Math.floor(random.next() * 8)) {
		case 0:
			return text.slice(0, at);
		case 1:
			return text.slice(0, at) + text.slice(stop);
		case 2:
			return text.slice(0, stop) + text.slice(at);
		case 3:
			return text.slice(0, at) + oneOf(scraps, random) + text.slice(at);
		case 4:
			return text.slice(0, start) + text.slice(end);
		case 5:
			return text.slice(0, end) + text.slice(start);
		case 6:
			return (
				text.slice(0, start) + (tokenFrom(text, random.next() * text.length)?.[0] ?? '') + text.slice(end)
			);
		default:
			return text.slice(0, start) + oneOf(scraps, random) + text.slice(end);
	}
}

/** The first token that starts at an offset or after it. */
function tokenFrom(text: string, offset: number): RegExpExecArray | null {
	tokens.lastIndex = offset;
	return tokens.exec(text);
}

function oneOf<T>(all: readonly T[], random: SeededRandom): T | undefined {
	return all[Math.floor(random.next() * all.length)];
}

const mutations = runs(2_000);

const valid = [
	configTemplate,
	`{
  "clients": { "o": { "provider": "openai", "base_url": "http://127.0.0.1:9", "api": "chat" }, "l": { "provider": "ollama" } }, // one
  "models": { "m": { "client": "o", "model": "x", "template": "y", "context_tokens": 32000, "max_output_tokens": 4096 } },
  "mcpServers": { "a": { "command": "a", "args": ["b"], "env": { "K": "\${env:TOKEN}" }, "pinned": ["x"] } },
  "servers": { "r": { "url": "https://x.test", "transport": "sse", "headers": { "H": "v" }, "tools": { "t": { "defer_loading": true } } } },
  "tool_sets": { "s": { "description": "d", "servers": { "a": true, "r": { "exclude": ["t"] } } } },
  "tool_discovery": { "enabled": true, "max_active_schemas": null, "synonyms": ["a, b"], "ranking": "default" }
}`,
	'\uFEFF{\r\n\t"lazy_mcp": true,\r\n\t"tools": { "max_active_schemas": 3 },\r\n\t"mcp_servers": { "é 🙂": { "type": "stdio", "command": "npx", "args": ["-y", "p"], "cwd": "sub", "lazy": true } },\r\n}\r\n',
	`{"servers":{"w":{"command":"npx","env":{"TOKEN":"\${env:TOKEN}"}},"v":{"url":"https://v.test/mcp","headers":{"Authorization":"Bearer \${env:TOKEN}"}}}}`,
];

/** Every file, made once for all tests, with the seed that makes it the first one: set TEST_SEED to it. */
const files = Array.from({ length: mutations }, (_, index) => {
	const own = seed + index;
	const random = new SeededRandom(own);
	return { seed: own, text: mutated(valid[Math.floor(random.next() * valid.length)] ?? '', random) };
});

/** What is wrong with the result of reading a file; empty if nothing. */
function faultOfReading(text: string): string | undefined {
	const { config, problems } = load(text);
	const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
	const isWithin = ({ line, character }: Position) =>
		character >= 0 && character <= (lines[line]?.length ?? -1);
	for (const { start, end, message } of problems) {
		if (!isWithin(start) || !isWithin(end)) return `outside of the file: ${message}`;
		if (start.line > end.line || (start.line === end.line && start.character > end.character)) {
			return `ends before it starts: ${message}`;
		}
		if (message.includes('hush-hush')) return `shows a secret: ${message}`;
	}
	if (!config && !problems.some(({ severity }) => severity === 'error'))
		return 'no configuration, and no word why';
	if (config && isPolluted(config)) return 'a prototype is polluted';
	return undefined;
}

function isPolluted({ launches, clients, models, toolsets, policy }: Config): boolean {
	const own = [...launches.values(), ...clients, ...models.values(), ...toolsets.values(), policy];
	return (
		'polluted' in {} ||
		own.some((value) => 'polluted' in value || Object.getPrototypeOf(value) !== Object.prototype)
	);
}

/** What is wrong with the fixes offered for a file; empty if nothing. */
function faultOfFixes(text: string): string | undefined {
	const { config, problems } = load(text);
	for (const { fix, problem } of problems.flatMap((problem) =>
		fixesFor(text, problem, { problems, env: scope.env }).map((fix) => ({ fix, problem })),
	)) {
		if (fix.kind === 'set-variable') continue;
		const after = applyEdits(text, [...fix.edits]);
		if (config && !load(after).config) return `"${fix.title}" leaves a file that cannot be read: ${after}`;
		// A password that leaves an address is encoded for its header.
		if (problem.reason?.kind === 'credentials') continue;
		const secrets = fix.kind === 'store' ? fix.secrets : [];
		const [written, kept] = [wordsIn(text, []), wordsIn(after, secrets)];
		if (!isDeepStrictEqual(written, kept)) return `"${fix.title}" changes what was written: ${after}`;
	}
	return undefined;
}

/** The words of all values of a file, sorted; `moved`: what secret storage now holds. Quotes and order are not compared. */
function wordsIn(text: string, moved: readonly MovedSecret[]): readonly string[] {
	const words: string[] = [];
	const collect = ({ type, value, offset, length, children = [] }: Node) => {
		if (type === 'property') for (const child of children.slice(1)) collect(child);
		else if (type === 'object' || type === 'array') for (const child of children) collect(child);
		else words.push(type === 'string' ? String(value) : text.slice(offset, offset + length));
	};
	const root = parseTree(text, [], { allowTrailingComma: true });
	if (root) collect(root);
	const whole = moved.reduce(
		(all, secret) =>
			secret.kind === 'key'
				? `${all} ${secret.value}`
				: all.replaceAll(`\${env:${secret.name}}`, () => secret.value),
		words.join(' '),
	);
	return whole
		.split(/[\s"']+/)
		.filter((word) => word !== '' && !/^bearer$/i.test(word))
		.toSorted();
}

/** The faults of files, each with the seed that makes its file again. */
function faultsOf(some: typeof files, faultOf: (text: string) => string | undefined): string[] {
	return some.flatMap(({ seed, text }) => {
		try {
			const fault = faultOf(text);
			return fault === undefined ? [] : [`TEST_SEED=${seed}: ${fault}\n${text}`];
		} catch (error) {
			return [`TEST_SEED=${seed}: ${error instanceof Error ? error.stack : error}\n${text}`];
		}
	});
}

test(`${mutations} malformed files are read without throwing, and every marker lies within the file`, () => {
	expect(faultsOf(files, faultOfReading).slice(0, 3)).toEqual([]);
});

test('reading the same file twice gives the same result', () => {
	const some = files.slice(0, mutations / 20);
	const isSame = (text: string) => isDeepStrictEqual(load(text), load(text));
	expect(faultsOf(some, (text) => (isSame(text) ? undefined : 'read otherwise'))).toEqual([]);
});

test('a quick fix for a malformed file changes no value, and never makes a readable file unreadable', () => {
	const some = files.slice(0, mutations / 5);
	const faults = faultsOf(some, (spoiled) => faultOfFixes(spoiled.replace(/^\uFEFF/, '')));
	expect(faults.slice(0, 3)).toEqual([]);
});

test('an edit of a malformed but readable file leaves it readable', () => {
	const faults = faultsOf(files.slice(0, mutations / 20), (text) => {
		const edits = [deferServer(text, 'a'), pinTool(text, 'r', 'x'), deferTool(text, 'files', 'x', ['x'])];
		const after = edits.flatMap((edit) => (edit ? [edited(text, edit)] : []));
		return after.find((one) => !load(one).config);
	});
	expect(faults.slice(0, 3)).toEqual([]);
});
