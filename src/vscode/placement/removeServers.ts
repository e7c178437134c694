import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { reversible, type Step } from '../../common/steps.ts';
import { removeServer } from '../../config/file/edit.ts';
import { serverVariables } from '../../config/missingReferences.ts';
import type { SignIns } from '../../mcp/signIn/signIns.ts';
import { takesSignIn } from '../../mcp/signIn/signIns.ts';
import type { Approvals } from '../core/approvals.ts';
import { changeConfig } from '../core/configChange.ts';
import type { ServerOfFile } from '../core/configState.ts';
import type { Configuration } from '../core/configuration.ts';
import { offerUndo } from '../core/offerUndo.ts';
import type { Permissions } from '../core/permissions.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import type { Switches } from '../core/switches.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import { labelText } from '../ui/labelText.ts';
import { openDocument } from '../ui/readingEditor.ts';
import { cannotSave } from '../ui/textFiles.ts';

type Removal = {
	readonly configFile: Configuration;
	readonly secrets: SecretVariables;
	readonly signIns: SignIns;
	readonly approvals: Approvals;
	readonly permissions: Permissions;
	readonly switches: Switches;
	readonly undo: UndoHistory;
};

/**
 * Removes servers with what belongs to them alone: entries, stored secrets, tokens, approvals and permissions. All of it is one change, which
 * can be undone; a notification offers that.
 */
export async function removeServers(
	services: Removal,
	names: readonly string[],
): Promise<UndoableChange | undefined> {
	const { configFile } = services;
	if (!(await savedFirst(services, names))) return undefined;
	const removed = names.flatMap((name) => configFile.server(name) ?? []);
	const byFile = [...Map.groupBy(removed, ({ file }) => file)];
	const changes = removed.map(({ file, key }) => ({
		uri: file.place.uri,
		plan: (text: string) => removeServer(text, key),
	}));
	const secrets = await Promise.all(
		byFile.map(([file, ofFile]) => removingSecrets(services, file.place.uri, ofFile)),
	);
	const signIns = await removingSignIns(services, removed);
	const after = [
		...removed.flatMap(({ name }) => [
			reversible(() => services.permissions.remove(services.permissions.rulesOf(name))),
			services.approvals.removing(name),
			services.switches.changing([[{ server: name }, undefined]]),
		]),
		...secrets,
		...signIns,
	];
	const change = await changeConfig(configFile, changes, { after });
	if (!change) return undefined;
	const [first] = removed;
	const nameOrCount = removed.length === 1 && first ? labelText(first.name) : serverCount(removed.length);
	return offerUndo(l10n.t('removed {0}, with everything that was stored for it.', nameOrCount), {
		label: l10n.t('remove {0}', nameOrCount),
		undo: change.undo,
	});
}

/**
 * Saves the files of the servers if the user agrees. Otherwise, a file that is closed without saving would still have servers whose secrets are
 * gone. False: the user declined.
 */
async function savedFirst({ configFile }: Removal, names: readonly string[]): Promise<boolean> {
	const uris = new Set(names.flatMap((name) => configFile.server(name)?.file.place.uri ?? []));
	const unsaved = [...uris].flatMap((uri) => openDocument(uri) ?? []).filter(({ isDirty }) => isDirty);
	if (unsaved.length === 0) return true;
	const save = l10n.t('Save and Remove');
	const paths = unsaved.map(({ uri }) => labelText(vscode.workspace.asRelativePath(uri))).join(', ');
	const question = l10n.t('{0} has unsaved changes. Save them before the server is removed?', paths);
	if ((await vscode.window.showWarningMessage(question, { modal: true }, save)) !== save) return false;
	for (const document of unsaved) if (!(await document.save())) throw cannotSave(document.uri);
	await configFile.reload();
	return true;
}

/** Secrets that servers read and that no server of the file reads afterwards. */
async function removingSecrets(
	{ configFile, secrets }: Removal,
	uri: ServerOfFile['file']['place']['uri'],
	removed: readonly ServerOfFile[],
): Promise<Step> {
	const current = await configFile.current(uri);
	const file = configFile.fileAt(uri);
	if (!current?.text || !file) return secrets.changing(uri, []);
	const after = removed.reduce((text, { key }) => textWithout(text, key), current.text);
	const stillRead = new Set(serverVariables(after));
	const stored = new Set(await secrets.names(file.folder));
	const unread = serverVariables(current.text).filter((name) => !stillRead.has(name) && stored.has(name));
	return secrets.changing(
		file.folder,
		unread.map((name) => ({ name, value: undefined })),
	);
}

function textWithout(text: string, key: string): string {
	const edits = removeServer(text, key) ?? [];
	return edits.reduceRight(
		(rest, { offset, length, content }) => rest.slice(0, offset) + content + rest.slice(offset + length),
		text,
	);
}

/** Sign-ins that no other server of the configuration uses. */
async function removingSignIns(
	{ configFile, signIns }: Removal,
	removed: readonly ServerOfFile[],
): Promise<readonly Step[]> {
	const removedNames = new Set(removed.map(({ name }) => name));
	const launches = [...(configFile.inForce?.config.launches ?? [])];
	const otherLaunches = launches.flatMap(([name, launch]) => (removedNames.has(name) ? [] : [launch]));
	const used = await Promise.all(otherLaunches.filter(takesSignIn).map((launch) => signIns.of(launch)));
	const launched = removed.flatMap(({ launch }) => (launch && takesSignIn(launch) ? [launch] : []));
	const removedSignIns = await Promise.all(launched.map((launch) => signIns.of(launch)));
	return removedSignIns
		.filter(({ owner }) => !used.some((other) => other.owner === owner))
		.map((signIn) => signIn.forgetting());
}
