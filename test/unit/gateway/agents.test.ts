import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { agents, entryName, entryState, withEntry, withoutEntry } from '../../../src/gateway/agents.ts';

const start = {
	command: '/opt/code/code',
	args: ['/data/gateway.js', '/data/windows'],
	env: { ELECTRON_RUN_AS_NODE: '1' },
};

/** A file of each agent as people have it, with comments and settings of its own. */
const files: Readonly<Record<string, string>> = {
	'Claude Code':
		'{\n  "numStartups": 7,\n  "mcpServers": {\n    "github": { "type": "http", "url": "https://example.test" }\n  },\n  "projects": {}\n}\n',
	Codex:
		'model = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "npx" # kept\n\n[projects."/home/ada"]\ntrust_level = "trusted"\n',
	Cursor: '{ "mcpServers": {} }',
	'Gemini CLI': '{\n\t"theme": "dark"\n}\n',
	opencode: '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {}\n}\n',
	'Copilot CLI': '',
};

describe.each(agents)('given the file of $product', (agent) => {
	const text = files[agent.product] ?? '';

	test('when the entry is written and removed, then it is there once, and all else is as before', () => {
		const written = withEntry(agent, text, start);
		expect(entryState(agent, text, start)).toBe('none');
		expect(entryState(agent, written, start)).toBe('same');
		expect(entryState(agent, written, { ...start, command: '/elsewhere' })).toBe('other');
		expect(withEntry(agent, written, start).match(new RegExp(`\\b${entryName}\\b`, 'g'))?.length).toBe(
			written.match(new RegExp(`\\b${entryName}\\b`, 'g'))?.length,
		);
		const removed = withoutEntry(agent, written);
		expect(entryState(agent, removed, start)).toBe('none');
		for (const line of text.split('\n').filter((one) => /\w/.test(one) && one.length > 25))
			expect(removed).toContain(line.trim().replace(/,$/, ''));
		expect(removed).not.toContain(start.command);
	});

	test('when the file is malformed, then it is not touched', () => {
		expect(() => withEntry(agent, '{ "a": [', start)).toThrow(SyntaxError);
	});
});

test('given a Codex file with an entry of ours before others, when it is removed, then the others stay', () => {
	const codex = agents.find(({ product }) => product === 'Codex');
	if (!codex) throw new Error('no Codex');
	const text = `${withEntry(codex, 'a = 1\n', start)}\n[profiles.x]\nmodel = "o"\n`;
	expect(parseToml(withoutEntry(codex, text))).toEqual({ a: 1, profiles: { x: { model: 'o' } } });
});
