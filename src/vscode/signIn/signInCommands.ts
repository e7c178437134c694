import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writtenOut } from '../../common/exactText.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { SignInError } from '../../mcp/signIn/signInError.ts';
import type { SignIns } from '../../mcp/signIn/signIns.ts';
import { takesSignIn } from '../../mcp/signIn/signIns.ts';
import type { SignInPerson, SignInQuestion } from '../../mcp/signIn/visit.ts';
import type { Configuration } from '../core/configuration.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import { openExactUrl } from '../ui/unsupported.ts';

/** Characters of a name in a question. */
const nameLength = 200;
const addressLength = 2_000;
const scopesLength = 1_000;

/** Each accepts a redirect URL if it has the state of its own sign-in. */
const waitingForAddress = new Set<(address: string) => boolean>();

type SignInServices = {
	readonly pool: ServerPool;
	readonly configFile: Configuration;
	readonly signIns: SignIns;
};

/** Asks, opens the browser, and waits for the redirect. */
export async function signIn(services: SignInServices, server: string): Promise<void> {
	const launch = launchOf(services, server);
	const serverSignIn = await services.signIns.of(launch);
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t('Signing in to {0}', labelText(server, nameLength)),
		cancellable: true,
	};
	const leaving = services.configFile.onDidChange(() => {
		const now = services.configFile.inForce?.config.launches.get(server);
		if (now?.kind !== 'remote' || now.url !== launch.url) serverSignIn.endVisit();
	});
	try {
		await vscode.window.withProgress(options, async (progress, token) => {
			using stop = signalOf(token);
			let paste: ((address: string) => boolean) | undefined;
			const onWaiting = (take: (address: string) => boolean) => {
				paste = take;
				waitingForAddress.add(take);
				const link = `command:${commands.pasteSignInAddress}`;
				progress.report({ message: l10n.t('waiting for the browser. [Paste the redirect URL]({0})', link) });
			};
			try {
				await serverSignIn.signIn(personAt(server, onWaiting), stop.signal);
			} finally {
				if (paste) waitingForAddress.delete(paste);
			}
		});
	} catch (error) {
		// The user cancelled it.
		if (error instanceof SignInError && error.fault === 'cancelled') return;
		throw error;
	} finally {
		leaving.dispose();
	}
	say(l10n.t('you are signed in to {0}.', labelText(server, nameLength)));
}

/** How long to wait for an issuer when signing out. */
const revocationMs = 20_000;

/** Signs out, and says so if the token could not be revoked. */
export async function signOut(services: SignInServices, server: string): Promise<void> {
	const serverSignIn = await services.signIns.of(launchOf(services, server));
	const isRevoked = await serverSignIn.signOut(AbortSignal.timeout(revocationMs));
	const name = labelText(server, nameLength);
	say(
		isRevoked
			? l10n.t('you are signed out of {0}.', name)
			: l10n.t('you are signed out of {0}. The token could not be revoked. It will expire on its own.', name),
	);
}

/** Asks for the redirect URL if the browser could not open it. */
export async function pasteSignInAddress(): Promise<void> {
	if (waitingForAddress.size === 0) {
		say(l10n.t('no sign-in is waiting for a redirect URL.'));
		return;
	}
	let takenText: string | undefined;
	await vscode.window.showInputBox({
		title: l10n.t('Paste Redirect URL'),
		prompt: l10n.t(
			'The whole URL that the browser shows after you sign in. It begins with {0}.',
			'http://127.0.0.1',
		),
		ignoreFocusOut: true,
		validateInput: (text) => {
			// A pasted URL is taken only once: its sign-in is then gone from the set, or accepts no other.
			if (text.trim() === '' || text === takenText) return undefined;
			if (![...waitingForAddress].some((paste) => paste(text)))
				return l10n.t('No pending sign-in leads to this URL.');
			takenText = text;
			return undefined;
		},
	});
}

function launchOf({ configFile, pool }: SignInServices, server: string) {
	const launch = configFile.state.kind === 'ok' ? configFile.state.config.launches.get(server) : undefined;
	const kind = pool.server(server)?.state.kind;
	const isApproved = kind !== undefined && kind !== 'unapproved' && kind !== 'forbidden';
	if (!launch || !isApproved || !takesSignIn(launch))
		throw new Error(l10n.t('{0} does not support sign-in.', labelText(server, nameLength)));
	return launch;
}

function personAt(server: string, waiting: NonNullable<SignInPerson['waiting']>): SignInPerson {
	return {
		clientName: 'MCP Discovery (VS Code)',
		pages: {
			received: l10n.t('You can close this page and go back to VS Code.'),
			denied: l10n.t('Sign-in was refused. You can close this page and go back to VS Code.'),
			refused: l10n.t('This sign-in has ended. Select “Sign In…” in VS Code again.'),
		},
		reachable: async (address) => {
			// The browser runs on the machine that listens. `asExternalUri` would offer to forward a port to itself.
			if (vscode.env.remoteName === undefined) return address;
			return (await vscode.env.asExternalUri(vscode.Uri.parse(address))).toString(true);
		},
		ask: (question) => askToOpen(server, question),
		waiting,
	};
}

/** Shows who asks for what and which address opens. Shortens only names. */
async function askToOpen(server: string, question: SignInQuestion): ReturnType<SignInPerson['ask']> {
	const { issuer, resource, scopes, moreScopes, opens } = question;
	const scopesText = (names: readonly string[]) => labelText(writtenOut(names.join(', ')), scopesLength);
	const detail = [
		l10n.t(
			'Server: {0} ({1})',
			labelText(server, nameLength),
			labelText(writtenOut(resource), addressLength),
		),
		l10n.t('Sign-in service: {0}', labelText(writtenOut(issuer), addressLength)),
		...(moreScopes.length > 0 ? [l10n.t('New permissions: {0}', scopesText(moreScopes))] : []),
		scopes.length > 0 ? l10n.t('Permissions: {0}', scopesText(scopes)) : l10n.t('Permissions: not specified'),
		l10n.t('URL: {0}', labelText(writtenOut(opens), addressLength)),
	];
	const title =
		moreScopes.length > 0
			? l10n.t('{0} requests more permissions. Sign in again?', labelText(server, nameLength))
			: l10n.t('Sign in to {0} in the browser?', labelText(server, nameLength));
	const [open, copy] = [l10n.t('Open Browser'), l10n.t('Copy URL')];
	const chosen = await vscode.window.showInformationMessage(
		title,
		{ modal: true, detail: detail.join('\n\n') },
		open,
		copy,
	);
	if (chosen === undefined) return undefined;
	return async (address) => {
		if (chosen === open) return openExactUrl(address, vscode);
		await vscode.env.clipboard.writeText(address);
		return true;
	};
}
