import { expect, test } from 'vitest';
import { mixedCaseWords } from '../../../../../src/discovery/search/words/mixedCase.ts';

test.each([
	['MySQL, OAuth2 and iCloud', ['mysql', 'oauth2', 'icloud']],
	['HTTPServer', ['httpserver']],
	['DonnéesSQL', ['donneessql']],
	['Plain words, URLs, an ACRONYM and snake_case', []],
])('the words in mixed case of %j, whole, are %j', (text, words) => {
	expect(mixedCaseWords(text)).toEqual(words);
});
