import { expect, onTestFinished, test } from 'vitest';
import {
	callCount,
	dollars,
	duration,
	percent,
	searchCount,
	setLanguage,
	shortNumber,
} from '../../../src/chat/counts.ts';

test('a tiny share is not shown as 0%, and one just below all not as 100%', () => {
	expect([0, 0.001, 0.04, 0.999, 1, 1.2].map(percent)).toEqual(['0%', '<1%', '4%', '>99%', '100%', '120%']);
});

test.each([
	[0, '$0.00'],
	[0.000001, '<$0.00001'],
	[0.00042, '$0.00042'],
	[0.0561, '$0.056'],
	[0.5, '$0.50'],
	[0.999, '$1.00'],
	[12.3456, '$12.35'],
	[1234.5, '$1,234.50'],
])('%d dollars are shown with their significant digits', (usd, shown) => {
	expect(dollars(usd)).toBe(shown);
});

test('large numbers are shortened', () => {
	expect([0, 999, 1000, 1250, 99_949, 99_960, 686_707, 999_600, 1_584_824].map(shortNumber)).toEqual([
		'0',
		'999',
		'1k',
		'1.3k',
		'99.9k',
		'100k',
		'687k',
		'1M',
		'1.6M',
	]);
});

test('counts are singular for one and plural otherwise', () => {
	expect([callCount(1), callCount(0), searchCount(2000)]).toEqual(['1 call', '0 calls', '2,000 searches']);
});

test('durations are shown in milliseconds or seconds', () => {
	expect([duration(0.4), duration(999), duration(1000)]).toEqual(['0 ms', '999 ms', '1.0 s']);
});

test('numbers have the decimal sign of the language', () => {
	setLanguage('de');
	onTestFinished(() => setLanguage('en'));
	expect([shortNumber(1250), duration(1500)]).toEqual(['1,3k', '1,5 s']);
});
