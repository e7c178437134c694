import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { inOrder, type Step } from '../../common/steps.ts';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { ConfigFix, MovedSecret } from '../../config/fixes/configFix.ts';
import { fixAll, fixesFor } from '../../config/fixes/fixes.ts';
import { loadConfig } from '../../config/load.ts';
import { unknownToolProblems } from '../../config/missingReferences.ts';
import type { ClientDefinition, ClientRef } from '../../config/models/clientDefinition.ts';
import { type VariableScope, withSecrets } from '../../config/secrets/variables.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import { enterServerSecret } from '../core/secretInput.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import { ids } from '../ui/ids.ts';
import { say, showError } from '../ui/messages.ts';
import { problemRange } from '../ui/readingEditor.ts';
import { editOpen, workspaceEdit } from '../ui/textFiles.ts';
import { Throttle } from '../ui/throttle.ts';
import { toDiagnostic } from './diagnostics.ts';

/** Shortest time between updates of marks, in milliseconds: people type, and starting servers list their tools one after the other. */
const remarkEveryMs = 300;

/** Tools in a configuration file that their servers do not have, if the tools of the server are known. */
function toolProblems(
	{ uri, text }: { readonly uri: vscode.Uri; readonly text: string },
	sessions: ChatSessions,
	configFile: Configuration,
): readonly ConfigProblem[] {
	const names = Map.groupBy(sessions.catalog.tools, ({ server }) => server);
	const file = configFile.fileAt(uri);
	return unknownToolProblems(text, (key) => {
		const server = configFile.serverIn(file, key) ?? configFile.server(key);
		return (server && names.get(server.name)?.map(({ name }) => name)) || [];
	});
}

/** Marks unknown tools in open configuration files. */
export function registerToolMarks(sessions: ChatSessions, configFile: Configuration): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection(`${ids.diagnostics} tools`);
	const throttle = new Throttle(() => {
		for (const document of vscode.workspace.textDocuments) {
			const { uri } = document;
			if (!configFile.fileAt(uri)) continue;
			collection.set(
				uri,
				toolProblems({ uri, text: document.getText() }, sessions, configFile).map(toDiagnostic),
			);
		}
	}, remarkEveryMs);
	throttle.request();
	return vscode.Disposable.from(
		collection,
		throttle,
		sessions.onDidChange(() => throttle.request()),
		configFile.onDidChange(() => throttle.request()),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (configFile.fileAt(document.uri)) throttle.request();
		}),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
	);
}

interface CheckedText {
	readonly text: string;
	readonly scope: VariableScope;
	readonly problems: readonly ConfigProblem[];
}

/** Offers fixes for problems of the configuration file: edits, and fixes that store a value first. */
export class QuickFixes implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #services: FixServices;
	readonly #command: vscode.Disposable;
	/** The last text that was checked: VS Code asks for fixes at every move of the cursor. */
	#checked: CheckedText | undefined;

	constructor(services: FixServices) {
		this.#services = services;
		this.#command = vscode.commands.registerCommand(
			ids.applyFix,
			(uri: vscode.Uri, version: number, fix: EffectfulFix) =>
				runFix(services, uri, version, fix).catch(showError),
		);
	}

	provideCodeActions(
		document: vscode.TextDocument,
		range: vscode.Range,
		{ diagnostics, only }: vscode.CodeActionContext,
	): vscode.CodeAction[] {
		if (only && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
		const file = this.#services.configFile.fileAt(document.uri);
		if (!file) return [];
		const text = document.getText();
		const scope = file.knownScope;
		const problems = this.#check(text, scope);
		const { env } = withSecrets(scope);
		const inRange = problems.filter((problem) => problemRange(problem).intersection(range));
		const fixes = inRange.flatMap((problem) =>
			fixesFor(text, problem, { problems, env }).map((fix) => ({ fix, problem })),
		);
		const [first] = fixes;
		if (first) fixes.push(...fixAll(text, { problems, env }).map((fix) => ({ ...first, fix })));
		return fixes
			.filter(
				({ fix }, index) => !fixes.slice(0, index).some((earlier) => isDeepStrictEqual(earlier.fix, fix)),
			)
			.map(({ fix, problem }) => toAction(fix, document, diagnosticsOf(problem, diagnostics)));
	}

	dispose(): void {
		this.#command.dispose();
	}

	#check(text: string, scope: VariableScope): readonly ConfigProblem[] {
		const checked = this.#checked;
		if (checked?.text === text && isDeepStrictEqual(checked.scope, scope)) return checked.problems;
		const { problems } = loadConfig(text, scope);
		this.#checked = { text, scope, problems };
		return problems;
	}
}

