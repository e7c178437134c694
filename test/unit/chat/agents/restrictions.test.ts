import { describe, expect, test } from 'vitest';
import { parseAgent } from '../../../../src/chat/agents/agent.ts';
import { agentTools, callableAgents } from '../../../../src/chat/agents/agentTools.ts';
import { ids, office, servers, surfaceOf } from '../../discovery/fixtures.ts';
import { agent } from './agents.ts';

const surface = surfaceOf([...office, ...servers({ 'my.files': ['read_text'] })]);
const everything = ids(surface.tools);
const calendar = everything.filter((id) => id.startsWith('calendar:'));
const slack = everything.filter((id) => id.startsWith('slack:'));
const notSlack = everything.filter((id) => !slack.includes(id));

/** The tools of an agent with this front matter, or why there is no agent. */
async function toolsOf(text: string, file = 'a.agent.md'): Promise<readonly string[] | string> {
	const parsed = await parseAgent({ file, text });
	if (!parsed.ok) return parsed.fault.message;
	return ids(agentTools(parsed.agent, surface).permitted);
}

const withHeader = (header: string) => `---\n${header}\n---\nDo.`;

describe('a restriction in the front matter holds', () => {
	test.each<[string, readonly string[]]>([
		['tools: [calendar/*]', calendar],
		['Tools: [calendar/*]', calendar],
		['TOOLS: calendar', calendar],
		['"tools": ["calendar"]', calendar],
		["'tools ': 'calendar'", calendar],
		['ｔｏｏｌｓ: calendar', calendar],
		['? tools\n: - calendar', calendar],
		['{ name: a, tools: [calendar] }', calendar],
		['tools: &list [calendar]', calendar],
		['tools: !!seq [calendar]', calendar],
		['tools:\n- "calendar/*"\n-   ', calendar],
		['tools: calendar/*, ', calendar],
		['description: a: b\nTools: calendar', calendar],
		['tools: []', []],
		['tools:', []],
		['tools: ""', []],
		['tools: null', []],
		['tools: ~', []],
		['tools: [""]', []],
		['tools: none', []],
		['tools: [Read, Grep, nosuch/*]', []],
		['tools: [Calendar]', []],
		['tools: all', []],
		['tools: calendar slack', []],
		['tools: "*"', everything],
		["tools: ['*']", everything],
		['tools: ["*"]\ndisallowedTools: slack', notSlack],
		['disallowedTools: slack', notSlack],
		['disallowed-tools: slack', notSlack],
		['disallowed_tools: [slack/*]', notSlack],
		['DisallowedTools: "mcp__slack"', notSlack],
		['disallowedTools: [Slack]', notSlack],
		['disallowedTools: SLACK/*', notSlack],
		['disallowedTools: [Send-Message, list channels, slack__search]', notSlack],
		['disallowedTools: mcp__Slack__*', notSlack],
		['disallowedTools: mcp__plugin_slack_slack__*', notSlack],
		['disallowedTools: [sla, send, "(", "-"]', everything],
		['disallowedTools: "*"', []],
		['disallowedTools: []', everything],
		['disallowedTools:', everything],
		['disallowedTools: [Bash, Write]', everything],
		// https://github.com/github/awesome-copilot/blob/main/agents/octopus-deploy-release-notes-mcp.agent.md
		[
			'mcp-servers:\n  calendar:\n    type: local\n    tools:\n    - search',
			[...slack, 'calendar:search', 'my.files:read_text'],
		],
		// https://github.com/github/awesome-copilot/blob/main/agents/scientific-paper-research.agent.md
		['tools: [read, calendar/*]\nmcp-servers:\n  Calendar:\n    tools: ["search"]', ['calendar:search']],
		['tools: [calendar]\nmcp-servers:\n  slack:\n    tools: ["*"]', calendar],
		['mcpServers:\n  calendar:\n    command: x\n    env: { ALLOWED_PATHS: /srv }', everything],
		['name: a', everything],
	])('%j', async (header, tools) => {
		expect(await toolsOf(withHeader(header))).toEqual(tools);
	});
});

