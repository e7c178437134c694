import { expect, test } from 'vitest';
import {
	callCount,
	duration,
	searchCount,
	shortNumber,
} from '../../../../../src/vscode/context/page/numbers.ts';

test('numbers are as short as a picture needs them', () => {
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

test('one is said otherwise than many', () => {
	expect([callCount(1), callCount(0), searchCount(2000)]).toEqual(['1 call', '0 calls', '2,000 searches']);
});

test('times are in the unit that they are long in', () => {
	expect([duration(0.4), duration(999), duration(1000)]).toEqual(['0 ms', '999 ms', '1.0 s']);
});
