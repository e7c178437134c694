import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../src/mcp/connection/retryAfter.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
	['7', 7_000],
	[' 0 ', 0],
	['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
	['Wed, 31 Dec 2025 00:00:00 GMT', 0],
	['9'.repeat(400), undefined],
	['Fri, 31 Dec 9999 00:00:00 GMT', undefined],
	['soon', undefined],
	['', undefined],
	[null, undefined],
])('%j means %j ms', (header, expected) => {
	expect(retryAfterMs(header, now)).toBe(expected);
});
