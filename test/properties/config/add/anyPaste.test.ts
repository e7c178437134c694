import fc from 'fast-check';
import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { readPasted } from '../../../../src/config/add/pasted.ts';
import { planAddition, proposalOf, withPlacesAsInputs } from '../../../../src/config/add/proposal.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { runs, seed } from '../../../effort.ts';
import { expectLinear } from '../../../linear.ts';

const scope = { file: '', workspaceFolder: '/work', env: { HOME: '/home/ada' } };

/** Pieces of texts about servers, and pieces that break them, a line each. */
const pieces = [
	...`npx |uvx |docker run |-e |-it |claude mcp add |-- |env |--header |&& |; |@a/b@1 |/path/to/x|C:\\x`.split(
		'|',
	),
	...`"|'|\\|^|#|<|>|<your-key> |$|\${|}|\${input:x}|\${env:Y}|$(|%A%|{|[|]|:|,| |//|/*|__proto__`.split('|'),
	...`"mcpServers":{|"servers":{|"a":{"command":"x"|"url":"https://|"args":[|"env":{"K":"`.split('|'),
	...`https://a.example.com/mcp|vscode:mcp/install?|cursor://x/mcp/install?config=|%7B%22`.split('|'),
	...['export A=b\n', '`', '```\n', '\n```json\n', '\\\n', '| ', '\u202e', '\u200b', 'é😀'],
];

const anyText = fc
	.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14, size: 'max' })
	.map((some) => some.join(''));

describe('given any pasted text', () => {
	test('then nothing throws, and each server found can be written and read back as it was shown', () => {
		const texts = fc.sample(anyText, { numRuns: runs(1_000), seed });
		let found = 0;
		for (const text of texts) {
			for (const server of readPasted(text).servers) {
				found++;
				const proposal = proposalOf([withPlacesAsInputs(server)], { scope, platform: 'linux' });
				const answers = new Map([...proposal.questions.keys()].map((key) => [key, 'given']));
				const plan = planAddition(proposal, answers, undefined, { scope, platform: 'linux' });
				const [planned] = plan?.servers ?? [];
				if (!plan || !planned) throw new Error(text);
				const file = applyEdits('', [...plan.edits]);
				const written = JSON.parse(file).servers;
				expect(Object.keys(written), text).toEqual([planned.name]);
				expect(written[planned.name], text).toEqual(planned.server.entry);
				// Reading may find faults, which the review shows; it never throws.
				const secrets = Object.fromEntries(plan.secrets.map(({ name, value }) => [name, value]));
				expect(loadConfig(file, { ...scope, secrets }).config, text).toBeDefined();
			}
		}
		expect(found).toBeGreaterThan(texts.length / 40);
	});

	test.each([
		['', '"a":{', ''],
		['', '```\n', ''],
		['', '`x`\n~~~\n', ''],
		['', 'npx a\n', ''],
		['', 'npx "', ''],
		['', "$'", ''],
		['', '<a', ''],
		['', '(', ''],
		['', '\\', ''],
		['', '[x](https://a.example.com/', ''],
		['', 'https://a#', ''],
		['', '{"a":', ''],
		['', 'A=b ', ''],
		['', 'docker run -e ', ''],
		['npx x', ' ', 'y'],
		['npx x', '\t', 'y'],
		['npx x ', ' \t', '\\'],
		['[', ' ', 'x'],
		['"', ' ', 'x'],
		['npx', '\n', 'y'],
		['npx', '\r\n', 'y'],
		['npx ', '\\', ''],
		['npx ', '"', ''],
		['{"servers":{"a":{"command":"x","args":', '[', ''],
		['', 'https://vscode.dev/redirect?url=', 'x'],
	])('reading %j, many %j and %j takes time in proportion to the length', (before, part, after) => {
		expectLinear(part, (many) => readPasted(`${before}${many}${after}`));
	});
});
