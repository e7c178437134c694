import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BoundedFolder } from '../../../../src/chat/boundedFolder.ts';
import type { LoopOptions } from '../../../../src/chat/loopOptions.ts';
import { ChatResults, readResultTool } from '../../../../src/chat/results/chatResults.ts';
import { failedResult } from '../../../../src/chat/runCall.ts';
import { resultText, type ToolResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { servers, sessionOf, tool } from '../../discovery/fixtures.ts';
import { asks, call, ScriptedModel, says, turn } from '../conversation.ts';

const limit = 8 * 1024;

function chat(path = temporaryFolder()): ChatResults {
	return new ChatResults(new BoundedFolder(path));
}

/** Reads on as a model would; what the turn has does not matter to it. */
function reading(results: ChatResults, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
	const call = { id: '1', name: 'read_result', input };
	return readResultTool(results)
		.run(call, {} as LoopOptions, () => undefined)
		.then(({ result }) => result, failedResult);
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}: 日本 🗼`).join('\n');

describe('what the model gets of a result', () => {
	test('is all of it up to the limit in bytes', async () => {
		const small = textResult('é'.repeat(limit / 2));
		expect(await chat().fit(small, limit)).toBe(small);
		const large = textResult('é'.repeat(limit / 2 + 1));
		expect(await chat().fit(large, limit)).not.toBe(large);
	});

	test('is its head and tail cut at line ends, with a note on where the rest is', async () => {
		const results = chat();
		const text = resultText(await results.fit(textResult(lines(2_000)), limit));
		const [head, note, tail] = text.split('\n\n');
		expect(head).toMatch(/^line 1: 日本 🗼\n.*🗼$/s);
		expect(tail).toMatch(/^line \d+: .*line 2000: 日本 🗼$/s);
		expect(note).toContain(`file "${results.names[0]}" with 6 pages`);
		expect(Buffer.byteLength(text)).toBeLessThan(5.5 * 1024);
	});

	test('is one joined text, with images in their places', async () => {
		const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
		const parts = Array.from(
			{ length: 100 },
			(_, i) => ({ type: 'text', text: `${i} ${'x'.repeat(200)}` }) as const,
		);
		const result = { content: [image, ...parts, image], isError: true };
		const { content, isError } = await chat().fit(result, limit);
		expect(content.map(({ type }) => type)).toEqual(['image', 'text', 'image']);
		expect(isError).toBe(true);
	});

	test('is a reference for a listing, to the same file while the listing is unchanged', async () => {
		const path = temporaryFolder();
		const [one, other] = [chat(path), chat(path)];
		const list = textResult(`[${'"x",'.repeat(5_000)}"y"]`);
		const reference = JSON.parse(resultText(await one.fit(list, limit, { listing: 'slack-1a2b' })));
		expect(reference).toMatchObject({ file: 'slack-1a2b', bytes: 20_005, pages: 3 });
		expect(JSON.parse(resultText(await other.fit(list, limit, { listing: 'slack-1a2b' })))).toEqual(
			reference,
		);
		expect(readdirSync(path)).toEqual(['slack-1a2b']);
	});

	test('is its head and tail with a note when the file cannot be written', async () => {
		const path = join(temporaryFolder(), 'file');
		writeFileSync(path, 'no folder');
		const results = chat(path);
		const text = resultText(await results.fit(textResult(lines(2_000)), limit));
		expect(text).toMatch(/could not be saved \((EEXIST|ENOTDIR)\)\. If you need them, call the tool again/);
		expect(results.names).toEqual([]);
		const listing = await results.fit(textResult(lines(2_000)), limit, { listing: 'slack-1' });
		expect(JSON.parse(resultText(listing))).toEqual({ error: expect.stringContaining('Ask for one server') });
		expect(listing.isError).toBe(true);
	});

	test('has no half characters, even when the server sends some', async () => {
		const { content } = await chat().fit(textResult('\ud83d'.repeat(9_000)), limit);
		expect(resultText({ content, isError: false }).isWellFormed()).toBe(true);
	});

	test.each([1, 100])('stays small with a limit of %i KB', async (kilobytes) => {
		const text = resultText(await chat().fit(textResult('x'.repeat(200_000)), kilobytes * 1024));
		expect(Buffer.byteLength(text)).toBeLessThan(Math.max(1.2, Math.min(kilobytes, 5.5)) * 1024);
	});
});

describe('read_result', () => {
	test('reads the whole text page by page', async () => {
		const results = chat();
		await results.fit(textResult(lines(2_000)), limit);
		const [file] = results.names;
		let read = '';
		for (let page = 1; page <= 6; page++) {
			const text = resultText(await reading(results, { file, page }));
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
			const [heading, ...rest] = text.split('\n');
			expect(heading).toBe(`[Page ${page} of 6 of ${file}]`);
			read += rest.join('\n');
		}
		expect(read).toBe(lines(2_000));
		expect(resultText(await reading(results, { file }))).toContain('[Page 1 of 6');
		expect(resultText(await reading(results, { file, page: '2' }))).toContain('[Page 2 of 6');
	});

	test('finds text regardless of case, takes pattern characters literally, and names the page', async () => {
		const results = chat();
		await results.fit(textResult(`${lines(1_000)}\nprice(EUR) [x]\n${lines(1_000)}`), limit);
		const [file] = results.names;
		const text = resultText(await reading(results, { file, search: 'PRICE(eur) [' }));
		expect(text).toMatch(/^\[Places of .*\npage 3: ….*line 1000: .*price\(EUR\) \[x\] line 1: .*…$/s);
		const page = resultText(await reading(results, { file, page: 3 }));
		expect(page).toContain('price(EUR)');
		expect(resultText(await reading(results, { file, search: 'telescope' }))).toContain('is not in');
	});

	test.each([
		['Café', 'cafe'],
		['CAFE\u0301', 'café'],
		['cafe', 'CAFE\u0301'],
		['Ёлка', 'елка'],
		['가나', '가나'],
	])('finds %s by %s', async (written, search) => {
		const results = chat();
		await results.fit(textResult(`${lines(1_000)}\n${written} x\n${lines(1_000)}`), limit);
		const text = resultText(await reading(results, { file: results.names[0], search }));
		expect(text).toContain(`${written} x`);
	});

	test('shows no half characters around what it finds', async () => {
		const results = chat();
		await results.fit(textResult(`${'🗼'.repeat(3_000)}bac${'🗼'.repeat(3_000)}`), limit);
		const text = resultText(await reading(results, { file: results.names[0], search: 'a' }));
		expect(text).toMatch(/…🗼+bac🗼+…$/u);
	});

	test('lists no more matches than fit on a page', async () => {
		const results = chat();
		await results.fit(textResult(lines(20_000)), limit);
		const text = resultText(await reading(results, { file: results.names[0], search: 'line' }));
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
		expect(text).toMatch(/\n\[There are more places\.\]$/);
	});

	test.each([
		[{}, "Provide 'file'"],
		[{ file: 7 }, "Provide 'file'"],
		[{ file: '../../etc/passwd' }, "This chat has no file '../../etc/passwd'. Its files: result-"],
		[{ file: 'result-000000000000' }, "This chat has no file 'result-000000000000'"],
	])('given %j, says what is wrong', async (input, message) => {
		const results = chat();
		await results.fit(textResult(lines(2_000)), limit);
		const result = await reading(results, input);
		expect(result.isError).toBe(true);
		expect(resultText(result)).toContain(message);
	});

	test('given a missing page, names the pages that exist', async () => {
		const results = chat();
		await results.fit(textResult(lines(2_000)), limit);
		const [file] = results.names;
		expect(resultText(await reading(results, { file, page: 7 }))).toBe(`Error: '${file}' has pages 1 to 6.`);
		expect((await reading(results, { file, page: 'last' })).isError).toBe(true);
	});

	test('given a file of another chat, does not find it', async () => {
		const path = temporaryFolder();
		const [mine, theirs] = [chat(path), chat(path)];
		await theirs.fit(textResult(lines(2_000)), limit);
		const result = await reading(mine, { file: theirs.names[0] });
		expect(resultText(result)).toContain('Its files: none.');
	});

	test('given a deleted file, says so', async () => {
		const path = temporaryFolder();
		const results = chat(path);
		await results.fit(textResult(lines(2_000)), limit);
		for (const name of readdirSync(path)) rmSync(join(path, name));
		expect(resultText(await reading(results, { file: results.names[0] }))).toContain(
			'is gone. Call the tool again',
		);
	});
});

test('the details of a tool with a huge schema become a file, shared with the next chat', async () => {
	const path = temporaryFolder();
	const properties = Object.fromEntries(
		Array.from({ length: 500 }, (_, i) => [
			`parameter_${i}`,
			{ type: 'string', description: 'x'.repeat(40) },
		]),
	);
	const vast = { ...tool('crm', 'create'), inputSchema: { type: 'object', properties } };
	const policy = { inspectionTools: true };
	const about = (name: string) => asks(call('list_tool_details', { server: 'crm', tool_name: name }));
	const told = async () => {
		const results = chat(path);
		const model = new ScriptedModel([about('create'), about('find'), says('I see.')]);
		await turn(model, {
			session: sessionOf(servers({ crm: [vast, 'find'] }), policy),
			fitResult: (result, listing) => results.fit(result, limit, listing),
		});
		return model.requests.slice(1).map(({ messages }) => {
			const last = messages.at(-1);
			return last?.role === 'tool' ? JSON.parse(resultText(last.results[0]?.result ?? textResult(''))) : {};
		});
	};
	const [large, small] = await told();
	expect(large).toMatchObject({
		file: expect.stringMatching(/^crm-[a-z0-9]+-details$/),
		pages: expect.any(Number),
	});
	expect(small).toMatchObject({ name: 'find' });
	expect((await told())[0]).toEqual(large);
	expect(readdirSync(path)).toEqual([large.file]);
});
