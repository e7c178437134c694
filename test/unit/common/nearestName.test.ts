import { expect, test } from 'vitest';
import { nearestName, typoTolerance } from '../../../src/common/nearestName.ts';

test('the closest name is found, if any name is close', () => {
	expect(nearestName('calender', ['slack', 'calendar'])).toBe('calendar');
	expect(nearestName('weather', ['slack', 'calendar'])).toBeUndefined();
});

test('case, underscores and hyphens are ignored', () => {
	expect(nearestName('Defer-Loading', ['defer', 'defer_loading'], typoTolerance)).toBe('defer_loading');
});

test('half of a name matches free names, but not a list of known keys', () => {
	expect(nearestName('files', ['filesystem', 'git'])).toBe('filesystem');
	expect(nearestName('files', ['filesystem', 'git'], typoTolerance)).toBeUndefined();
});

test('two swapped letters are one edit', () => {
	expect(nearestName('evn', ['args', 'env'], typoTolerance)).toBe('env');
	expect(nearestName('evd', ['args', 'env'], typoTolerance)).toBeUndefined();
});

test('an empty name or an empty list has no closest name', () => {
	expect(nearestName('calendar', [])).toBeUndefined();
	expect(nearestName('', ['calendar'])).toBeUndefined();
});
