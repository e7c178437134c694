import { stem } from './analyzer.ts';

/** Kinds of actions, as bits: a verb may have several. */
export const actionKinds = {
	list: 1,
	get: 2,
	find: 4,
	make: 8,
	change: 16,
	remove: 32,
	send: 64,
	run: 128,
} as const;

/** Kinds of actions that change nothing. */
export const reading = actionKinds.list | actionKinds.get | actionKinds.find;

const verbsOf: readonly (readonly [mask: number, verbs: string])[] = [
	[actionKinds.list, 'list enumerate ls'],
	[actionKinds.list | actionKinds.get, 'show display view see retrieve return fetch browse'],
	[actionKinds.get, 'get read describe inspect explain cat obtain lookup'],
	[
		actionKinds.list | actionKinds.get | actionKinds.find,
		'find search discover locate what which who whose when where compare count check',
	],
	[actionKinds.find | actionKinds.get | actionKinds.run, 'query'],
	[
		actionKinds.make,
		'create make generate build new init initialize provision mkdir compose draft copy cp duplicate clone fork',
	],
	[
		actionKinds.make | actionKinds.change,
		'add insert append write save store put upload import attach set upsert',
	],
	[
		actionKinds.change,
		`update edit change modify rename move mv toggle enable disable assign unassign merge archive unarchive reopen restore
		switch revert reset lock unlock scale resize configure adjust reschedule postpone pause resume mark replace approve`,
	],
	[
		actionKinds.remove,
		'delete remove drop erase destroy purge uninstall rm trash wipe unlink unset detach discard',
	],
	[actionKinds.remove | actionKinds.change, 'clear revoke close'],
	[actionKinds.change | actionKinds.run, 'cancel'],
	[actionKinds.send | actionKinds.make, 'post publish reply'],
	[actionKinds.send | actionKinds.change, 'share'],
	[actionKinds.send, 'send forward notify broadcast'],
	[actionKinds.run, 'run execute trigger start stop launch invoke restart kill terminate abort'],
	[actionKinds.run | actionKinds.make, 'deploy install'],
];

const byTerm = new Map<string, number>();
for (const [mask, verbs] of verbsOf) {
	for (const verb of verbs.split(/\s+/)) {
		const term = stem(verb);
		byTerm.set(term, (byTerm.get(term) ?? 0) | mask);
	}
}

/** The kinds of actions of a verb's term; 0 if it is not a known verb. */
export function actionKindsOf(term: string): number {
	return byTerm.get(term) ?? 0;
}
