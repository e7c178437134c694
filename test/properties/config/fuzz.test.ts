import { isDeepStrictEqual } from 'node:util';
import { applyEdits } from 'jsonc-parser';
import { expect, test } from 'vitest';
import type { Config, ConfigProblem, Position } from '../../../src/config/config.ts';
import { deferServer, deferTool, pinTool } from '../../../src/config/edit.ts';
import { fixesFor } from '../../../src/config/fixes/fixes.ts';
import { configTemplate } from '../../../src/config/template.ts';
import { edited, load, scope } from '../../unit/config/fixtures.ts';
import { mutated, randomFrom } from './mutation.ts';

const mutations = 10_000;
/** Another run: `FUZZ_SEED=1234`. A failure says with which seed its file is made again. */
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

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

/** Every file with its seed; made once for all tests. */
const files = Array.from({ length: mutations }, (_, index) => {
	const random = randomFrom(firstSeed + index);
	return { seed: firstSeed + index, text: mutated(valid[Math.floor(random() * valid.length)] ?? '', random) };
});

/** What is wrong with the reading of a file, or nothing. */
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

/** Whether a file is read otherwise the second time. */
function isErratic(text: string): boolean {
	const [once, again] = [load(text), load(text)];
	return !isDeepStrictEqual(once, again);
}

function isPolluted({ launches, clients, models, toolsets, policy }: Config): boolean {
	const own = [...launches.values(), ...clients.values(), ...models.values(), ...toolsets.values(), policy];
	return (
		'polluted' in {} ||
		own.some((value) => 'polluted' in value || Object.getPrototypeOf(value) !== Object.prototype)
	);
}

/** What is wrong with the fixes that are offered for a file, or nothing. */
function faultOfFixes(text: string, problem: ConfigProblem, isReadable: boolean): string | undefined {
	for (const fix of fixesFor(text, problem, scope.env)) {
		if (!('edits' in fix)) continue;
		const after = applyEdits(text, [...fix.edits]);
		if (isReadable && !load(after).config)
			return `"${fix.title}" leaves a file that cannot be read: ${after}`;
	}
	return undefined;
}

/** Faults of files, each with what makes its file again. */
function faultsOf(some: typeof files, faultOf: (text: string) => string | undefined): string[] {
	return some.flatMap(({ seed, text }) => {
		try {
			const fault = faultOf(text);
			return fault === undefined ? [] : [`FUZZ_SEED=${seed}: ${fault}\n${text}`];
		} catch (error) {
			return [`FUZZ_SEED=${seed}: ${error instanceof Error ? error.stack : error}\n${text}`];
		}
	});
}

test(`${mutations} spoiled files are read without a throw, with every mark inside of them`, () => {
	expect(faultsOf(files, faultOfReading).slice(0, 3)).toEqual([]);
});

test('the same file is read the same each time', () => {
	const some = files.slice(0, mutations / 20);
	expect(faultsOf(some, (text) => (isErratic(text) ? 'read otherwise' : undefined))).toEqual([]);
});

test('whatever fix is offered for a spoiled file, one that can be read can be read after it', () => {
	const faults = faultsOf(files.slice(0, mutations / 5), (spoiled) => {
		const text = spoiled.replace(/^\uFEFF/, '');
		const { config, problems } = load(text);
		return problems
			.map((problem) => faultOfFixes(text, problem, config !== undefined))
			.find((one) => one !== undefined);
	});
	expect(faults.slice(0, 3)).toEqual([]);
});

test('an edit of a spoiled file that can still be read leaves one that can be read', () => {
	const faults = faultsOf(files.slice(0, mutations / 20), (text) => {
		const edits = [deferServer(text, 'a'), pinTool(text, 'r', 'x'), deferTool(text, 'files', 'x', ['x'])];
		const after = edits.flatMap((edit) => (edit ? [edited(text, edit)] : []));
		return after.find((one) => !load(one).config);
	});
	expect(faults.slice(0, 3)).toEqual([]);
});
