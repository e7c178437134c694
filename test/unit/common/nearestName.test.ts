import { expect, test } from 'vitest';
import { nearestName, typoTolerance } from '../../../src/common/nearestName.ts';

test('of plain words, the closest is what was meant, if any is close', () => {
	expect(nearestName('calender', ['slack', 'calendar'])).toBe('calendar');
	expect(nearestName('weather', ['slack', 'calendar'])).toBeUndefined();
});

test('case, underscores and hyphens make no difference', () => {
	expect(nearestName('Defer-Loading', ['defer', 'defer_loading'], typoTolerance)).toBe('defer_loading');
});

test('half of a name may be meant where names are free, and is none of a few known keys', () => {
	expect(nearestName('files', ['filesystem', 'git'])).toBe('filesystem');
	expect(nearestName('files', ['filesystem', 'git'], typoTolerance)).toBeUndefined();
});

test('nothing is near to nothing', () => {
	expect(nearestName('calendar', [])).toBeUndefined();
	expect(nearestName('', ['calendar'])).toBeUndefined();
});
