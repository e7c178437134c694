import { actionKinds, reading } from '../words/actionKinds.ts';
import { isPlural, isStopWord } from '../words/analyzer.ts';
import type { QueryWord } from './queryWords.ts';

/** What a query is for (its intent): the action and the object, read from the order of its words. Positions are indexes of words. */
export interface Intent {
	/** Kinds of actions, see `actionKinds`; 0: none found. */
	readonly actionKinds: number;
	/** Position of the verb or question word; -1: none. */
	readonly verb: number;
	/** Positions of the object's words, in order. The last is its head. */
	readonly object: readonly number[];
	/** It asks for several objects. */
	readonly isMany: boolean;
}

/** The kinds of actions that the word or phrase at a position stands for, and its length in words. */
export type ActionKindsAt = (position: number) => {
	readonly actionKinds: number;
	readonly length: number;
	/** The word itself is a verb, not only a synonym of it. */
	readonly isVerb: boolean;
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** May precede the verb of a request. */
const leadIns = setOf(
	`can could would will i we you want need like to help me let us now just how do does id im d m ll should
	wish try trying looking going must have in order my a quick quickly`,
);
const questions = setOf(
	'what whats which who whose when where how is are am was were does do did has have any',
);
/** "how to delete", "how do I delete": the verb is still to come. */
const afterHow = setOf('do can to would should could');
const determiners = setOf(
	'a an the my our your his her their its this that these those all any some every each me us new existing',
);
const several = setOf('all every any many');
/** Words that end an object: a place, an owner or a name follows. */
const boundaries = setOf(
	`of in on at from for to into onto with within under by using via about against named called titled id that which where whose who if when
	as is are was were has have do does did be been per over across inside there exist exists`,
);
/** "details of a key": the object is the key. */
const lightNouns = setOf(
	`detail details list information info value values name names status content contents setting settings property properties number count
	overview summary kind type types copy result results data description version all one`,
);
const afterLightNoun = setOf('of for about on in');
/** "key names": the names of several keys. */
const namesOfSeveral = setOf('names ids versions types kinds');
const naming = setOf('named called titled id');

/** Another action may follow these. */
const joining = setOf('and then also or');

/** Words after the lead-in in which a verb is looked for. */
const verbReach = 12;

/**
 * Reads what a query asks for. With several actions it returns no object, since each action has its own; nor with an action that follows nouns,
 * where the order of words does not show the object.
 */
export function readIntent(words: readonly QueryWord[], actionKindsAt: ActionKindsAt): Intent {
	const reader = new IntentReader(words, actionKindsAt);
	const action = reader.action();
	const others = action.verb < 0 ? 0 : reader.laterActionKinds(action.next);
	if (others !== 0 || action.isAfterNouns) {
		return { actionKinds: action.actionKinds | others, verb: action.verb, object: [], isMany: false };
	}
	return { actionKinds: action.actionKinds, verb: action.verb, ...reader.object(action) };
}

/** An action, and the position where its object may begin. */
interface Action {
	readonly actionKinds: number;
	readonly verb: number;
	readonly next: number;
	readonly isAfterNouns?: boolean;
}

class IntentReader {
	readonly #words: readonly QueryWord[];
	readonly #actionKindsAt: ActionKindsAt;

	constructor(words: readonly QueryWord[], actionKindsAt: ActionKindsAt) {
		this.#words = words;
		this.#actionKindsAt = actionKindsAt;
	}

	/** The first verb or question word after the lead-in; otherwise a verb after nouns. */
	action(): Action {
		const count = this.#words.length;
		let at = 0;
		for (; at < count; at++) {
			const word = this.#text(at);
			if (this.#beginsQuestion(at)) {
				return { actionKinds: reading, verb: at, next: at + (word === 'how' ? 2 : 1) };
			}
			const verb = this.#verbAt(at);
			if (verb) return verb;
			if (!leadIns.has(word) && !determiners.has(word)) break;
		}
		return this.#verbAfterNouns() ?? { actionKinds: 0, verb: -1, next: at };
	}

	/** Kinds of the actions with which later clauses begin. */
	laterActionKinds(from: number): number {
		let others = 0;
		for (let at = from; at < this.#words.length; at++) {
			if (!this.#beginsClause(at) && !joining.has(this.#text(at - 1))) continue;
			others |= this.#verbAt(at)?.actionKinds ?? 0;
		}
		return others;
	}

	/** The words after the action, up to a boundary. */
	object({ actionKinds: asked, next }: Action): Pick<Intent, 'object' | 'isMany'> {
		let object: number[] = [];
		let isMany = false;
		let isOne = false;
		const clause = this.#words[Math.min(next, this.#words.length - 1)]?.clause;
		for (let at = next; at < this.#words.length; at++) {
			const word = this.#text(at);
			const isEnd = object.length > 0 && this.#words[at]?.clause !== clause;
			if (isEnd) break;
			if (!this.#isPlain(at)) {
				// A quoted value right after the object is its name.
				if (object.length === 0) continue;
				isOne = true;
				break;
			}
			isMany ||= several.has(word);
			if (determiners.has(word) || (object.length === 0 && boundaries.has(word))) continue;
			if (boundaries.has(word)) {
				isOne ||= naming.has(word);
				const isLight = object.every((position) => lightNouns.has(this.#text(position)));
				if (!isLight || !afterLightNoun.has(word)) break;
				object = [];
			} else if (!isStopWord(word)) object.push(at);
		}
		while (object.length > 1 && lightNouns.has(this.#text(object.at(-1)))) {
			const name = this.#text(object.pop());
			isMany ||= !isOne && namesOfSeveral.has(name);
		}
		const head = object.at(-1);
		isMany ||= head !== undefined && isPlural(this.#text(head));
		if ((asked & ~reading) !== 0) isMany = false;
		if (asked === actionKinds.list) isMany = true;
		return { object, isMany };
	}

	#text(at: number | undefined): string {
		return (at !== undefined && this.#words[at]?.text) || '';
	}

	#isPlain(at: number): boolean {
		return this.#words[at]?.manner !== 'quoted';
	}

	#beginsClause(at: number): boolean {
		return at === 0 || this.#words[at]?.clause !== this.#words[at - 1]?.clause;
	}

	#beginsQuestion(at: number): boolean {
		const word = this.#text(at);
		if (!questions.has(word) || !(this.#beginsClause(at) || leadIns.has(this.#text(at - 1)))) return false;
		if (word === 'do' && this.#text(at - 1) === 'how') return false;
		return !(word === 'how' && afterHow.has(this.#text(at + 1)));
	}

	#verbAt(at: number): Action | undefined {
		if (!this.#isPlain(at)) return undefined;
		const { actionKinds: kinds, length } = this.#actionKindsAt(at);
		if (kinds === 0 || (length === 1 && leadIns.has(this.#text(at)))) return undefined;
		return { actionKinds: kinds, verb: at, next: at + length };
	}

	/** The verb of "calendar event create", as models write: one that cannot be a noun in this position. */
	#verbAfterNouns(): Action | undefined {
		for (let at = 1; at < Math.min(this.#words.length, verbReach); at++) {
			const before = this.#text(at - 1);
			const word = this.#text(at);
			if (!this.#actionKindsAt(at).isVerb || isPlural(word) || questions.has(word)) continue;
			if (determiners.has(before) || boundaries.has(before)) continue;
			if (boundaries.has(this.#text(at + 1))) continue;
			const verb = this.#verbAt(at);
			if (verb) return { ...verb, isAfterNouns: true };
		}
		return undefined;
	}
}
