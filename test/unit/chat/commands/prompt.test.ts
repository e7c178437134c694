import { describe, expect, test } from 'vitest';
import { promptMessages } from '../../../../src/chat/commands/prompt.ts';
import type { OfferedPrompt, PromptParts, PromptSource } from '../../../../src/chat/commands/promptSource.ts';
import { slashCommandHandlers } from '../../../../src/chat/commands/slashCommands.ts';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import { activeMarkup, hostileTexts } from '../../common/hostileText.ts';
import { sessionOf } from '../../discovery/fixtures.ts';

const weather: OfferedPrompt = {
	server: 'every:thing',
	name: 'args:prompt',
	arguments: [
		{ name: 'city', required: true },
		{ name: 'state', required: false },
	],
};
const simple: OfferedPrompt = { server: 'notes', name: 'simple', arguments: [] };
const says = (text: string): PromptParts => [{ role: 'user', content: [{ type: 'text', text }] }];

/** Types `/prompt`, with servers that have these two. */
async function type(args: string, more: Partial<PromptSource> = {}) {
	const put: ChatMessage[] = [];
	const prompts: PromptSource = {
		servers: ['every', 'every:thing', 'notes'],
		list: async (server) => [weather, simple].filter((one) => server === undefined || one.server === server),
		choose: async (all) => all[0],
		fill: async () => ({ city: 'Ulm' }),
		messages: async (_prompt, { city }) => says(`Weather in ${city}?`),
		put: (_prompt, messages) => put.push(...messages),
		...more,
	};
	const handler = slashCommandHandlers.prompt;
	if (!handler) throw new Error('there is no /prompt');
	const session = sessionOf();
	const context = {
		session,
		toolsets: new Map(),
		chooseToolset: () => {},
		agents: async () => ({ agents: [], faults: [] }),
	};
	return { text: await handler(args, { ...context, prompts }), put };
}

describe('/prompt', () => {
	test('fills in the named prompt, shows its messages and sends them with the next message', async () => {
		const { text, put } = await type('every:thing:args:prompt');
		expect(put).toEqual([{ role: 'user', text: 'Weather in Ulm?' }]);
		expect(text).toContain('The messages of `every:thing:args:prompt` will be sent with your next message:');
		expect(text).toContain('Weather in Ulm?');
	});

	test('shows the title of a prompt together with the name to type', async () => {
		const titled = { ...simple, title: 'Summarize [this](command:x)' };
		const { text } = await type('simple', { list: async () => [titled] });
		expect(text).toMatch(/^The messages of Summarize \\\[this.* \(`notes:simple`\) will be sent/);
	});

	test('accepts a bare name, and lets the user choose when no name is given', async () => {
		expect((await type('simple')).put).toHaveLength(1);
		expect((await type('')).put).toHaveLength(1);
		expect((await type('', { choose: async () => undefined })).put).toEqual([]);
	});

	test('says when a prompt has no messages', async () => {
		const { text, put } = await type('simple', { messages: async () => [] });
		expect([text, put]).toEqual(['`notes:simple` has no messages.', []]);
	});

	test('suggests the closest name for an unknown prompt', async () => {
		const { text, put } = await type('notes:simpel');
		expect(text).toMatchSnapshot();
		expect(put).toEqual([]);
	});

	test('adds nothing when a required argument is missing, and names the argument', async () => {
		const { text, put } = await type('every:thing:args:prompt', { fill: async () => ({ state: 'x' }) });
		expect(text).toMatchSnapshot();
		expect(put).toEqual([]);
		expect((await type('simple', { fill: async () => undefined })).put).toEqual([]);
	});

	test.each(hostileTexts)('shows text of a server as plain text: %j', async (hostile) => {
		const { text } = await type('simple', { messages: async () => says(hostile) });
		expect(activeMarkup(text)).toEqual([]);
	});
});

test('prompt messages keep roles and images, lose invisible characters, and are truncated', () => {
	const image = { type: 'image', data: 'iVBO', mimeType: 'image/png' } as const;
	expect(
		promptMessages([
			{ role: 'user', content: [{ type: 'text', text: 'Look\u{e0041}' }, image] },
			{ role: 'assistant', content: [{ type: 'text', text: 'I see.' }, image] },
			{ role: 'user', content: [{ type: 'audio', data: 'AA', mimeType: 'audio/wav' }] },
			{ role: 'user', content: [{ type: 'text', text: '' }] },
		]),
	).toEqual([
		{ role: 'user', text: 'Look', images: [image] },
		plainAnswer('I see.\n[image image/png]'),
		{ role: 'user', text: '[audio audio/wav]' },
	]);
	const long = promptMessages([...says('x'.repeat(10_000_000)), ...says('y')]);
	expect(JSON.stringify(long).length).toBeLessThan(201_000);
});
