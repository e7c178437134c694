/** Lists two good tools and, between them, what is none. */
import { tool } from './messages.ts';
import { serve } from './scriptedServer.ts';

const nested = JSON.parse(`${'{"a":'.repeat(700)}{}${'}'.repeat(700)}`);

serve({
	'tools/list': () => ({
		tools: [
			tool('first', { annotations: { readOnlyHint: true, destructiveHint: 'perhaps' } }),
			null,
			{ name: 42, inputSchema: { type: 'object' } },
			tool('no-schema', { inputSchema: 'an object, honestly' }),
			tool('array-schema', { inputSchema: { type: 'array' } }),
			tool('deep', { inputSchema: { type: 'object', properties: nested } }),
			tool('huge', { description: 'x'.repeat(600_000) }),
			tool('first'),
			tool('last', { description: 7 }),
		],
	}),
});
