import { describe, expect, test } from 'vitest';
import { agentList, parseAgent } from '../../../../src/chat/agents/agent.ts';

async function agentIn(text: string, file = '.github/agents/reviewer.agent.md') {
	const parsed = await parseAgent({ file, text });
	if (!parsed.ok) throw new Error(parsed.fault.message);
	return parsed.agent;
}

async function faultOf(text: string, file = '.github/agents/reviewer.agent.md') {
	const parsed = await parseAgent({ file, text });
	return parsed.ok ? undefined : parsed.fault;
}

/** As people write them for VS Code. */
const forVsCode = `---
name: Planner
description: 'Generate an implementation plan for new features'
tools: ['fetch', "github/github-mcp-server/get_issue", io.github.slack/*, search/usages]
model: ['Claude Opus 4.5', 'GPT-5.2']
handoffs:
  - label: Implement Plan
    agent: agent
    prompt: Implement the plan outlined above.
    send: false
---
# Planning instructions

You are in planning mode. Make no code edits.
`;

/** As Claude Code's own generator writes them: the description is no valid YAML. */
const forClaude = `---
name: code-reviewer
description: Use this agent when code was written. Examples: <example>Context: a function. user: "Check it" #1</example>
tools: Read, Grep, Bash(git diff, git log), mcp__slack__send_message
color: green
---

You are a senior reviewer.

---

Be strict.`;

describe('given an agent file', () => {
	test('when it is in the format of VS Code, then every field is parsed', async () => {
		expect(await agentIn(forVsCode)).toEqual({
			name: 'Planner',
			description: 'Generate an implementation plan for new features',
			instructions: '# Planning instructions\n\nYou are in planning mode. Make no code edits.',
			tools: ['fetch', 'github/github-mcp-server/get_issue', 'io.github.slack/*', 'search/usages'],
			disallowedTools: [],
			serverTools: [],
			inheritsActive: true,
			isForModels: true,
			file: '.github/agents/reviewer.agent.md',
		});
	});

	test('when it is in the format of Claude Code, then its description may be invalid YAML', async () => {
		const agent = await agentIn(forClaude, '.claude/agents/code-reviewer.md');
		expect(agent.tools).toEqual(['Read', 'Grep', 'Bash(git diff, git log)', 'mcp__slack__send_message']);
		expect(agent.description).toMatch(/^Use this agent .* Examples: .*user: "Check it" #1<\/example>$/);
		expect(agent.instructions).toBe('You are a senior reviewer.\n\n---\n\nBe strict.');
	});

	test('when it has only instructions, then it is named after the file and may use every tool', async () => {
		expect(await agentIn('Review it.')).toMatchObject({
			name: 'reviewer',
			description: '',
			tools: undefined,
		});
	});

	test.each([
		['\ufeff---\r\nname: A\r\ntools: []\r\n---\r\nDo.\r\n', { name: 'A', tools: [], instructions: 'Do.' }],
		['---\ntools:\n---\nDo.', { name: 'reviewer', tools: [] }],
		['---\ntools:\n  - a/*\n  - "b"\ndisallowedTools: a/x, a/y\n---\nDo.', { tools: ['a/*', 'b'] }],
		['---\nname: on\ndescription: 007\n---\nDo.', { name: 'on', description: '007' }],
		['---\ndescription: >\n  two\n  lines\n---\nDo.', { description: 'two lines' }],
		['---\n---\nDo.', { name: 'reviewer' }],
		['---\ninherit_active_mcp: false\n---\nDo.', { inheritsActive: false }],
		['---\ninherit_active_mcp: True\n---\nDo.', { inheritsActive: true }],
		['---\ndisable-model-invocation: true\n---\nDo.', { isForModels: false }],
		['---\nname: "a\\u200b\\nb\\u202e"\n---\nDo.', { name: 'a b' }],
	])('when its text is %j, then it parses as expected', async (text, expected) => {
		expect(await agentIn(text)).toMatchObject(expected);
	});
});

describe('given a malformed agent file', () => {
	test.each([
		['without an end of its front matter', '---\nname: a\nDo.', 1, 1, /does not end/],
		['that is not YAML', '---\nname: a\ntools: [a, b\n---\nDo.', 3, 13, /not YAML/],
		['behind a description that needs quotes', '---\ndescription: a: b\n- c\n---\nDo.', 3, 1, /not YAML/],
		['with a key twice', '---\nname: a\nmodel: x\nname: b\n---\nDo.', 4, 1, /unique/],
		['of no keys', '---\n- a\n- b\n---\nDo.', 2, 1, /"key: value"/],
		['with tools of another kind', '---\nname: a\ntools: { a: true }\n---\nDo.', 3, 1, /names in a list/],
		['with a tool of another kind', '---\ntools: [a, [b]]\n---\nDo.', 2, 1, /names in a list/],
		['with a name of another kind', '---\nname: [a]\n---\nDo.', 2, 1, /expected a text/],
		['whose name cannot be seen', '---\nname: "\\u200b"\n---\nDo.', 2, 1, /name: expected/],
		[
			'with neither true nor false',
			'---\nname: a\ninherit_active_mcp: sure\n---\nDo.',
			3,
			1,
			/true or false/,
		],
		['without instructions', '---\nname: a\n---\n \n', 1, 1, /instructions are missing/],
		['with a vast front matter', `---\nname: ${'x'.repeat(20_000)}\n---\nDo.`, 1, 1, /at most 16000/],
		[
			'nested beyond measure',
			`---\na: ${'['.repeat(15_000)}\n---\nDo.`,
			undefined,
			undefined,
			/front matter/,
		],
		['with aliases of aliases', `---\na: &a [x]\ntools: [*a, *a]\n---\nDo.`, 3, 1, /names in a list/],
	])('%s reports the line and column of the fault', async (_case, text, line, column, message) => {
		const fault = await faultOf(text);
		expect(fault?.message).toMatch(message);
		expect(fault?.message.length).toBeLessThan(400);
		if (line !== undefined) expect(fault).toMatchObject({ line, column });
	});

	test('when it is a Claude Code agent file without front matter, then that is a fault', async () => {
		expect(await faultOf('# Our agents', '.claude/agents/README.md')).toMatchObject({
			message: expect.stringContaining('front matter is missing'),
		});
	});
});

test('when two agents share a name, then the first is used and the second is reported', async () => {
	const files = ['.github/agents/a.agent.md', '.claude/agents/a.md'];
	const parsed = await Promise.all(
		files.map((file, i) => parseAgent({ file, text: `---\nname: ${i ? 'Helper' : 'helper'}\n---\nDo.` })),
	);
	const { agents, faults } = agentList(parsed);
	expect(agents.map(({ file }) => file)).toEqual(['.github/agents/a.agent.md']);
	expect(faults).toMatchObject([
		{ file: '.claude/agents/a.md', message: expect.stringContaining(files[0] ?? '') },
	]);
});
