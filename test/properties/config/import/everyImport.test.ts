import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readForeignServers } from '../../../../src/config/add/readers/json.ts';
import { configTemplate } from '../../../../src/config/assist/templates.ts';
import { convertServers } from '../../../../src/config/import/importedServer.ts';
import { planImport } from '../../../../src/config/import/importPlan.ts';
import type { Product } from '../../../../src/config/import/importSources.ts';
import { runs } from '../../../effort.ts';
import { load, scope } from '../../../unit/config/fixtures.ts';
import { afterImport, sourceOf } from '../../../unit/config/import/fixtures.ts';

const product = fc.constantFrom<Product>('VS Code', 'Claude Code', 'Claude Desktop', 'Cursor', 'Windsurf');
const variable = fc.constantFrom(
	`\${env:TOKEN}`,
	`\${HOME}`,
	`\${PORT:-80}`,
	`\${input:key}`,
	`\${userHome}`,
	`\${/}`,
	`\${`,
	'$',
);
const word = fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), variable, fc.string({ maxLength: 8 }));
const name = fc.oneof(
	fc.constantFrom('a', 'b', 'files', 'a/b', '..', '__proto__', 'constructor', 'search_tools', 'x'.repeat(70)),
	fc.string({ maxLength: 10 }),
);
/** A secret with a recognisable form, so that it is found in any text. */
const secret = fc.stringMatching(/^SEKRIT[0-9a-f]{12}$/);
const secretName = fc.constantFrom('TOKEN', 'API_KEY', 'dbPassword', 'NODE_AUTH_TOKEN', 'X-Api-Key');

const stdio = fc.record({
	command: fc.stringMatching(/^[a-z]{1,6}$/),
	args: fc
		.array(fc.oneof(word, fc.tuple(fc.constantFrom('--api-key=', 'https://u:', 'TOKEN='), secret)), {
			maxLength: 4,
		})
		.map((parts) => parts.map((part) => (typeof part === 'string' ? withoutNul(part) : addressed(part)))),
	env: fc.dictionary(secretName, secret, { maxKeys: 3 }),
});
const remote = fc.record({
	url: fc.oneof(
		fc.constant('https://x.test/mcp'),
		secret.map((value) => `https://x.test/mcp?api_key=${value}`),
		secret.map((value) => `https://ada:${value}@x.test/mcp`),
	),
	headers: fc.dictionary(
		fc.constantFrom('Authorization', 'X-Api-Key'),
		secret.map((value) => `Bearer ${value}`),
		{ maxKeys: 2 },
	),
});
const servers = fc.dictionary(name, fc.oneof(stdio, remote), { maxKeys: 5 });
const files = fc.array(fc.tuple(product, servers), { maxLength: 3 });
const ours = fc.constantFrom(
	undefined,
	'',
	'{}',
	configTemplate,
	'{ "mcpServers": { "a": { "command": "old", "pinned": true }, "b": { "url": "https://old.test" } } }',
	'{\r\n  // none\r\n  "servers": {\r\n  }, // yet\r\n}',
	'\uFEFF{\n\t"mcp_servers": { "x": { "command": "old" }, },\n}',
);

function withoutNul(text: string): string {
	return text.replaceAll('\0', '');
}

function addressed([lead, value]: readonly [string, string]): string {
	return lead.endsWith(':') ? `${lead}${value}@x.test` : lead + value;
}

test('any JSON is read without throwing, and malformed servers do not affect others', () => {
	fc.assert(
		fc.property(product, fc.jsonValue(), fc.dictionary(name, fc.jsonValue()), (from, value, entries) => {
			for (const file of [
				value,
				{ servers: value },
				{ mcpServers: { ...entries, fine: { command: 'x' } }, inputs: value },
			]) {
				const read = readForeignServers(sourceOf(from), JSON.stringify(file));
				const imports = convertServers(read.servers, { env: {}, platform: 'linux' });
				planImport(imports, undefined, scope);
				if (file && typeof file === 'object' && 'mcpServers' in file && 'inputs' in file) {
					expect(imports.map((server) => server.name)).toContain('fine');
				}
			}
		}),
		{ numRuns: runs(25) },
	);
});

test('any text is read without throwing', () => {
	fc.assert(
		fc.property(product, fc.string({ unit: 'binary' }), (from, text) => {
			readForeignServers(sourceOf(from), text);
		}),
	);
});

test('an import adds all new servers, changes no existing one, writes no secret, and adds nothing twice', () => {
	fc.assert(
		fc.property(files, ours, fc.boolean(), (foreign, before, isStored) => {
			const read = foreign.flatMap(([from, entries], index) => {
				const text = JSON.stringify({ mcpServers: entries });
				const file = readForeignServers(sourceOf(from, `/${index}`), text);
				expect(file.servers).toHaveLength(Object.keys(entries).length);
				return file.servers;
			});
			const plan = planImport(convertServers(read, { env: scope.env, platform: 'linux' }), before, scope);
			const after = afterImport(before, plan);
			expect(after).not.toContain('SEKRIT');
			expect(JSON.stringify(plan?.servers.map(({ server, notes }) => [server.entry, notes]))).not.toContain(
				'SEKRIT',
			);

			const stored = Object.fromEntries((plan?.secrets ?? []).map((one) => [one.name, one.value]));
			const env = { PORT: '1', KEY: 'k', KEY_2: 'k2', KEY_3: 'k3', HOME: '/h', ...stored };
			const [old, now] = [load(before || '{}', env).config, load(after, env).config];
			const added = (plan?.servers ?? []).filter(({ state }) => state !== 'present').map((one) => one.name);
			expect([...(now?.policy.servers.keys() ?? [])].toSorted()).toEqual(
				[...(old?.policy.servers.keys() ?? []), ...added].toSorted(),
			);
			for (const one of old?.policy.servers.keys() ?? []) {
				expect(now?.policy.servers.get(one)).toEqual(old?.policy.servers.get(one));
				expect(now?.launches.get(one)).toEqual(old?.launches.get(one));
			}
			for (const one of plan?.servers ?? []) expect(now?.launches.has(one.name), one.name).toBe(true);

			const known = { ...scope, env: { ...scope.env, ...(isStored ? stored : {}) } };
			const again = planImport(convertServers(read, { env: known.env, platform: 'linux' }), after, known);
			expect(again?.servers.every(({ state }) => state === 'present')).toBe(true);
			expect(again?.edits).toEqual([]);
		}),
		{ numRuns: runs(30) },
	);
});
