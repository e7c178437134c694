import * as l10n from '@vscode/l10n';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { runAgentName } from '../../discovery/catalog/syntheticTool.ts';
import type { Agent, AgentFault, AgentList } from '../agents/agent.ts';
import { agentTools } from '../agents/agentTools.ts';
import { agentCount, toolCount, wholeNumber } from '../counts.ts';
import { codeList, type SlashCommandContext } from './namedTools.ts';

/** Characters of a description in the list. */
const descriptionLimit = 300;

const enabledKey = code('tool_discovery.enabled');

const example = `---
name: reviewer
description: Reviews a change and lists what is wrong with it
tools: ["git/*", "files/read_text_file"]
---
You review changes. Read what has changed, then list faults with file and line, the worst first.
`;

/** `/agents`: the agents of the workspace with the tools that they may use, and the faults in their files. */
export async function agents(_args: string, context: SlashCommandContext): Promise<string> {
	const list = await context.agents();
	if (list.agents.length + list.faults.length === 0) return noAgents();
	return [
		...(list.agents.length > 0
			? [heading(list, context), ...list.agents.map((agent) => section(agent, context))]
			: []),
		...faults(list.faults),
	].join('\n\n');
}

function heading({ agents: all }: AgentList, { session }: SlashCommandContext): string {
	const title = l10n.t('{0} in this workspace.', `**${agentCount(all.length)}**`);
	const how = session.surface.policy.enabled
		? l10n.t('Models give them tasks with {0}. Ask for an agent by name.', code(runAgentName))
		: l10n.t('Discovery is off, so models do not know about them. Set {0} to {1}.', enabledKey, code('true'));
	return `${title} ${how}`;
}

function section(agent: Agent, { session }: SlashCommandContext): string {
	const { permitted, unknown } = agentTools(agent, session.surface);
	const text = plain(agent.description, descriptionLimit);
	const start = agent.inheritsActive
		? l10n.t('starts with the tools loaded in this chat')
		: l10n.t('starts with no tools loaded');
	const facts = [
		code(agent.file),
		l10n.t('{0} of {1}', wholeNumber(permitted.length), toolCount(session.surface.tools.length)),
		start,
		...(agent.isForModels ? [] : [l10n.t('not offered to models ({0})', code('disable-model-invocation'))]),
	];
	return [
		`**${plain(agent.name)}**${text ? ` — ${text}` : ''}`,
		`- ${facts.join(', ')}`,
		...(unknown.length > 0 ? [`- ${l10n.t('Unknown tools: {0}', codeList(unknown))}`] : []),
	].join('\n');
}

function faults(all: readonly AgentFault[]): string[] {
	if (all.length === 0) return [];
	const lines = all.map(
		({ file, line, message }) => `- ${l10n.t('{0}, line {1}: {2}', code(file), line, plain(message, 400))}`,
	);
	return [[l10n.t('Left out:'), '', ...lines].join('\n')];
}

function noAgents(): string {
	return [
		l10n.t(
			'This workspace has no agents. An agent is a Markdown file in {0} or in {1}, such as {2}:',
			`${code('.github/agents')} (${code('NAME.agent.md')})`,
			`${code('.claude/agents')} (${code('NAME.md')})`,
			code('.github/agents/reviewer.agent.md'),
		),
		codeBlock(example, 'markdown'),
	].join('\n\n');
}
