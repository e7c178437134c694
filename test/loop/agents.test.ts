import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseAgent } from '../../src/chat/agents/agent.ts';
import { runAgentTool } from '../../src/chat/agents/runAgent.ts';
import type { LoopEvent } from '../../src/chat/loopEvent.ts';
import { turn } from '../unit/chat/conversation.ts';
import { providers, type ScriptedRound } from './providers/providers.ts';
import { realServers } from './realServers.ts';

const servers = realServers();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** A scribe as VS Code knows agents, and a scout as Claude Code does, which may only look. */
const files = {
	'.github/agents/scribe.agent.md': `---
description: Writes notes
tools: ['files/write_file', 'files/list_directory', 'edit', agent]
---
You write what you are told to, and nothing else.
`,
	'.claude/agents/scout.md': `---
name: scout
description: Looks around. Use when: something is to be found
tools: Read, mcp__files__list_directory
inherit_active_mcp: false
---
You look and tell.
`,
};

async function agentsOf(texts: Readonly<Record<string, string>>) {
	const parsed = await Promise.all(Object.entries(texts).map(([file, text]) => parseAgent({ file, text })));
	return parsed.flatMap((one) => (one.ok ? [one.agent] : []));
}

async function given(rounds: readonly ScriptedRound[], name: keyof typeof providers) {
	const start = providers[name];
	if (!start) throw new Error(`there is no provider ${name}`);
	const folder = servers.folder();
	const provider = await start(rounds, (end) => ends.push(end));
	const tool = runAgentTool(await agentsOf(files));
	return { folder, provider, chat: servers.chat(), hosted: tool ? [tool] : [] };
}

const give = (agent: string, task: string) => ({ name: 'run_agent', input: { agent, task } });
const find = (...tool_names: string[]) => ({ name: 'search_tools', input: { tool_names } });

/** Events as they nest: `scribe > scout > toolFinished`. */
function path(event: LoopEvent): string {
	return event.type === 'agentEvent' ? `${event.agent} > ${path(event.event)}` : event.type;
}

describe('given agents from files, with a real provider SDK and real MCP servers', () => {
	test.each(['openai-chat', 'anthropic', 'ollama'])(
		'%s: an agent calls another agent, loads tools, calls them and answers without changing the chat’s tools',
		async (name) => {
			const rounds: ScriptedRound[] = [];
			const { folder, provider, chat, hosted } = await given(rounds, name);
			const file = join(folder, 'note.txt');
			rounds.push(
				{ calls: [find('everything:echo')] },
				{ calls: [give('scribe', `Write Grüße to ${file}.`)] },
				{ calls: [give('scout', `What lies in ${folder}?`)] },
				{ calls: [find('files:list_directory', 'files:write_file')] },
				{ calls: [{ name: 'files__list_directory', input: { path: folder } }] },
				{ text: 'The folder is empty.' },
				{ calls: [find('files:write_file')] },
				{ calls: [{ name: 'files__write_file', input: { path: file, content: 'Grüße 🌍' } }] },
				{ text: 'I have written the note.' },
				{ text: 'The note is there.' },
			);

			const { events, end } = await turn(provider.model, { ...chat, hosted });

			expect(end).toMatchObject({ reason: 'answered' });
			expect(readFileSync(file, 'utf8')).toBe('Grüße 🌍');
			expect(chat.session.activations.map(({ wireName }) => wireName)).toEqual(['everything__echo']);
			expect(events.map(path)).toContain('scribe > scout > toolFinished');
			expect(provider.requests.length).toBe(10);
			const bodies = provider.requests.map(({ body }) => JSON.stringify(body));
			// The chat and the scribe can set agents to work; on the second level nobody can.
			expect(bodies.map((body) => body.includes('Gives a task to an agent'))).toEqual(
				[1, 1, 1, 0, 0, 0, 1, 1, 1, 1].map(Boolean),
			);
			// What the scout may not use it does not find.
			expect(bodies[4]).not.toContain('Create a new file');
			expect(bodies.at(-1)).toContain('I have written the note.');
			expect(bodies.at(-1)).not.toContain('The folder is empty.');
			expect(chat.session.log.usage).toMatchObject({ measuredAnswers: 10, requests: 10 });
			expect(chat.session.log.usage.calls.map(({ tool }) => tool).sort()).toEqual([
				'list_directory',
				'write_file',
			]);
			const worked = chat.session.log.timeline.filter(({ kind }) => kind === 'agent');
			expect(worked).toMatchObject([{ agent: 'scribe', calls: 2, failed: false }]);
		},
	);

	test('when the chat is stopped during an agent’s call, then the server stays ready and nothing is written', async () => {
		const rounds: ScriptedRound[] = [];
		const { folder, provider, chat, hosted } = await given(rounds, 'openai-chat');
		const file = join(folder, 'late.txt');
		rounds.push(
			{ calls: [give('scribe', 'Write it down.')] },
			{ calls: [find('files:write_file')] },
			{ calls: [{ name: 'files__write_file', input: { path: file, content: 'too late' } }] },
		);
		const stop = new AbortController();
		const { end } = await turn(provider.model, {
			...chat,
			hosted,
			signal: stop.signal,
			runTool: async (tool, made, signal, onProgress, onBegun) => {
				stop.abort();
				return chat.runTool(tool, made, signal, onProgress, onBegun);
			},
		});
		expect(end).toEqual({ type: 'end', reason: 'cancelled' });
		expect(existsSync(file)).toBe(false);
		expect(chat.session.log.timeline.at(-1)).toMatchObject({
			kind: 'agent',
			agent: 'scribe',
			failed: true,
		});
		const { pool } = chat;
		expect(pool.servers().every(({ state }) => state.kind === 'ready')).toBe(true);
	});
});