/** The marks of a problem: ours, or those of VS Code's JSON check. */
function diagnosticsOf(problem: ConfigProblem, marks: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
	const range = problemRange(problem);
	return marks.filter((mark) => mark.message === problem.message || mark.range.isEqual(range));
}

function toAction(
	fix: ConfigFix,
	document: vscode.TextDocument,
	diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
	const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
	action.diagnostics = diagnostics;
	if (fix.kind === 'edit') {
		action.edit = workspaceEdit(document, fix.edits);
		action.isPreferred = true;
	} else {
		const args = [document.uri, document.version, fix];
		action.command = { title: fix.title, command: ids.applyFix, arguments: args };
	}
	return action;
}

/** A fix that does more than change the file. */
type EffectfulFix = Exclude<ConfigFix, { kind: 'edit' }>;

export type FixServices = {
	readonly configFile: Configuration;
	readonly keys: KeyStore;
	readonly secrets: SecretVariables;
	readonly pool: ServerPool;
};

/** Stores a value before the edit removes it from the file. `version`: of the document that the fix is for. */
async function runFix(
	services: FixServices,
	uri: vscode.Uri,
	version: number,
	fix: EffectfulFix,
): Promise<void> {
	switch (fix.kind) {
		case 'set-variable':
			return enterServerSecret(fix.variable, uri, services);
		case 'store': {
			return storeSecrets(services, await openUnchanged(uri, version), fix);
		}
	}
}

/** Stores secrets, then edits the document, which stays unsaved. */
async function storeSecrets(
	services: FixServices,
	document: vscode.TextDocument,
	{ edits, secrets }: EffectfulFix & { kind: 'store' },
): Promise<void> {
	const storing = await storingSecrets(services, document.uri, secrets);
	await inOrder([...storing, editOpen(document, edits)]).take();
	const names = secrets.map((secret) => (secret.kind === 'key' ? secret.client : secret.name));
	if (names.length > 0) say(l10n.t('stored: {0}.', names.join(', ')));
}

/** Stores what leaves a configuration file. */
export async function storingSecrets(
	services: FixServices,
	uri: vscode.Uri,
	moved: readonly MovedSecret[],
): Promise<readonly Step[]> {
	const { keys, secrets, configFile } = services;
	const folder = configFile.fileAt(uri)?.folder;
	const variables = moved.filter((secret) => secret.kind === 'variable');
	await checkFree(services, uri, variables);
	return [
		...moved
			.filter((secret) => secret.kind === 'key')
			.map(({ client, value }) =>
				keys.changing(knownClient(services, { file: uri.toString(), name: client }), value),
			),
		...(folder ? [secrets.changing(folder, variables)] : []),
	];
}

/** Throws if a variable has got another value since the fix was offered, which would be used instead. */
async function checkFree(
	{ configFile }: FixServices,
	uri: vscode.Uri,
	variables: readonly { readonly name: string; readonly value: string }[],
): Promise<void> {
	const current = await configFile.current(uri);
	if (!current) return;
	const { env } = withSecrets(current.scope);
	for (const { name, value } of variables) {
		const currentValue = Object.hasOwn(env, name) ? env[name] : undefined;
		if (currentValue !== undefined && currentValue !== value)
			throw new Error(l10n.t('{0} has been set in the meantime. Select the fix again.', name));
	}
}

function knownClient({ configFile }: FixServices, { file, name }: ClientRef): ClientDefinition {
	const clients = configFile.state.kind === 'ok' ? configFile.state.config.clients : [];
	const client = clients.find((candidate) => candidate.file === file && candidate.name === name);
	if (!client) throw new Error(l10n.t('fix the other errors of client “{0}” and save the file first.', name));
	return client;
}

async function openUnchanged(uri: vscode.Uri, version: number): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument(uri);
	if (document.version !== version) throw new Error(l10n.t('the file has changed. Select the fix again.'));
	return document;
}
