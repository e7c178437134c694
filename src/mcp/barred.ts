import { sentence } from '../common/text.ts';
import { disabledError, ServerError, unapprovedError } from './serverError.ts';

/** Why VS Code's settings do not let a server start, for people. `organization`: a policy sets them. */
export interface Ban {
	readonly by: 'organization' | 'settings';
	readonly text: string;
}

/** What keeps a server from starting until somebody decides otherwise. */
export type Barred =
	/** The user has not approved what its launch does. */
	| { readonly kind: 'unapproved' }
	/** The user has disabled it. */
	| { readonly kind: 'disabled' }
	| { readonly kind: 'forbidden'; readonly ban: Ban };

/** What keeps the server from starting. */
export function barredError(server: string, barred: Barred): ServerError {
	if (barred.kind === 'unapproved') return unapprovedError(server);
	if (barred.kind === 'disabled') return disabledError(server);
	const who =
		barred.ban.by === 'organization' ? "the user's organization does" : "the user's VS Code settings do";
	return new ServerError(
		server,
		'forbidden',
		sentence`Server "${server}" is not started: ${who} not allow it.`,
	);
}
