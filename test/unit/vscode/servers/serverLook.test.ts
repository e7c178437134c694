import { describe, expect, test } from 'vitest';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { rowOf } from '../../../../src/vscode/servers/treeRows.ts';
import { serverWith } from './nodes.ts';

type State = Pick<ServerStatus, 'state' | 'cached'>;

const states: Readonly<Record<string, State>> = {
	running: { state: { kind: 'ready', since: 0 }, cached: false },
	'starting…': { state: { kind: 'starting' }, cached: false },
	'not needed now, starts when called': { state: { kind: 'stopped' }, cached: false },
	'not needed yet, starts when called': { state: { kind: 'stopped' }, cached: true },
	'stopped by you': { state: { kind: 'stopped', byUser: true }, cached: true },
	'failed: crashed': {
		state: { kind: 'failed', error: new ServerError('files', 'crashed', 'It has crashed.') },
		cached: false,
	},
};

const rowIn = (status: State) => rowOf(serverWith('files', { read: {} }, status));

describe('every state of a server', () => {
	test('has words, for a screen reader too', () => {
		for (const [word, status] of Object.entries(states)) {
			expect(rowIn(status).accessibleLabel).toMatch(`files, ${word}, 1 tool`);
		}
	});

	test('has an icon of its own', () => {
		const icons = Object.values(states).map((status) => rowIn(status).icon);
		expect(new Set(icons).size).toBe(icons.length);
	});

	test('but running is said before the counts, in few words', () => {
		const short = (status: State | undefined) => status && rowIn(status).description.split(' · ').at(-3);
		expect(short(states['not needed now, starts when called'])).toBe('sleeping');
		expect(short(states['not needed yet, starts when called'])).toBe('cached');
		expect(short(states['stopped by you'])).toBe('stopped');
		expect(short(states.running)).toBeUndefined();
	});
});
