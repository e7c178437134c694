import { describe, expect, test } from 'vitest';
import { lookingToolNames } from '../../../../src/discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../../../src/discovery/tool.ts';
import { OfflinePlanner } from '../../../../src/models/offlinePlanner/offlinePlanner.ts';
import { collect, rank } from './conversation.ts';

const looking: readonly ToolDefinition[] = [...lookingToolNames].map((name) => ({
	name,
	description: 'Lists tools, tells details of a tool, reads a page of a result, searches tools',
	inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
}));

describe('tools that only a model has a use for', () => {
	test.each(['list the available tools', 'read the result', 'list_tool_details of files', 'search tools'])(
		'are none that the planner calls for "%s"',
		async (text) => {
			for (const tools of [looking, looking.filter(({ name }) => name !== 'search_tools')]) {
				const planner = new OfflinePlanner({ rank });
				const request = { system: '', messages: [{ role: 'user', text } as const], tools };
				const events = await collect(planner.stream(request, new AbortController().signal));
				const called = events.flatMap((event) => (event.type === 'toolCall' ? [event.call.name] : []));
				expect(called.filter((name) => name !== 'search_tools')).toEqual([]);
			}
		},
	);
});
