import { describe, expect, test } from 'vitest';
import { approvalMessage } from '../../../../src/vscode/trust/approvalMessage.ts';
import type { PendingServer } from '../../../../src/vscode/trust/pendingServers.ts';

const fresh = (name: string): PendingServer => ({ name, facts: [], standing: { kind: 'new' } });
const changed = (name: string): PendingServer => ({
	name,
	facts: [],
	standing: { kind: 'changed', before: [] },
});

describe('what is said of servers that wait for approval', () => {
	test('names one that is new, and counts several', () => {
		expect(approvalMessage([fresh('files')])).toBe(
			'Discovery: the server files starts when you have approved what it runs.',
		);
		expect(approvalMessage([fresh('files'), changed('git')])).toBe(
			'Discovery: 2 servers start when you have approved what they run.',
		);
	});

	test('says of those that were approved before that they have changed', () => {
		expect(approvalMessage([changed('files')])).toContain('files has changed in the configuration');
		expect(approvalMessage([changed('files'), changed('git')])).toContain('2 servers have changed');
	});
});
