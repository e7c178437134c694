import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { waitingLine } from '../../chat/commands/matchedWords.ts';
import { missingToolset } from '../../chat/commands/toolset.ts';
import { andMore } from '../../chat/counts.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { assertNever } from '../../common/assertNever.ts';
import { code, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Unsearched, UnsearchedServer } from '../../discovery/catalog/searchMiss.ts';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import { isMissByWords } from '../../discovery/tools/findTools.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { failedName, stateNames } from '../ui/looks.ts';
import { commandButton } from '../ui/messages.ts';
import { type Readiness, sayWaiting } from './readiness.ts';

/** Characters of a tool's name in text and on a button, and of a failed server's error. */
const nameCharacters = 100;
const nameOnButton = 60;
const errorCharacters = 200;
/** Servers that a list of unsearched ones names, and buttons of one kind. */
const maxUnsearched = 10;
const maxButtons = 3;

/** Chats whose answers have mentioned Teach Search: once is enough. */
const toldTeachable = new WeakSet<ChatSession>();

/** Collects what an answer says at its end: VS Code folds text that is followed by calls together with them. */
export class AnswerNotes {
	/** Wire names of the tools that were called. */
	readonly called = new Set<string>();
	/** Why tools could not be sent to the model, by name. */
	readonly unsent = new Map<string, string>();
	/** Ids of tools that the user's permissions block. */
	readonly forbidden = new Set<string>();
	/** Servers that failed during a call. */
	readonly failed = new Set<string>();
	/** What the last search could not look at. */
	unsearched: Unsearched | undefined;
	/** The last search found nothing likely. */
	isMissed = false;
	readonly #sessions: ChatSessions;
	readonly #readiness: Readiness;
	readonly #session: ChatSession;
	readonly #stream: vscode.ChatResponseStream;
	/** Changed tools that a search would have found. */
	readonly #changed = new Map<string, CatalogTool>();

	constructor(
		sessions: ChatSessions,
		readiness: Readiness,
		session: ChatSession,
		stream: vscode.ChatResponseStream,
	) {
		this.#sessions = sessions;
		this.#readiness = readiness;
		this.#session = session;
		this.#stream = stream;
	}

	note(event: LoopEvent): void {
		switch (event.type) {
			case 'searchFinished':
				this.unsearched = event.outcome.unsearched;
				this.isMissed = isMissByWords(event.outcome);
				if (event.outcome.ok) this.addChanged(event.outcome.waiting ?? []);
				break;
			case 'toolDropped':
				this.unsent.set(event.name, event.reason);
				break;
			case 'toolFinished':
				if (event.tool) this.called.add(event.tool.wireName);
		}
	}

	addChanged(tools: readonly CatalogTool[]): void {
		for (const tool of tools) this.#changed.set(tool.id, tool);
	}

	/** What the answer of a model says at its end. */
	show(): void {
		const { toolset } = this.#session.discovery.surface;
		const missing = missingToolset(this.#session.discovery.surface);
		if (missing !== undefined) this.#line(`$(warning) ${missing}`);
		for (const id of this.forbidden)
			this.#line(
				`$(circle-slash) ${l10n.t('{0} is blocked by your permission settings.', code(id, nameCharacters))}`,
			);
		if (this.forbidden.size > 0) this.#stream.button(commandButton(commands.managePermissions));
		for (const server of this.failed) {
			const why = this.#readiness.whyDown(server);
			const help = why && buttonFor(why, server);
			if (help) this.#stream.button(help);
			if (why !== 'signed-out') this.#stream.button(showLog(server));
		}
		// The search says so as well, but VS Code folds it away.
		if (this.#changed.size > 0) this.#line(`$(shield) ${waitingLine([...this.#changed.values()])}.`);
		this.showSearch();
		// Where a tool was found and called, nobody misses the others.
		if (this.called.size > 0) return;
		const unsearchedNames = new Set(this.unsearched?.servers.map(({ name }) => name));
		sayWaiting(
			this.#readiness.waiting.filter((name) => permitsServer(toolset, name) && !unsearchedNames.has(name)),
			this.#stream,
		);
	}

	/** What search could not find, with buttons that help. */
	showSearch(): void {
		for (const { server, name, id } of this.#changed.values())
			this.#stream.button({
				command: commands.reviewChanges,
				title: l10n.t('Review Change to {0}', labelText(id, nameOnButton)),
				arguments: [{ server, tool: name }],
			});
		if (this.unsearched) this.#sayUnsearched(this.unsearched);
		else if (this.isMissed) this.#sayTeachable();
	}

