import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog.ts';
import { ToolSurface } from '../../../../src/discovery/toolSurface.ts';
import type { UnavailableServer } from '../../../../src/models/planner/choose.ts';
import { Conversation, sample, surroundings } from './conversation.ts';

function chatWithout(server: UnavailableServer, known = false): Conversation {
	const servers = sample.servers.filter(({ name }) => known || name !== server.name);
	const chat = new Conversation(undefined, new ToolSurface(new Catalog(servers, 1), sample.policy));
	chat.surroundings = { ...surroundings, unavailable: [server] };
	return chat;
}

describe('where the server that would do it', () => {
	test.each([
		['unapproved', 'you have not approved it yet', 'Review Servers'],
		['stopped', 'is stopped', 'Start Server'],
		['starting', 'still starting', 'Ask again'],
		['failed', 'could not be started: `node is missing.`', 'Restart Server'],
	] as const)('is %s, that and what mends it is said, and no other is asked', async (state, why, mend) => {
		for (const known of [false, true]) {
			const chat = chatWithout({ name: 'git', state, about: 'git', reason: 'node is missing.' }, known);
			for (const request of ['git status', 'show the git log', 'git commit', 'git:git_status']) {
				const answer = await chat.say(request);
				expect(answer).toContain('`git`');
				expect(answer).toContain(why);
				expect(answer).toContain(mend);
				expect(chat.last?.kind).toBe('refuse');
			}
			expect(chat.toolCalls).toEqual([]);
		}
	});

	test.each([
		['filesystem', 'filesystem', 'create a file called a.txt with the text "x"'],
		['memory', 'remember facts, people and preferences', 'remember that "Ada" likes "tea"'],
	])('is %s, what it is for shows in its name or hint', async (name, about, request) => {
		const chat = chatWithout({ name, state: 'unapproved', about });
		expect(await chat.say(request)).toContain(`for the server \`${name}\``);
		expect(chat.toolCalls).toEqual([]);
	});

	test('is another one, the request is done', async () => {
		const chat = chatWithout({ name: 'memory', state: 'unapproved', about: 'remember facts' });
		await chat.say('read a.txt');
		expect(chat.toolCalls).toHaveLength(1);
	});
});
