import { expect, test } from 'vitest';
import { withChat } from '../../../../src/discovery/habits/habits.ts';
import { OfflinePlanner } from '../../../../src/models/planner/offlinePlanner.ts';
import { ScriptedModel, says, turn } from '../../chat/conversation.ts';
import { servers, sessionOf } from '../../discovery/fixtures.ts';
import { surroundings } from './conversation.ts';

const many = servers({ archive: Array.from({ length: 200 }, (_, i) => `read_the_record_number_${i}`) });

test('the offline planner asks no model, so it saves no tokens; a model does', async () => {
	const session = sessionOf(many);
	await turn(new OfflinePlanner(() => surroundings), {
		session,
		messages: [{ role: 'user', text: 'read record 7' }],
	});
	expect(session.journal.usage).toMatchObject({ definitionTokens: 0, everyToolTokens: 0 });
	// Its chats still count as used: suggestions are made from them.
	const chats = withChat({ chats: [] }, 'a chat', session).chats;
	expect(chats).toMatchObject([{ id: 'a chat', requests: session.journal.usage.requests }]);
	await turn(new ScriptedModel([says('Hello.')]), { session });
	const { definitionTokens, everyToolTokens } = session.journal.usage;
	expect(everyToolTokens).toBeGreaterThan(definitionTokens);
});
