import { expect, test } from 'vitest';
import { modelsOf, sessionsWith } from '../fixtures.ts';

test('given a tool that its server wants always loaded, then the view says so until the user defers it', () => {
	const sessions = sessionsWith([]);
	const inputSchema = { type: 'object' };
	const tools = [
		{ server: 'files', name: 'read', inputSchema, alwaysLoad: true as const },
		{ server: 'files', name: 'write', inputSchema },
	];
	sessions.setCatalog([{ name: 'files', tools }]);
	const models = modelsOf(sessions);
	const why = (name: string) => models.tool({ server: 'files', name })?.why;
	expect([why('read'), why('write')]).toEqual([
		'its server wants it always loaded',
		'search finds it when needed',
	]);
	const own = { ...sessions.policy.servers.get('files'), tools: new Map([['read', { deferLoading: true }]]) };
	const policy = { ...sessions.policy, servers: new Map([['files', own]]) };
	sessions.setPolicy(policy as typeof sessions.policy, new Map());
	expect(modelsOf(sessions).tool({ server: 'files', name: 'read' })?.why).toBe('search finds it when needed');
});
