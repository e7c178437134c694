import { expect, test } from 'vitest';
import { readIntent } from '../../../../../src/discovery/search/byFields/intent.ts';
import { readQuery } from '../../../../../src/discovery/search/byFields/queryWords.ts';
import {
	actionKinds,
	actionKindsOf,
	reading,
} from '../../../../../src/discovery/search/words/actionKinds.ts';
import { isPlural, stem } from '../../../../../src/discovery/search/words/analyzer.ts';

function read(query: string) {
	const { words } = readQuery(query);
	const intent = readIntent(words, (at) => {
		const its = actionKindsOf(stem(words[at]?.text ?? ''));
		return { actionKinds: its, length: 1, isVerb: its !== 0 };
	});
	return {
		actionKinds: intent.actionKinds,
		object: intent.object.map((at) => words[at]?.text).join(' '),
		isMany: intent.isMany,
	};
}

test.each([
	['List all storage accounts in my subscription', actionKinds.list, 'storage accounts', true],
	['Can you please delete the event hub <name> in my namespace', actionKinds.remove, 'event hub', false],
	['What certificates are in the key vault?', reading, 'certificates', true],
	['How many users does the app have', reading, 'users', true],
	['how do I create a branch', actionKinds.make, 'branch', false],
	['Get the details of my web app', actionKinds.get, 'web app', false],
	['show secret names in the vault', actionKinds.list | actionKinds.get, 'secret', true],
	['a new storage account called st1', actionKinds.make, 'storage account', false],
	['I want to know the weather', 0, 'know weather', false],
	['Read the file, then delete the folder', actionKinds.get | actionKinds.remove, '', false],
	['calendar event create', actionKinds.make, '', false],
	[
		'drive or cloud storage upload file or delete file',
		actionKinds.make | actionKinds.change | actionKinds.remove,
		'',
		false,
	],
	['forget what I told you about the job', 0, 'forget told', false],
	['league champion item builds', 0, 'league champion item builds', true],
	['', 0, '', false],
])('the action, object and number are read from %j', (query, asked, object, isMany) => {
	expect(read(query)).toEqual({ actionKinds: asked, object, isMany });
});

test.each(['keys', 'registries', 'people'])('%s is plural', (word) => {
	expect(isPlural(word)).toBe(true);
});

test.each(['key', 'status', 'analysis', 'address', 'gas'])('%s is singular', (word) => {
	expect(isPlural(word)).toBe(false);
});
