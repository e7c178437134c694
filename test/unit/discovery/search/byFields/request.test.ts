import { expect, test } from 'vitest';
import { readQuery } from '../../../../../src/discovery/search/byFields/queryWords.ts';
import { isPlural, readRequest } from '../../../../../src/discovery/search/byFields/request.ts';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import { deeds, deedsOf, reading } from '../../../../../src/discovery/search/words/deeds.ts';

function read(query: string) {
	const { words } = readQuery(query);
	const request = readRequest(words, (at) => {
		const its = deedsOf(stem(words[at]?.text ?? ''));
		return { deeds: its, length: 1, isVerb: its !== 0 };
	});
	return {
		deeds: request.deeds,
		object: request.object.map((at) => words[at]?.text).join(' '),
		number: request.number,
	};
}

test.each([
	['List all storage accounts in my subscription', deeds.list, 'storage accounts', 'many'],
	['Can you please delete the event hub <name> in my namespace', deeds.remove, 'event hub', 'one'],
	['What certificates are in the key vault?', reading, 'certificates', 'many'],
	['How many users does the app have', reading, 'users', 'many'],
	['how do I create a branch', deeds.make, 'branch', 'one'],
	['Get the details of my web app', deeds.get, 'web app', 'one'],
	['show secret names in the vault', deeds.list | deeds.get, 'secret', 'many'],
	['a new storage account called st1', deeds.make, 'storage account', 'one'],
	['In the repository, rename the branch', deeds.change, 'branch', 'one'],
	['I want to know the weather', 0, 'know weather', 'one'],
	['Read the file, then delete the folder', deeds.get | deeds.remove, '', undefined],
	['calendar event create', deeds.make, '', undefined],
	[
		'drive or cloud storage upload file or delete file',
		deeds.make | deeds.change | deeds.remove,
		'',
		undefined,
	],
	['forget what I told you about the job', 0, 'forget told', 'one'],
	['league champion item builds', 0, 'league champion item builds', 'many'],
	['', 0, '', undefined],
])('%j asks for', (query, asked, object, number) => {
	expect(read(query)).toEqual({ deeds: asked, object, number });
});

test.each(['keys', 'registries', 'people'])('%s are several', (word) => {
	expect(isPlural(word)).toBe(true);
});

test.each(['key', 'status', 'analysis', 'address', 'gas'])('%s is one', (word) => {
	expect(isPlural(word)).toBe(false);
});
