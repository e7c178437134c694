import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../../src/chat/loopEvent.ts';
import { errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { followups, isGreeting, updatedFacts } from '../../../../src/vscode/participant/followups.ts';
import type { NextFacts } from '../../../../src/vscode/participant/resultMetadata.ts';

const image = { id: 'picture', value: { mimeType: 'image/png', data: async () => new Uint8Array() } };
const file = { id: 'vscode.implicit.file', value: { scheme: 'file', path: '/notes/shopping.md' } };

describe('a message', () => {
	test.each([
		['', undefined, [], true],
		[' \n', undefined, [], true],
		['@discovery', undefined, [], true],
		['', undefined, [file], true],
		['', undefined, [image], false],
		['', 'tools', [], false],
		['hello', undefined, [], false],
	])(
		'%j with the command %s and %j is answered with a greeting: %s',
		(prompt, command, references, expected) => {
			expect(isGreeting({ prompt, command, references: references as never })).toBe(expected);
		},
	);
});

describe('the followups of an answer', () => {
	const commandsOf = (given: ReturnType<typeof followups>) => given.map(({ command }) => command);

	test('are the configured prompts after a greeting', () => {
		const given = followups({ outcome: 'greeted' }, ['read it', 'what changed?']);
		expect(given.map(({ prompt, command }) => [prompt, command])).toEqual([
			['read it', undefined],
			['what changed?', undefined],
		]);
	});

	test('are commands after a greeting if no prompts are configured', () => {
		expect(commandsOf(followups({ outcome: 'greeted' }, []))).toEqual(['tools', 'context']);
	});

	test('are empty without trust or a configuration', () => {
		expect(followups({ outcome: 'greeted' }, undefined)).toEqual([]);
		expect(followups({ outcome: 'notReady' }, undefined)).toEqual([]);
	});

	test('are only the configured prompts if the extension was not ready to answer', () => {
		expect(followups({ outcome: 'notReady' }, ['read it'])).toHaveLength(1);
		expect(followups({ outcome: 'notReady' }, [])).toEqual([]);
	});

	test('lead to the loaded tools if the answer called tools, and are empty otherwise', () => {
		expect(commandsOf(followups({ called: ['files__read'] }, ['read it']))).toEqual(['context']);
		expect(followups({ called: [] }, ['read it'])).toEqual([]);
		expect(followups({}, ['read it'])).toEqual([]);
	});

	test('keep the unused prompts as long as the chat has used nothing else', () => {
		const prompts = ['read it', 'find it', 'move it'];
		const offeredAfter = (asked: string, ...earlier: readonly string[]) =>
			followups({ asked }, prompts, earlier).map(({ prompt }) => prompt);
		expect(offeredAfter('find it')).toEqual(['read it', 'move it']);
		expect(offeredAfter('move it', '@discovery', 'find it')).toEqual(['read it']);
		expect(offeredAfter('move it', 'something else')).toEqual([]);
		expect(offeredAfter('something else')).toEqual([]);
	});

	test('offer to continue an answer that the user stopped', () => {
		const [given, ...others] = followups({ stopped: true, called: ['files__read'] }, ['read it']);
		expect(given).toEqual({ prompt: 'Continue', label: 'You stopped this answer. Continue?' });
		expect(commandsOf(others)).toEqual(['context']);
	});

	test('send the configured prompt, and show it in the label without markup', () => {
		const prompt = '$(trash) [all](command:x) <b>*is*</b> `well`';
		const [given] = followups({ outcome: 'greeted' }, [prompt]);
		expect(given?.prompt).toBe(prompt);
		expect(given?.label).toBe('\\$\\(trash\\) \\[all\\]\\(command\\:x\\) \\<b\\>\\*is\\*\\</b\\> \\`well\\`');
	});
});

describe('the next steps after tools were called', () => {
	const called = (
		name: string,
		input: Record<string, unknown>,
		text: string,
		isError = false,
	): LoopEvent => ({
		type: 'toolFinished',
		call: { id: '1', name: `files__${name}`, input },
		tool: { server: 'files', name, id: `files:${name}`, wireName: `files__${name}`, inputSchema: {} },
		result: isError ? errorResult(text) : textResult(text),
	});
	const searched = (query: string, ...hits: readonly object[]) =>
		({
			type: 'searchFinished',
			call: {},
			outcome: { ok: true, query, hits, searched: 9 },
		}) as unknown as LoopEvent;
	const factsOf = (...events: readonly LoopEvent[]) =>
		events.reduce<NextFacts>((facts, event) => updatedFacts(facts, event), {});
	const offered = (next: NextFacts, names = ['files__x']) =>
		followups({ called: names, next }, undefined).map(({ command = '', prompt }) =>
			`${command} ${prompt}`.trim(),
		);

	test('lead to the closest tools and to all tools after a search without results', () => {
		expect(offered(factsOf(searched('play a song')), [])).toEqual(['find play a song', 'tools']);
		expect(offered(factsOf(searched('play a song'), searched('song', {})), [])).toEqual([]);
	});

	test("show the tool's arguments after a failed call, unless a later call succeeded", () => {
		const failed = called('write_file', {}, 'no path', true);
		expect(offered(factsOf(failed))).toEqual(['describe files:write_file', 'context']);
		expect(offered(factsOf(failed, called('stat', {}, 'fine')))).toEqual(['context']);
	});

	test('are at most three, and their labels contain no markup', () => {
		const next = { nothingFor: '[x](command:y)', failed: 'a:b' };
		const given = followups({ called: ['a__b'], next, stopped: true }, undefined);
		expect(given).toHaveLength(3);
		expect(given[0]?.prompt).toMatchSnapshot();
		expect(given[1]?.label).not.toContain('](');
	});
});
