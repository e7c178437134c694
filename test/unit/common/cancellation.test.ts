import { describe, expect, test } from 'vitest';
import { JoinedSignal } from '../../../src/common/cancellation.ts';

describe('a joined abort signal', () => {
	test('aborts with the first of its sources and its reason', () => {
		const [one, other] = [new AbortController(), new AbortController()];
		const joined = new JoinedSignal(one.signal, other.signal);

		other.abort('other');
		one.abort('one');

		expect(joined.signal.reason).toBe('other');
	});

	test('is aborted if a source was aborted before', () => {
		expect(new JoinedSignal(new AbortController().signal, AbortSignal.abort('before')).signal.reason).toBe(
			'before',
		);
	});

	test('never aborts after it is disposed', () => {
		const source = new AbortController();
		const joined = new JoinedSignal(source.signal);

		joined.dispose();
		source.abort();

		expect(joined.signal.aborted).toBe(false);
	});
});
