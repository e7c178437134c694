import fc from 'fast-check';
import { stringify as toToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { stringify as toYaml } from 'yaml';
import { isRecord } from '../../../../src/common/json.ts';
import { readPasted } from '../../../../src/config/add/pasted.ts';
import { readForeignServers } from '../../../../src/config/add/readers/json.ts';
import type { Drafts } from '../../../../src/config/add/serverDraft.ts';
import { runs } from '../../../effort.ts';

/** Names that no text of ours contains by chance. */
const names = fc.uniqueArray(
	fc.stringMatching(/^[a-z]{3,8}[-_. ]?[0-9]{3}$/).map((name) => `q${name}`),
	{ minLength: 1, maxLength: 4 },
);

const words = fc.constantFrom('npx', '-y', 'notes-mcp', '--root', '/srv', `\${HOME}`, '$(pass x)', 'é');
const odd = fc.oneof(
	fc.constantFrom(true, 7, '', 'x'),
	fc.array(words, { maxLength: 2 }),
	fc.record({ x: fc.constantFrom(1, 'y') }),
);
const junk = fc.dictionary(fc.stringMatching(/^z[a-z]{2,6}$/), odd, { maxKeys: 2 });
const pairs = fc.dictionary(fc.stringMatching(/^[A-Z]{2,5}$/), fc.oneof(words, odd), { maxKeys: 2 });
const more = fc.record(
	{
		args: fc.oneof({ weight: 4, arbitrary: fc.array(words, { maxLength: 3 }) }, odd),
		env: fc.oneof(pairs, odd),
		environment: pairs,
		headers: fc.oneof(pairs, odd),
		type: fc.constantFrom('stdio', 'http', 'sse', 'local', 'remote', 'builtin', 'odd'),
		disabled: fc.oneof(fc.boolean(), odd),
		tools: odd,
		cwd: odd,
	},
	{ requiredKeys: [] },
);
const start = fc.oneof(
	fc.record({ command: fc.constantFrom('npx', 'npx -y notes-mcp', 'docker', '/opt/x', 'cmd', '') }),
	fc.record({ command: fc.array(words, { minLength: 1, maxLength: 3 }) }),
	fc.record({ cmd: fc.constantFrom('uvx') }),
	fc.record({ command: odd }),
	fc.record({ url: fc.constantFrom('https://n.example/mcp', 'n.example', 'https://n.example/sse') }),
	fc.record({ serverUrl: odd }),
	fc.constant({}),
);
const entry = fc.oneof(
	{ weight: 8, arbitrary: fc.tuple(start, more, junk).map((parts) => Object.assign({}, ...parts)) },
	{ weight: 1, arbitrary: odd },
);

/** How programs list their servers. The first entry is always one, so that the file is known to list servers. */
const shapes: readonly ((entries: readonly (readonly [string, unknown])[]) => object)[] = [
	(entries) => ({ mcpServers: Object.fromEntries(entries) }),
	(entries) => ({ servers: Object.fromEntries(entries), inputs: [] }),
	(entries) => ({ mcp_servers: Object.fromEntries(entries), model: 'x' }),
	(entries) => ({ context_servers: Object.fromEntries(entries) }),
	(entries) => ({ 'amp.mcpServers': Object.fromEntries(entries) }),
	(entries) => ({ mcp: { servers: Object.fromEntries(entries) } }),
	(entries) => ({ mcp: Object.fromEntries(entries) }),
	(entries) => ({ extensions: Object.fromEntries(entries) }),
	(entries) => ({ projects: { '/home/ada/p': { mcpServers: Object.fromEntries(entries) } } }),
	(entries) => ({ mcpServers: entries.map(([name, one]) => ({ ...Object(one), name })) }),
	(entries) => ({ mcp_servers: entries.map(([name, one]) => ({ ...Object(one), name })) }),
	(entries) => ({ mcp: { stdio_servers: entries.map(([name, one]) => ({ ...Object(one), name })) } }),
	// Without a key for servers, what is no object is another setting.
	(entries) => Object.fromEntries(entries.filter(([, one]) => isRecord(one))),
];

const formats: readonly ((value: object) => string)[] = [
	(value) => JSON.stringify(value),
	(value) => JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n'),
	(value) =>
		`\uFEFF// written by hand\n${JSON.stringify(value, undefined, 2).replace(/([}\]"])\n(\s*)([}\]])/g, '$1, // last\n$2$3')}`,
	(value) => toToml(value as Parameters<typeof toToml>[0]),
	(value) => `# ours\r\n${toToml(value as Parameters<typeof toToml>[0]).replaceAll('\n', '\r\n')}`,
	(value) => toYaml(value),
	(value) => `---\n${toYaml(value)}`,
];

function unnamed(read: Drafts, written: readonly string[]): readonly string[] {
	const told = [...read.faults, ...read.servers.map(({ name }) => name)].join('\n');
	return written.filter((name) => !told.includes(name));
}

test('every named entry becomes a server, or is named in a fault, whatever the format', () => {
	const first = fc.constant({ command: 'npx', args: ['-y', 'first-mcp'] });
	const file = names.chain((list) =>
		fc.tuple(
			fc.constant(list),
			fc.tuple(...list.map((_, index) => (index === 0 ? first : entry))),
			fc.constantFrom(...shapes),
			fc.constantFrom(...formats),
		),
	);
	fc.assert(
		fc.property(file, ([list, entries, shape, format]) => {
			const text = format(shape(list.map((name, index) => [name, entries[index]] as const)));
			const written = list.filter((name) => text.includes(name));
			expect(unnamed(readForeignServers({ path: '/home/ada/x' }, text), written), text).toEqual([]);
			expect(unnamed(readPasted(text), written), text).toEqual([]);
		}),
		{ numRuns: runs(400) },
	);
});
