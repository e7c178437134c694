import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolRunner } from '../../src/chat/loopOptions.ts';
import { type FlowedText, ResultFlow } from '../../src/chat/results/resultFlow.ts';
import { declinedResult } from '../../src/discovery/catalog/tool.ts';
import { asks, lastResults, ScriptedModel, says, turn } from '../unit/chat/conversation.ts';
import { realServers } from './realServers.ts';

const servers = realServers();

const secret = 'The alarm of the house goes off with the code 4711, ask Ada.';

/** Runs calls as the user would let them: not those that carry anything on. */
function careful(run: ToolRunner, asked: { tool: string; flows: readonly FlowedText[] }[]): ToolRunner {
	return async (tool, call, signal, onProgress, onBegun, flows = []) => {
		if (flows.length === 0) return run(tool, call, signal, onProgress, onBegun);
		asked.push({ tool: tool.id, flows });
		return declinedResult(tool.id);
	};
}

test('text from one server needs approval before it goes to another, in any turn, but not to go back', async () => {
	const folder = servers.folder();
	const path = join(folder, 'house.txt');
	writeFileSync(path, `Bins: Monday\n${secret}\n`);
	const { session, runTool } = servers.chat({ enabled: false });
	const flow = new ResultFlow();
	const asked: { tool: string; flows: readonly FlowedText[] }[] = [];
	const chat = { session, flow, runTool: careful(runTool, asked) };
	const note = (contents: string) => ({
		name: 'memory__create_entities',
		input: { entities: [{ name: 'House', entityType: 'place', observations: ['Old.', contents] }] },
	});
	const carried = {
		tool: 'memory:create_entities',
		flows: [{ server: 'files', excerpt: secret, path: 'entities[0].observations[1]' }],
	};

	const first = new ScriptedModel([
		asks({ id: '1', name: 'files__read_text_file', input: { path } }),
		asks({ id: '2', ...note(`Remember: ${secret}`) }),
		asks({ id: '3', name: 'files__write_file', input: { path: join(folder, 'copy.txt'), content: secret } }),
		says('Noted.'),
	]);
	await turn(first, chat);
	expect(asked).toEqual([carried]);
	expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe(secret);

	const later = new ScriptedModel([
		asks({ id: '4', ...note('Nothing of the kind') }, { id: '5', ...note(secret) }),
		says('Done.'),
	]);
	await turn(later, chat);
	expect(asked).toEqual([carried, carried]);
	expect(lastResults(later).map(({ result }) => result.declined ?? false)).toEqual([false, true]);
});
