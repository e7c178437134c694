import { code, codeBlock, plain } from '../../discovery/markdown.ts';
import type { Agent, AgentFault, AgentList } from '../agents/agent.ts';
import { runAgentName } from '../agents/agentDefinition.ts';
import { agentTools } from '../agents/agentTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** Characters of a description in the list, and entries of a list of tools that are named. */
const descriptionLimit = 300;
const namedEntries = 20;

const example = `---
name: reviewer
description: Reviews a change and lists what is wrong with it
tools: ["git/*", "files/read_text_file"]
---
You review changes. Read what has changed, then list faults with file and line, the worst first.
`;

/** `/agents`: the agents of the workspace with what their lists of tools come to, and what is wrong with their files. */
export async function agents(_args: string, context: SlashCommandContext): Promise<string> {
	const list = await context.agents();
	if (list.agents.length + list.faults.length === 0) return noAgents();
	return [
		...(list.agents.length > 0 ? [heading(list, context), ...list.agents.map(section(context))] : []),
		...faults(list.faults),
	].join('\n\n');
}

function heading({ agents: all }: AgentList, { session }: SlashCommandContext): string {
	const what = `**${counted(all.length, 'agent')}** in this workspace`;
	return session.surface.policy.enabled
		? `${what}. A model gives them tasks with ${code(runAgentName)}; ask for one by its name.`
		: `${what}. Discovery is off, so no model is told of them: set \`tool_discovery.enabled\` to \`true\`.`;
}

function section({ session }: SlashCommandContext): (agent: Agent) => string {
	return (agent) => {
		const { permitted, unknown } = agentTools(agent, session.surface);
		const text = plain(agent.description, descriptionLimit);
		const start = agent.inheritsActive
			? 'begins with what this chat has loaded'
			: 'begins with nothing loaded';
		const facts = [
			code(agent.file),
			`${permitted.length} of ${counted(session.surface.tools.length, 'tool')}`,
			start,
			...(agent.isForModels ? [] : ['not offered to models (`disable-model-invocation`)']),
		];
		return [
			`**${plain(agent.name)}**${text ? ` — ${text}` : ''}`,
			`- ${facts.join(', ')}`,
			...(unknown.length > 0 ? [`- No tool here goes by: ${listed(unknown)}`] : []),
		].join('\n');
	};
}

function listed(entries: readonly string[]): string {
	const names = entries.slice(0, namedEntries).map((entry) => code(entry, 100));
	const rest = entries.length - names.length;
	return [...names, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(', ');
}

function faults(all: readonly AgentFault[]): string[] {
	if (all.length === 0) return [];
	const lines = all.map(({ file, line, message }) => `- ${code(file)}, line ${line}: ${plain(message, 400)}`);
	return [['Left out:', '', ...lines].join('\n')];
}

function noAgents(): string {
	return [
		'This workspace has no agents. An agent is a Markdown file in `.github/agents` (`NAME.agent.md`) or in `.claude/agents` (`NAME.md`), such as `.github/agents/reviewer.agent.md`:',
		codeBlock(example, 'markdown'),
	].join('\n\n');
}