	#sayUnsearched({ servers, outside }: Unsearched): void {
		const serverLines = servers
			.slice(0, maxUnsearched)
			.map((server) => `- ${code(server.name)}: ${this.#whyUnsearched(server)}`);
		const lines = [
			...(serverLines.length > 0
				? [[l10n.t('Not searched, because their tools are unknown:'), '', ...serverLines].join('\n')]
				: []),
			...andMore(servers.length - serverLines.length),
			...(outside ? [outsideText(outside)] : []),
		];
		this.#line(lines.join('\n\n'));
		for (const [why, alike] of Map.groupBy(servers, ({ why }) => why)) {
			const buttons = alike.slice(0, maxButtons).flatMap(({ name }) => buttonFor(why, name) ?? []);
			// One review and one file are for all servers.
			const isForAll = why === 'unapproved' || why === 'faulty';
			for (const button of isForAll ? buttons.slice(0, 1) : buttons) this.#stream.button(button);
		}
		if (outside) this.#stream.button(commandButton(commands.selectToolset));
	}

	#whyUnsearched({ name, why, explanation }: UnsearchedServer): string {
		switch (why) {
			case 'failed':
				return explanation === undefined
					? (this.#readiness.failureOf(name) ?? stateNames().failed)
					: failedName(plain(explanation, errorCharacters));
			case 'faulty':
				return failedName(l10n.t('its configuration has an error'));
			case 'forbidden':
				return l10n.t('Not allowed by your settings or your organization');
			default:
				return stateNames()[why];
		}
	}

	#sayTeachable(): void {
		if (toldTeachable.has(this.#session) || this.#sessions.untaught.length === 0) return;
		toldTeachable.add(this.#session);
		this.#line(l10n.t('Search finds more after a language model describes your tools in everyday words.'));
		this.#stream.button(commandButton(commands.teachSearch));
	}

	#line(text: string): void {
		this.#stream.markdown(new vscode.MarkdownString(`\n\n${text}\n\n`, true));
	}
}

function outsideText({ toolset, servers }: NonNullable<Unsearched['outside']>): string {
	return servers === 1
		? l10n.t('1 server was not searched: this chat’s toolset {0} leaves it out.', code(toolset))
		: l10n.t(
				'{0} servers were not searched: this chat’s toolset {1} leaves them out.',
				servers,
				code(toolset),
			);
}

function buttonFor(why: UnsearchedServer['why'], name: string): vscode.Command | undefined {
	const onServer = (command: string, title: string) => ({ command, title, arguments: [{ server: name }] });
	switch (why) {
		case 'starting':
		case 'forbidden':
			return undefined;
		case 'unapproved':
			return commandButton(commands.reviewServers);
		case 'signed-out':
			return onServer(commands.signIn, l10n.t('Sign In to {0}…', name));
		case 'failed':
			return showLog(name);
		case 'stopped':
			return start(name);
		case 'faulty':
			return commandButton(commands.openConfig);
		default:
			return assertNever(why);
	}
}

function start(server: string): vscode.Command {
	return { command: commands.startServer, title: l10n.t('Start {0}', server), arguments: [{ server }] };
}

function showLog(server: string): vscode.Command {
	return {
		command: commands.showServerLog,
		title: l10n.t('Show Log of {0}', server),
		arguments: [{ server }],
	};
}
