import { expect, test } from 'vitest';
import { percent } from '../../../src/chat/counts.ts';

test('a share that is not nothing is not said to be nothing, nor all where it is not', () => {
	expect([0, 0.001, 0.04, 0.999, 1, 1.2].map(percent)).toEqual(['0%', '<1%', '4%', '>99%', '100%', '120%']);
});
