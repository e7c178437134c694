import { describe, expect, test } from 'vitest';
import { CONTENDERS } from '../../../bench/contenders.ts';
import type { Tool } from '../../../src/discovery/index.ts';

const tool = (server: string, name: string, description?: string): Tool => ({
	server,
	name,
	inputSchema: { type: 'object', properties: {} },
	...(description === undefined ? {} : { description }),
});

const tools = [
	tool('files', 'read_text', 'Reads a document from the disk'),
	tool('mail', 'send_mail', 'Sends a letter to a recipient'),
	tool('weather', 'forecast', 'Tells tomorrow’s temperature and rain'),
	tool('git', 'git_log', 'Shows the commits of a repository'),
	tool('misc', 'undescribed'),
];

/** Query languages, words that every JavaScript object has, nothing at all. */
const oddQueries = [
	'',
	'   ',
	'?!',
	'title:letter',
	'*',
	'let*er',
	'+mail -letter',
	'letter~x ^2 "rain',
	'(commits OR [a-z]{2})',
	'constructor __proto__ toString hasOwnProperty',
	'明日の気温',
	'\u0000\ud800',
	'rain '.repeat(2_000),
];

const pause = async (): Promise<void> => {};

describe.each(CONTENDERS)('given five tools that $name has indexed', ({ index }) => {
	test.each([
		['letter recipient', 'send_mail'],
		['commits', 'git_log'],
		['rain temperature', 'forecast'],
	])('when the query is %j, then %s ranks first', async (query, wanted) => {
		const search = await index(tools, pause);
		expect(search(query, 5)[0]?.name).toBe(wanted);
	});

	test('then at most the requested number of tools is returned, without duplicates', async () => {
		const search = await index(tools, pause);
		expect(search('document letter commits', 2)).toHaveLength(2);
		const all = search('document letter commits send_mail', 10);
		expect(new Set(all).size).toBe(all.length);
	});

	test.each(oddQueries)(
		'when the query is unusual (%j), then the result contains only indexed tools',
		async (query) => {
			const search = await index(tools, pause);
			for (const found of search(query, 5)) expect(tools).toContain(found);
		},
	);
});
