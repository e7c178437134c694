import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Grant } from '../../mcp/signIn/grants.ts';
import type { Services } from '../../services.ts';
import { ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';

/**
 * Lists sign-ins in VS Code's Accounts menu, where the user can sign out but not in. The sessions contain no tokens, because any extension
 * may ask for them.
 */
export function registerAccounts({ servers: { signIns } }: Pick<Services, 'servers'>): vscode.Disposable {
	const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
	let shown: readonly vscode.AuthenticationSession[] = [];
	const read = async () => {
		const all = await signIns.all();
		return all.map(({ id, grant }) => sessionOf(id, grant));
	};
	const refresh = async () => {
		const before = shown;
		shown = await read();
		const [old, now] = [new Set(before.map(({ id }) => id)), new Set(shown.map(({ id }) => id))];
		const added = shown.filter(({ id }) => !old.has(id));
		const removed = before.filter(({ id }) => !now.has(id));
		if (added.length + removed.length > 0) changed.fire({ added, removed, changed: [] });
	};
	const provider: vscode.AuthenticationProvider = {
		onDidChangeSessions: changed.event,
		getSessions: async () => {
			shown = await read();
			return [...shown];
		},
		createSession: async () => {
			throw new Error(l10n.t('Sign in from a server in the Servers view.'));
		},
		removeSession: async (id) => {
			await signIns.signOut(id);
			await refresh();
		},
	};
	return vscode.Disposable.from(
		changed,
		signIns.onDidChange(() => void refresh().catch(() => {})),
		vscode.authentication.registerAuthenticationProvider(ids.accounts, l10n.t('MCP servers'), provider, {
			supportsMultipleAccounts: true,
		}),
	);
}

function sessionOf(id: string, { server, authorizationServer, scope }: Grant): vscode.AuthenticationSession {
	const at = new URL(authorizationServer.issuer).host;
	const { host } = new URL(server);
	const label = labelText(host === at ? host : `${host} (${at})`);
	return { id, accessToken: '', account: { id, label }, scopes: scope?.split(' ') ?? [] };
}
