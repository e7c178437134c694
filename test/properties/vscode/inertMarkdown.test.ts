import { describe, expect, test } from 'vitest';
import { slashCommandHandlers } from '../../../src/chat/commands/slashCommands.ts';
import { code, codeBlock, plain } from '../../../src/common/markdown.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { concernNote, questionText } from '../../../src/vscode/participant/callQuestion.ts';
import { agentLine, eventLine } from '../../../src/vscode/participant/chatLines.ts';
import { tooltipOf } from '../../../src/vscode/ui/tooltips.ts';
import { linkTexts, poisonedTexts } from '../../unit/common/hostileText.ts';
import { search, sessionOf, tool } from '../../unit/discovery/fixtures.ts';
import { serverWith } from '../../unit/vscode/fixtures.ts';
import { activeTokens } from '../../unit/vscode/markedTokens.ts';

const texts = [...poisonedTexts, ...linkTexts].map(
	(text) => [JSON.stringify(text).slice(0, 60), text] as const,
);

/** A server that says `text` wherever it can say something. */
function server(text: string) {
	const name = text.trim() || 'blank';
	return {
		name,
		title: text,
		description: text,
		instructions: text,
		tools: [tool(name, name, text), tool(name, 'other', text)],
	};
}

test('these tests detect active Markdown', () => {
	for (const text of linkTexts.filter(
		(link) => !/^(?:\\|&|`| {4}|xmpp)/.test(link) && !link.includes('[^1]'),
	)) {
		expect(activeTokens(text), text).not.toEqual([]);
	}
	expect(activeTokens('plain `<b>` \\[x\\](y)')).toEqual([]);
});

describe.each(texts)('%s is shown without fetching or running anything', (_name, text) => {
	test('in plain text, inline code and code blocks, also within lists, tables and quotes', () => {
		for (const shown of [plain(text), code(text)]) {
			for (const written of [
				shown,
				`- ${shown} more`,
				`> ${shown}`,
				`**${shown}**: ${shown}`,
				`| a |\n|---|\n| ${shown} |`,
			]) {
				expect(activeTokens(written)).toEqual([]);
			}
		}
		expect(activeTokens(`before\n\n${codeBlock(text, 'text')}\n\nafter`)).toEqual([]);
	});

	test('in answers to slash commands', async () => {
		const all = [server(text)];
		const asked: Readonly<Record<string, string>> = {
			tools: all[0]?.name ?? '',
			describe: 'other',
			find: 'other',
			load: `other, ${text}`,
			unload: text,
			context: '',
			toolset: text,
			agents: '',
		};
		for (const [command, args] of Object.entries(asked)) {
			const answer = await slashCommandHandlers[command]?.(args, {
				session: sessionOf(all),
				toolsets: new Map([[text, { name: text, description: text, servers: new Map() }]]),
				chooseToolset: () => undefined,
				agents: async () => ({ agents: [], faults: [] }),
			});
			expect(answer).toBeTypeOf('string');
			expect(activeTokens(answer ?? ''), `/${command} ${args}`.slice(0, 100)).toEqual([]);
		}
	});

	test('in chat lines about searches, loads, agents, failures and text passed on to another server', async () => {
		const session = sessionOf([server(text)]);
		const { search: found } = await search(session, { tool_names: ['other', text] });
		const { search: missed } = await search(session, { query: text.slice(0, 500) });
		const call = { id: '1', name: text, input: {} };
		const [loaded] = session.surface.tools;
		const about = { call, agent: text };
		const lines = [
			...[found, missed, { ok: false, query: text, message: text } as const].flatMap((outcome) =>
				outcome ? [eventLine({ type: 'searchFinished', call, outcome })] : [],
			),
			eventLine({ type: 'prefetched', reason: 'prefetch', tools: session.surface.tools }),
			agentLine({ type: 'agentStarted', ...about, task: text }, []),
			agentLine(
				{
					type: 'agentFinished',
					...about,
					report: { text, fault: text, calls: 1, loaded: [text], ms: 1 },
				},
				[],
			),
			agentLine({ type: 'notice', text }, [text]),
			agentLine(
				{
					type: 'toolFinished',
					call,
					...(loaded && { tool: loaded }),
					result: { ...textResult(text), isError: true },
				},
				[text],
			),
			...(
				[
					{ kind: 'text', server: text, excerpt: text.slice(0, 80) },
					{ kind: 'uncompared', why: 'long', servers: [text, text] },
					{ kind: 'uncompared', why: 'forgotten', servers: [text] },
					{ kind: 'unchecked', reason: text },
				] as const
			).map(concernNote),
			...(loaded
				? [
						questionText(
							{
								tool: loaded,
								args: { [text]: text, long: `${text}\n`.repeat(5) },
								concerns: [],
								readFrom: [text],
							},
							true,
						),
						questionText(
							{ tool: loaded, args: { long: text.repeat(2_000) }, concerns: [], readFrom: [] },
							false,
						),
					]
				: []),
		];
		expect(lines.length).toBeGreaterThan(8);
		for (const line of lines) expect(activeTokens(line ?? '')).toEqual([]);
	});

	test('in tooltips', () => {
		const node = serverWith(
			text.trim() || 'blank',
			{
				[text]: {
					title: text,
					description: text,
					inputSchema: { type: 'object', properties: { [text]: { type: text } } },
				},
			},
			{ description: text, dropped: [{ name: text, reason: text }], cutShort: text },
		);
		for (const one of [node, ...node.tools]) expect(activeTokens(tooltipOf(one))).toEqual([]);
	});
});
