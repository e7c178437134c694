import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { copyWorkspace, deleteWorkspaceCopy } from '../../../scripts/workspaceCopy.ts';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { OfflinePlanner } from '../../../src/models/planner/offlinePlanner.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { startedPool } from '../poolFixture.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sample = join(root, 'examples/workspace');

/** A chat with the planner in the sample workspace, over its real servers. */
async function openChat() {
	// As `npm start` opens it: a repository of its own with one commit, and a change since.
	const folder = await copyWorkspace();
	onTestFinished(() => deleteWorkspaceCopy(folder));
	const config = configOf(folder);
	const pool = await startedPool(Object.fromEntries(config.launches));
	const surface = new ToolSurface(new Catalog(pool.catalogServers(), 1), {
		...config.policy,
		enabled: true,
	});
	const session = new DiscoverySession(surface);
	const model = new OfflinePlanner(
		() => folder,
		(name) => session.knownAs(name),
	);
	const messages: ChatMessage[] = [];
	const say = async (prompt: string) => {
		messages.push({ role: 'user', text: prompt });
		const { events, end } = await turn(model, {
			session,
			messages,
			runTool: (tool, call, { signal }) => pool.callTool(tool.server, tool.name, call.input, { signal }),
		});
		expect(end).toMatchObject({ reason: 'answered' });
		return events.flatMap((event: LoopEvent) =>
			event.type === 'toolFinished'
				? [{ tool: event.tool?.id, failed: event.result.isError, text: resultText(event.result) }]
				: [],
		);
	};
	return { folder, say };
}

function configOf(folder: string): Config {
	const text = readFileSync(join(folder, 'casual_mcp_config.json'), 'utf8');
	const { config } = loadConfig(text, { file: '', workspaceFolder: folder, env: {} });
	if (!config) throw new Error("The sample workspace's configuration cannot be read.");
	return config;
}

/** What a user is told to type, taken from where they read it, or can click. */
const prompts = {
	greeting: configOf(sample).prompts,
	readme: [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^ {4,}@discovery (.+)$/gm)].map(
		([, said = '']) => said,
	),
	walkthrough: [
		...readFileSync(join(root, 'media/walkthrough/ask.svg'), 'utf8').matchAll(/>@discovery ([^<]+)</g),
	].map(([, said = '']) => said),
	sample: [...readFileSync(join(sample, 'README.md'), 'utf8').matchAll(/^- (.+)$/gm)].map(
		([, said = '']) => said,
	),
};

const expected: Readonly<Record<string, readonly [tool: RegExp, answer: RegExp]>> = {
	'create a file called hello.txt with the text Hello': [/^filesystem:write_file$/, /hello\.txt/],
	'create a file called hello.txt with the text "Hello"': [/^filesystem:write_file$/, /hello\.txt/],
	'read notes/shopping.md': [/^filesystem:read_text_file$/, /oat biscuits/],
	'list the files in docs/': [/^filesystem:list_directory$/, /architecture\.md[\s\S]*release-plan\.md/],
	'what is the sum of 19 and 23?': [/^everything:get-sum$/, /42/],
	'show the git log': [/^git:git_log$/, /The sample workspace/],
	'what changed in this git repository?': [/^git:git_(?:status|diff)$/, /shopping\.md/],
};

test('these tests cover all prompts of the greeting, the READMEs and the walkthrough', () => {
	expect(prompts.greeting).toHaveLength(3);
	expect(prompts.readme).toHaveLength(1);
	expect(prompts.walkthrough).toHaveLength(1);
	expect(prompts.sample).toHaveLength(5);
	expect([...new Set(Object.values(prompts).flat())].toSorted()).toEqual(Object.keys(expected).toSorted());
});

test('with real servers, each prompt makes one successful call', async () => {
	const { folder, say } = await openChat();
	for (const [prompt, [tool, answer]] of Object.entries(expected)) {
		const calls = await say(prompt);
		const right = { tool: expect.stringMatching(tool), failed: false, text: expect.stringMatching(answer) };
		expect({ prompt, calls }).toEqual({ prompt, calls: [right] });
	}
	expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('Hello');
});
