import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import type { Services } from '../../services.ts';
import { commands } from '../ui/ids.ts';
import { commandTitle, notify, sayFailed } from '../ui/messages.ts';

/** Servers list their tools one after the other: the user is asked once none has for so many milliseconds. */
const quietMs = 5_000;

/**
 * Offers to teach search of tools that are new or have changed, where the user has taught it before. Nothing is sent for that, and nobody is
 * asked twice about the same tools.
 */
export function registerTeachingOffer(
	{ sessions, learning: { expansions, teachingOffers } }: Pick<Services, 'sessions' | 'learning'>,
	delayMs: number = quietMs,
): vscode.Disposable {
	let timer: NodeJS.Timeout | undefined;
	let isAsking = false;
	const offer = async () => {
		const fresh = isAsking ? [] : teachingOffers.fresh(sessions.untaught);
		if (fresh.length === 0) return;
		isAsking = true;
		const teach = commandTitle(commands.teachSearch);
		const question = l10n.t('{0} are new to search.', toolCount(fresh.length));
		let answer: string | undefined;
		try {
			answer = await notify(question, teach);
		} finally {
			isAsking = false;
		}
		// What came while the user was asked is no news either.
		await teachingOffers.remember(sessions.searched);
		if (answer === teach) await vscode.commands.executeCommand(commands.teachSearch);
	};
	const listener = sessions.onDidChange(() => {
		clearTimeout(timer);
		if (expansions.size > 0) timer = setTimeout(() => void offer().catch(sayFailed), delayMs).unref();
	});
	return {
		dispose: () => {
			listener.dispose();
			clearTimeout(timer);
		},
	};
}
