import { describe, expect, test } from 'vitest';
import { placement } from '../../../../src/discovery/partition.ts';
import { editorServer, withEditorServer } from '../../../../src/vscode/editorTools/editorServer.ts';
import { office, policyFor, surfaceOf } from '../../discovery/fixtures.ts';

const schema = { type: 'object', properties: { query: { type: 'string' } } };
const tools = [
	{ name: 'other_search', description: 'Searches the code', inputSchema: schema },
	{ name: 'mcpDiscovery_callTool', description: 'Ours', inputSchema: schema },
	{ name: 'other_now', description: 'Tells the time', inputSchema: undefined },
];

describe('the tools of the editor', () => {
	test('are a server, without our own', () => {
		expect(editorServer('editor', tools).tools).toEqual([
			{ server: 'editor', name: 'other_search', description: 'Searches the code', inputSchema: schema },
			{
				server: 'editor',
				name: 'other_now',
				description: 'Tells the time',
				inputSchema: { type: 'object', properties: {} },
			},
		]);
	});

	test('are all deferred, whatever the configuration says of other servers', () => {
		const policy = withEditorServer({ ...policyFor(office), deferAll: false }, 'editor');
		const surface = surfaceOf([...office, editorServer('editor', tools)], { servers: policy.servers });
		expect(surface.get('editor__other_search')).toBeDefined();
		expect(placement({ server: 'editor', name: 'other_search' }, policy)).toBe('deferred');
		expect(withEditorServer(policy, undefined)).toBe(policy);
	});
});
