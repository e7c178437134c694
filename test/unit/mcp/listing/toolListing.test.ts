import { expect, test } from 'vitest';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { listAllTools, readTools } from '../../../../src/mcp/listing/toolListing.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

const good = (name: string) => ({ name, inputSchema: { type: 'object' } });

test('names of object members are valid names of tools', () => {
	const names = ['constructor', '__proto__', 'toString', 'with spaces and\nnewline'];
	const { tools, dropped } = readTools('s', names.map(good), defaultLimits);
	expect(tools.map(({ name }) => name)).toEqual(names);
	expect(dropped).toEqual([]);
});

test.each([
	[{ 'anthropic/alwaysLoad': true }, true],
	[{ 'anthropic/alwaysLoad': 'yes' }, undefined],
	[{ 'anthropic/searchHint': 'x' }, undefined],
	['always', undefined],
])('a tool whose _meta is %j: its server wants it always loaded: %s', (_meta, alwaysLoad) => {
	const [tool] = readTools('s', [{ ...good('a'), _meta, alwaysLoad: true }], defaultLimits).tools;
	expect(tool?.alwaysLoad).toBe(alwaysLoad);
});

test('the first tools are taken if there are too many, and the listing says so', async () => {
	const limits = { ...defaultLimits, toolsPerServer: 10 };
	const page = async () => ({
		tools: Array.from({ length: 25 }, (_, i) => good(`t${i}`)),
		nextCursor: 'more',
	});
	const { tools, cutShort } = await listAllTools('s', page, limits);
	expect(tools).toHaveLength(10);
	expect(cutShort).toContain('first 10 tools');
});

test.each([
	['request-refused', 'keeps the pages before it and says what is missing'],
	['crashed', 'fails the list: the server is gone'],
] as const)('a later page that fails (%s) %s', async (reason, _) => {
	const failure = new ServerError('s', reason, 'Server "s" refused: no second page');
	const page = async (cursor: string | undefined) => {
		if (cursor) throw failure;
		return { tools: [good('a')], nextCursor: 'b' };
	};
	const listing = listAllTools('s', page, defaultLimits);
	if (reason === 'crashed') await expect(listing).rejects.toBe(failure);
	else
		expect(await listing).toMatchObject({
			tools: [{ name: 'a' }],
			lacksPages: true,
			cutShort: 'page 2 and what follows it are missing: Server "s" refused: no second page',
		});
});

test('a first page that fails fails the list: nothing is known', async () => {
	const page = () => Promise.reject(new ServerError('s', 'request-refused', 'no'));
	await expect(listAllTools('s', page, defaultLimits)).rejects.toThrow('no');
});

test('a schema of any depth is rejected without a stack overflow', () => {
	let schema: object = { type: 'string' };
	for (let i = 0; i < 50_000; i += 1) schema = { type: 'object', properties: { a: schema } };
	const { dropped } = readTools('s', [{ name: 'bomb', inputSchema: schema }], defaultLimits);
	expect(dropped).toEqual([{ name: 'bomb', reason: 'inputSchema has more than 64 levels' }]);
});

test('the first definitions are taken if they are too large together, and no further page is fetched', async () => {
	const limits = { ...defaultLimits, listBytes: 1_000_000 };
	let pages = 0;
	const page = async () => {
		pages += 1;
		const heavy = { ...good(`t${pages}`), description: 'x'.repeat(300_000) };
		return { tools: [heavy], nextCursor: String(pages) };
	};
	const { tools, cutShort } = await listAllTools('s', page, limits);
	expect(tools).toHaveLength(3);
	expect(cutShort).toBe('only the first 3 tools are taken, with 1 MB of definitions');
	expect(pages).toBe(4);
});

test('the name of a dropped tool is cut', () => {
	const { dropped } = readTools('s', [{ name: 'x'.repeat(100_000), inputSchema: 1 }], defaultLimits);
	expect(dropped[0]?.name).toHaveLength(200);
});
