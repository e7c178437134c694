import { expect, test } from 'vitest';
import { duration } from '../../../../../src/vscode/context/page/times.ts';

test('times are in the unit that they are long in', () => {
	expect([duration(0.4), duration(999), duration(1000)]).toEqual(['0 ms', '999 ms', '1.0 s']);
});
