import { stem } from './analyzer.ts';

/** Kinds of actions, as bits: a verb may have several. */
export const deeds = {
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
export const reading = deeds.list | deeds.get | deeds.find;

const verbsOf: readonly (readonly [mask: number, verbs: string])[] = [
	[deeds.list, 'list enumerate ls'],
	[deeds.list | deeds.get, 'show display view see retrieve return fetch browse'],
	[deeds.get, 'get read describe inspect explain cat obtain lookup'],
	[
		deeds.list | deeds.get | deeds.find,
		'find search discover locate what which who whose when where compare count check',
	],
	[deeds.find | deeds.get | deeds.run, 'query'],
	[
		deeds.make,
		'create make generate build new init initialize provision mkdir compose draft copy cp duplicate clone fork',
	],
	[deeds.make | deeds.change, 'add insert append write save store put upload import attach set upsert'],
	[
		deeds.change,
		`update edit change modify rename move mv toggle enable disable assign unassign merge archive unarchive reopen restore
		switch revert reset lock unlock scale resize configure adjust reschedule postpone pause resume mark replace approve`,
	],
	[
		deeds.remove,
		'delete remove drop erase destroy purge uninstall rm trash wipe unlink unset detach discard',
	],
	[deeds.remove | deeds.change, 'clear revoke close'],
	[deeds.change | deeds.run, 'cancel'],
	[deeds.send | deeds.make, 'post publish reply'],
	[deeds.send | deeds.change, 'share'],
	[deeds.send, 'send forward notify broadcast'],
	[deeds.run, 'run execute trigger start stop launch invoke restart kill terminate abort'],
	[deeds.run | deeds.make, 'deploy install'],
];

const byTerm = new Map<string, number>();
for (const [mask, verbs] of verbsOf) {
	for (const verb of verbs.split(/\s+/)) {
		const term = stem(verb);
		byTerm.set(term, (byTerm.get(term) ?? 0) | mask);
	}
}

/** The kinds of actions of a verb's term; 0 if it is not a known verb. */
export function deedsOf(term: string): number {
	return byTerm.get(term) ?? 0;
}
