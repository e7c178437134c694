import { expect, test } from 'vitest';
import { metadataIn, type ResultMetadata } from '../../../../src/vscode/participant/resultMetadata.ts';

const whole: ResultMetadata = {
	session: { id: 'chat-1', answers: 2 },
	called: ['files__read'],
	asked: 'read it',
	outcome: 'greeted',
	next: { nothingFor: 'fish', failed: 'files:read' },
	stopped: true,
};

test('what the history has of an answer is read back, whole or in part', () => {
	expect(metadataIn(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
	for (const key of Object.keys(whole) as (keyof ResultMetadata)[])
		expect(metadataIn({ [key]: whole[key] })).toEqual({ [key]: whole[key] });
});

test.each([
	[undefined, {}],
	[null, {}],
	['text', {}],
	[{ called: 7, outcome: 'odd', stopped: 'yes', next: [] }, {}],
	[{ called: ['a', null, 7, {}] }, { called: ['a'] }],
	[{ next: { nothingFor: 7, failed: 'a:b' } }, { next: { failed: 'a:b' } }],
	[{ session: { id: '../../secret', answers: 1 } }, {}],
	[{ session: { id: 'chat', answers: -1 } }, {}],
	[{ session: { id: 7, answers: 1 }, outcome: 'notReady' }, { outcome: 'notReady' }],
	[JSON.parse('{"__proto__":{"stopped":true},"constructor":7}'), {}],
])('%j in the history is read as %j', (stored, read) => {
	expect(metadataIn(stored)).toEqual(read);
});