describe('a restriction that cannot be read stops the agent, with a sentence that names it', () => {
	test.each<[string, RegExp]>([
		['<<: { tools: [calendar] }', /"<<"/],
		['base: &b\n  tools: [calendar]\n<<: *b', /"tools" inside "base"/],
		['a: &b [calendar]\ntools: *b', /^tools: expected/],
		['tools: [*b]', /^tools: expected/],
		['? [tools]\n: calendar', /key/],
		['tools: { calendar: true }', /^tools: expected/],
		['tools:\n  calendar: true\n  write: false', /^tools: expected/],
		['tools: [[calendar]]', /^tools: expected/],
		['tools: [{ name: calendar }]', /^tools: expected/],
		['tools: [calendar', /not YAML/],
		['tools: [calendar]]', /not YAML/],
		['tools: calendar\nTools: slack', /twice/],
		['disallowedTools: slack\ndisallowed-tools: calendar', /twice/],
		['tools: a\ntools: b', /unique/],
		['tool: calendar', /"tool"/],
		['tols: calendar', /"tols"/],
		['toosl: calendar', /"toosl"/],
		['tооls: calendar', /"tооls"/],
		['allowed-tools: calendar', /"allowed-tools"/],
		['allowedTools: [calendar]', /"allowedTools"/],
		['denied_tools: slack', /"denied_tools"/],
		['excludeTools: slack', /"excludeTools"/],
		['tool-set: reading', /"tool-set"/],
		['deny: [slack]', /"deny"/],
		['except: slack', /"except"/],
		['blocked: slack', /"blocked"/],
		['readonly: true', /"readonly"/],
		['read-only: true', /"read-only"/],
		['permissions:\n  slack: deny', /"permissions"/],
		['permission: { edit: deny }', /"permission"/],
		['scope: calendar', /"scope"/],
		['servers: [calendar]', /"servers"/],
		['disabled: true', /"disabled"/],
		['permissionMode: plan', /permissionMode/],
		['permission-mode: dontAsk', /permissionMode/],
		['mcpServers: [calendar]', /mcpServers/],
		['mcpServers: calendar, slack', /mcpServers/],
		['mcp-servers:\n  calendar:\n    tools: { search: true }', /^tools: expected/],
		[
			'mcp-servers:\n  calendar:\n    exclude_tools: [search]',
			/"exclude_tools" inside "mcp-servers.calendar"/,
		],
		['hooks:\n  PreToolUse:\n    - matcher: "*"', /"PreToolUse" inside "hooks"/],
		['metadata:\n  tools: [calendar]', /"tools" inside "metadata"/],
		['maxTurns: few', /maxTurns: expected/],
		['agents: { a: true }', /agents: expected/],
		['infer: maybe', /true or false/],
	])('%j', async (header, message) => {
		const said = await toolsOf(withHeader(header));
		expect(said).toEqual(expect.stringMatching(message));
		expect(said).toMatch(/^[^\n]{10,400}\.$/);
	});

	test.each([
		['below an empty line', '\n---\ntools: [calendar]\n---\nDo.'],
		['below a comment', '<!-- mine -->\n---\ntools: [calendar]\n---\nDo.'],
		['in TOML', '+++\n"tools" : ["calendar"]\n+++\nDo.'],
		['below a longer fence', '----\ntools: [calendar]\n----\nDo.'],
	])('front matter %s', async (_, text) => {
		expect(await toolsOf(text)).toMatch(/front matter/);
	});
});

describe('what restricts nothing here does not stop the agent', () => {
	test.each([
		'model: opus\ncolor: red\neffort: high\nskills: [a]\nmemory: project\nbackground: true\nisolation: worktree',
		'argument-hint: a file\ntarget: vscode\nuser-invocable: false\nhandoffs:\n  - label: Go\n    agent: agent\n    prompt: Go on.',
		'permissionMode: acceptEdits\nhooks:\n  PostToolUse:\n    - matcher: Edit\n      hooks: [{ type: command, command: lint }]',
		'version: 1\nauthor: me\ntags: [a, b]\ncategory: review\nlicense: MIT',
		'description: Use the tools: search and read.',
		'# tools: [calendar]\nname: a',
	])('%j', async (header) => {
		expect(await toolsOf(withHeader(header))).toEqual(everything);
	});

	test.each([
		'You review.\n\nTools: use as few as you can.\n',
		`${withHeader('name: a')}\nTools: use few.`,
		'---\nname: a\n---\nTools: use as few as you can.',
		'---\nname: a\n---\n```yaml\ntools: [calendar]\n```\nWrite it like this.',
	])('prose about tools does not: %j', async (text) => {
		expect(await toolsOf(text)).toEqual(everything);
	});
});

test.each<[string, Partial<Parameters<typeof agent>[1] & object>, readonly string[]]>([
	['no list', {}, ['planner', 'Reviewer']],
	['a list with everything', { tools: ['*'] }, ['planner', 'Reviewer']],
	['a list with agents', { tools: ['slack/*', 'agent'] }, ['planner', 'Reviewer']],
	['a list without', { tools: ['slack/*'] }, []],
	['an empty list', { tools: [] }, []],
	['a list with one agent', { tools: ['Task(reviewer)'] }, ['Reviewer']],
	['a list with two', { tools: ['Agent(reviewer, planner)'] }, ['planner', 'Reviewer']],
	['a list with an unknown agent', { tools: ['Task(nobody)'] }, []],
	['agents that are forbidden', { disallowedTools: ['Task'] }, []],
	['one that is forbidden', { disallowedTools: ['Agent(planner)'] }, ['Reviewer']],
	['a list of agents', { agents: ['reviewer'] }, ['Reviewer']],
	['a list of all', { agents: ['*'] }, ['planner', 'Reviewer']],
	['a list of none', { agents: [] }, []],
	['a list of agents, and none among its tools', { tools: ['slack'], agents: ['reviewer'] }, []],
])('an agent with %s may call no other agents than it says', (_, lists, names) => {
	const all = [agent('planner'), agent('Reviewer')];
	expect(callableAgents(agent('a', lists), all).map(({ name }) => name)).toEqual(names);
});

test.each([
	['infer: false', { isForModels: false }],
	['Disable-Model-Invocation: TRUE', { isForModels: false }],
	['disableModelInvocation: false\ninfer: true', { isForModels: true }],
	['maxTurns: 3', { maxTurns: 3 }],
	['agents: []', { agents: [] }],
])('%j', async (header, expected) => {
	const parsed = await parseAgent({ file: 'a.agent.md', text: withHeader(header) });
	expect(parsed).toMatchObject({ ok: true, agent: expected });
});
