import { describe, expect, test } from 'vitest';
import type { AgentFault } from '../../../../src/chat/agents/agent.ts';
import { agents } from '../../../../src/chat/commands/agents.ts';
import { activeMarkup, hostileTexts } from '../../common/hostileText.ts';
import { office, sessionOf } from '../../discovery/fixtures.ts';
import { agent } from '../agents/agents.ts';

function typed(
	all: readonly ReturnType<typeof agent>[],
	faults: readonly AgentFault[] = [],
	session = sessionOf(),
): Promise<string> {
	return agents('', {
		session,
		toolsets: new Map(),
		chooseToolset: () => undefined,
		agents: async () => ({ agents: all, faults }),
	});
}

describe('/agents', () => {
	test('lists each agent with its file, its tools and the unknown tools it names', async () => {
		const fresh = { inheritsActive: false, description: '' };
		const text = await typed([
			agent('reviewer', { tools: ['slack/*', 'edit', 'Bash(git *)'] }),
			agent('writer', fresh),
		]);
		expect(text.replaceAll('\\', '')).toBe(
			[
				'**2 agents** in this workspace. Models give them tasks with `run_agent`. Ask for an agent by name.',
				'',
				'**reviewer** — Does what a reviewer does',
				'- `.github/agents/reviewer.agent.md`, 3 of 6 tools, starts with the tools loaded in this chat',
				'- Unknown tools: `edit`, `Bash(git *)`',
				'',
				'**writer**',
				'- `.github/agents/writer.agent.md`, 6 of 6 tools, starts with no tools loaded',
			].join('\n'),
		);
	});

	test('reports each malformed file with the line', async () => {
		const fault = { file: '.claude/agents/x.md', line: 3, column: 1, message: 'tools: expected names.' };
		expect((await typed([], [fault])).replaceAll('\\', '')).toMatchSnapshot();
	});

	test('shows where to put an agent, with a working example, when there is none', async () => {
		const text = await typed([]);
		expect(text).toContain('.github/agents/reviewer.agent.md');
		expect(text).toContain('.claude/agents');
		expect(text).toContain('tools: ["git/*", "files/read_text_file"]');
	});

	test('says when discovery is off, and which agents are not offered to models', async () => {
		const off = await typed([agent('a')], [], sessionOf(office, { enabled: false }));
		expect(off).toContain('Discovery is off');
		expect(await typed([agent('a', { isForModels: false })])).toContain('not offered to models');
	});

	test.each(hostileTexts)('shows %j as plain text', async (text) => {
		const one = agent('a', { name: text, description: text, file: text, tools: [text] });
		const shown = await typed([one], [{ file: text, line: 1, column: 1, message: text }]);
		expect(activeMarkup(shown.replaceAll('**', ''))).toEqual([]);
	});
});
