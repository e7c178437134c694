import * as l10n from '@vscode/l10n';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import type { Approvals } from './approvals.ts';

/** Characters of a server's name in a message. */
const nameLength = 60;

/** Ends a server; it starts no more until it is approved again. */
export async function withdrawApproval(approvals: Approvals, server: string): Promise<void> {
	await approvals.withdraw(server);
	say(l10n.t('{0} is not approved any more, and has ended.', labelText(server, nameLength)));
}

/** Believes a server where it says that a tool only reads, or no longer. */
export async function setTrustsHints(approvals: Approvals, server: string, trusts: boolean): Promise<void> {
	await approvals.setTrustsHints(server, trusts);
	const name = labelText(server, nameLength);
	say(
		trusts
			? l10n.t('calls of {0} that only read, as it says, no longer ask you.', name)
			: l10n.t('every call of {0} asks you from now on.', name),
	);
}
