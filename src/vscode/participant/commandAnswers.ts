import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SpokenCommand } from '../../chat/chatHistory.ts';
import { slashCommandHandlers } from '../../chat/commands/slashCommands.ts';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { code, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { ServerError } from '../../mcp/serverError.ts';
import { unloadedTools } from '../core/loadByHand.ts';
import type { UndoHistory } from '../core/undo.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, slashCommands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import type { AgentFiles } from './agentFiles.ts';
import { AnswerNotes } from './answerNotes.ts';
import { LastButtons } from './lastButtons.ts';
import type { UserRequest } from './messageLoop.ts';
import type { Readiness } from './readiness.ts';
import type { AnswerOutcome } from './resultMetadata.ts';
import type { ServerPrompts } from './serverPrompts.ts';

const errorCharacters = 500;
/** Characters of a tool's name on a button. */
const nameOnButton = 60;

interface CommandAnswersParts {
	readonly sessions: ChatSessions;
	readonly readiness: Readiness;
	readonly agentFiles: AgentFiles;
	readonly prompts: ServerPrompts;
	readonly undo: UndoHistory;
}

/** Answers slash commands, without a model. */
export class CommandAnswers {
	readonly #parts: CommandAnswersParts;

	constructor(parts: CommandAnswersParts) {
		this.#parts = parts;
	}

	async answer(
		{ name, args }: SpokenCommand,
		session: ChatSession,
		message: UserRequest,
	): Promise<AnswerOutcome> {
		using buttons = new LastButtons(message.stream);
		const { stream } = buttons;
		const handler = slashCommandHandlers[name];
		if (!handler) {
			const commandList = slashCommands.map((name) => code(`/${name}`)).join(', ');
			stream.markdown(l10n.t('Unknown command {0}. Available: {1}.', code(`/${name}`), commandList));
			return { called: [], stopped: false };
		}
		const { sessions, readiness, agentFiles, prompts, undo } = this.#parts;
		const { discovery } = session;
		const previousActivations = discovery.activations;
		using stop = signalOf(message.token);
		const notes = new AnswerNotes(sessions, readiness, session, stream);
		const promptNotes: string[] = [];
		let foundTools: readonly CatalogTool[] = [];
		try {
			const text = await handler(args, {
				session: discovery,
				toolsets: sessions.toolsets,
				chooseToolset: (toolset) => sessions.chooseToolset(session, toolset),
				agents: () => agentFiles.list(),
				miss: readiness.searchMiss(session, stop.signal),
				prompts: prompts.sourceFor(session, stop.signal, (line) => promptNotes.push(line)),
				onUnsearched: (unsearched) => {
					notes.unsearched = unsearched;
				},
				onMiss: () => {
					notes.isMissed = true;
				},
				onWaiting: (tools) => notes.addChanged(tools),
				onFound: (tools) => {
					foundTools = tools;
				},
			});
			stream.markdown(text);
			for (const line of promptNotes)
				stream.markdown(new vscode.MarkdownString(`\n\n$(info) ${plain(line)}`, true));
			if (foundTools.length > 0) stream.button(loadButton(foundTools));
		} catch (error) {
			if (stop.signal.aborted) return { called: [], stopped: true };
			if (!(error instanceof ServerError)) throw error;
			stream.markdown(new vscode.MarkdownString(`$(error) ${plain(error.message, errorCharacters)}`, true));
		}
		notes.showSearch();
		if (name === 'unload') {
			const stillLoaded = new Set(discovery.activations.map(({ wireName }) => wireName));
			const unloaded = previousActivations.filter(({ wireName }) => !stillLoaded.has(wireName));
			if (unloaded.length > 0) undo.push(unloadedTools(sessions, session, unloaded));
		}
		return { called: [], stopped: false };
	}
}

/** Loads the found tools, all with one click. */
function loadButton(tools: readonly CatalogTool[]): vscode.Command {
	const nodes = tools.map(({ server, name }) => ({ server, tool: name }));
	const [first] = tools;
	const nameOrCount =
		tools.length === 1 && first ? labelText(first.id, nameOnButton) : toolCount(tools.length);
	return { command: commands.loadTool, title: l10n.t('Load {0}', nameOrCount), arguments: [nodes[0], nodes] };
}
