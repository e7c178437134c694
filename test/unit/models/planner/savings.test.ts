import { expect, test } from 'vitest';
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
	const made = session.log.timeline.filter(({ kind }) => kind === 'request').length;
	expect(made).toBeGreaterThan(0);
	expect(session.log.usage).toMatchObject({ requests: made, definitionTokens: 0, everyToolTokens: 0 });
	await turn(new ScriptedModel([says('Hello.')]), { session });
	const { requests, definitionTokens, everyToolTokens } = session.log.usage;
	expect(requests).toBe(made + 1);
	expect(everyToolTokens).toBeGreaterThan(definitionTokens);
});
