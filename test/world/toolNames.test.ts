import { describe, expect, test } from 'vitest';
import { servers, surfaceOf } from '../unit/discovery/fixtures.ts';

/** How models and other programs write the name of a tool. `from`: where it was seen. */
interface Row {
	readonly written: string;
	readonly means: string | 'unknown' | 'several';
	readonly from: string;
}

const surface = surfaceOf(
	servers({
		github: ['create_issue', 'list_issues'],
		'unreal-mcp': ['list_toolsets'],
		'obsidian-graph': ['vault_read'],
		codegraph: ['codegraph_explore'],
		my__server: ['do_thing'],
		APE: ['search'],
		'google-workspace': ['calendar.updateEvent'],
		Demo: ['Better Adder'],
		linear: ['search_files'],
		notes: ['search_files'],
		a: ['b_c'],
		a_b: ['c'],
	}),
);

const rows: readonly Row[] = [
	{ written: 'mcp__github__create_issue', means: 'github:create_issue', from: 'anomalyco/opencode#33533' },
	{ written: 'github_create_issue', means: 'github:create_issue', from: 'anomalyco/opencode#33533' },
	{ written: 'github.create_issue', means: 'github:create_issue', from: 'gptme/gptme#2358' },
	{ written: 'github:create_issue', means: 'github:create_issue', from: 'nolabs-ai/AgentUp#208' },
	{
		written: 'github/create_issue',
		means: 'github:create_issue',
		from: 'microsoft/vscode-docs: docs/copilot/customization/custom-agents.md',
	},
	{
		written: 'functions.github__create_issue',
		means: 'github:create_issue',
		from: 'craft-ai-agents/craft-agents-oss#449',
	},
	{
		written: 'functions.github__create_issue:0',
		means: 'github:create_issue',
		from: 'sgl-project/sglang#21377',
	},
	{
		written: 'default_api:github__create_issue',
		means: 'github:create_issue',
		from: 'UKGovernmentBEIS/inspect_ai#2990',
	},
	{
		written: 'default_api.github__create_issue',
		means: 'github:create_issue',
		from: 'mozilla-ai/any-llm#1202',
	},
	{ written: 'mcp--github--create_issue', means: 'github:create_issue', from: 'Zoo-Code-Org/Zoo-Code#1731' },
	{
		written: 'mcp__unreal_mcp__list_toolsets',
		means: 'unreal-mcp:list_toolsets',
		from: 'anthropics/claude-code#80065',
	},
	{
		written: 'mcp__unreal-mcp__list_toolsets',
		means: 'unreal-mcp:list_toolsets',
		from: 'anthropics/claude-code#80065',
	},
	{
		written: 'mcp__obsidian_graph__vault_read',
		means: 'obsidian-graph:vault_read',
		from: 'NousResearch/hermes-agent#82876',
	},
	{ written: 'mcp--my__server--do_thing', means: 'my__server:do_thing', from: 'Zoo-Code-Org/Zoo-Code#1731' },
	{ written: 'mcp_APE_search', means: 'APE:search', from: 'NousResearch/hermes-agent#21696' },
	{ written: 'APE_search', means: 'APE:search', from: 'NousResearch/hermes-agent#21696' },
	{
		written: 'codegraph_codegraph_explore',
		means: 'codegraph:codegraph_explore',
		from: 'colbymchenry/codegraph#1267',
	},
	{ written: 'codegraph_explore', means: 'codegraph:codegraph_explore', from: 'colbymchenry/codegraph#1267' },
	{
		written: 'mcp__google-workspace__calendar_updateEvent',
		means: 'google-workspace:calendar.updateEvent',
		from: 'openai/codex#8174',
	},
	{ written: 'Better_Adder', means: 'Demo:Better Adder', from: 'microsoft/vscode#244995' },
	{ written: 'mcp__Demo__Better_Adder', means: 'Demo:Better Adder', from: 'microsoft/vscode#244995' },
	{
		written: 'github__create_issue<|channel|>commentary',
		means: 'github:create_issue',
		from: 'vllm-project/vllm#32587',
	},
	{
		written: 'functions.github__create_issue<|channel|>json',
		means: 'github:create_issue',
		from: 'vllm-project/vllm#35906',
	},
	{
		written: '@github/create_issue',
		means: 'github:create_issue',
		from: 'https://kiro.dev/docs/cli/custom-agents/configuration-reference',
	},
	{
		written: 'mcp__claude_ai_GitHub__create_issue',
		means: 'github:create_issue',
		from: 'anthropics/claude-code#59325',
	},
	{
		written: 'mcp__plugin_git-tools_github__create_issue',
		means: 'github:create_issue',
		from: 'anthropics/claude-code#59325',
	},
	{
		written: 'mcp_google-worksp_calendar.updateEvent',
		means: 'google-workspace:calendar.updateEvent',
		from: 'microsoft/vscode#249929',
	},
	{ written: 'mcp0_create_issue', means: 'github:create_issue', from: 'DannyMac180/mcp-think-tool#2' },
	{ written: 'createIssue', means: 'github:create_issue', from: 'NousResearch/hermes-agent#61336' },
	{ written: 'github.createIssue', means: 'github:create_issue', from: 'NousResearch/hermes-agent#61336' },
	// What is not clear leads nowhere.
	{ written: 'slack.createIssue', means: 'unknown', from: 'gptme/gptme#2358' },
	{ written: 'search_files', means: 'several', from: 'odysseus-dev/odysseus#5202' },
	{ written: 'mcp__slack__create_issue', means: 'unknown', from: 'odysseus-dev/odysseus#5202' },
	{ written: 'slack.create_issue', means: 'unknown', from: 'gptme/gptme#2358' },
	{ written: 'a.b_c', means: 'a:b_c', from: 'Zoo-Code-Org/Zoo-Code#1731' },
	{ written: 'a_b.c', means: 'a_b:c', from: 'Zoo-Code-Org/Zoo-Code#1731' },
	{ written: 'mcp-a-b-c', means: 'several', from: 'Zoo-Code-Org/Zoo-Code#1731' },
];

describe('names of tools in the spelling of other programs', () => {
	test.each(rows)('$written means $means ($from)', ({ written, means }) => {
		const resolution = surface.names.resolve(written);
		const found = resolution.kind === 'found' ? resolution.tool.id : resolution.kind;
		expect(found).toBe(means === 'several' ? 'ambiguous' : means);
	});
});
