import * as l10n from '@vscode/l10n';
import { exactText } from '../../mcp/approval/exactText.ts';
import type { LaunchFact } from '../../mcp/approval/launchFacts.ts';
import type { Standing } from './approvals.ts';

/** A server that waits for the user. */
export interface PendingServer {
	readonly name: string;
	readonly facts: readonly LaunchFact[];
	readonly standing: Standing;
}

/**
 * What a server would do, in lines; where it was approved before, with what it did then. `folder`: where servers run unless said otherwise.
 * `limit`: of a longer fact only its two ends are told, so that a long command leaves room for what comes after it.
 */
export function launchText(
	{ name: written, facts, standing }: PendingServer,
	folder: string,
	limit = Number.POSITIVE_INFINITY,
): string {
	// As exact as the facts: a name could read like one.
	const name = exactText(written);
	const words = (about: LaunchFact['about'], text: string) => factWords(about, endsOf(text, limit));
	const before = standing.kind === 'changed' ? standing.before : facts;
	const was = (about: LaunchFact['about']) => before.find((fact) => fact.about === about)?.text;
	const lines = facts.flatMap(({ about, text }) => {
		const old = was(about);
		if (old !== text) return [`− ${words(about, old ?? '–')}`, `+ ${words(about, text)}`];
		return about === 'in' && text === folder ? [] : [words(about, text)];
	});
	const gone = before
		.filter(({ about }) => !facts.some((fact) => fact.about === about))
		.map(({ about, text }) => `− ${words(about, text)}`);
	const title = standing.kind === 'changed' ? l10n.t('{0} (changed since you approved it)', name) : name;
	return [title, ...lines, ...gone].join('\n    ');
}

function endsOf(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const half = Math.floor(limit / 2);
	const left = l10n.t('({0} more characters)', text.length - 2 * half);
	return `${text.slice(0, half)}… ${left} …${text.slice(-half)}`;
}

function factWords(about: LaunchFact['about'], text: string): string {
	switch (about) {
		case 'runs':
			return l10n.t('runs: {0}', text);
		case 'in':
			return l10n.t('in: {0}', text);
		case 'sets':
			return l10n.t('sets: {0}', text);
		case 'connects':
			return l10n.t('connects to: {0}', text);
		case 'sends':
			return l10n.t('sends: {0}', text);
		case 'where':
			return l10n.t('where: {0}', text);
	}
}

/** Characters and servers that one question shows, and characters of a fact where it shows one server in part; more would push its buttons off the screen. */
export const shownAtOnce = { characters: 1_500, servers: 8, ofFact: 250 } as const;

/** Texts of servers as one question after the other has room for them, in order. */
export function inQuestions<T extends { readonly text: string }>(servers: readonly T[]): T[][] {
	const questions: T[][] = [];
	let room = 0;
	for (const server of servers) {
		const last = questions.at(-1);
		room -= server.text.length;
		if (last && last.length < shownAtOnce.servers && room >= 0) last.push(server);
		else {
			questions.push([server]);
			room = shownAtOnce.characters - server.text.length;
		}
	}
	return questions;
}
