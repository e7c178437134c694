import * as vscode from 'vscode';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { withoutImages } from '../../chat/shownImage.ts';
import { slashCommandHandlers } from '../../chat/slashCommands.ts';
import { defaultSystemPrompt } from '../../chat/systemPrompt.ts';
import { runToolLoop } from '../../chat/toolLoop.ts';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import type { ChatMessage, ChatModel } from '../../models/chatModel.ts';
import { signalOf } from '../cancellation.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { type ChatSession, type DiscoveryHub, type SavedSession, savedOf } from '../discoveryHub.ts';
import { commands, ids, slashCommands } from '../ids.ts';
import { EditorChatModel } from '../models/languageModel.ts';
import type { ModelProvider } from '../models/modelProvider.ts';
import { ChatRenderer } from './chatRenderer.ts';
import { type CallTool, toolRunner } from './toolInvocation.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedSession;
	/** Wire names of the tools that were called. */
	readonly called?: readonly string[];
}

/** A message of nothing but `/word` is meant as a command, and VS Code takes none for one that it does not know. */
const commandOnly = /^\/([a-z]+)$/i;

/** Servers whose tools are not known yet get this long to list them before the first model call. */
const waitForServersMs = 5000;

/** What the participant works with. */
export interface ParticipantParts {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly models: ModelProvider;
	readonly callTools: { readonly any: CallTool; readonly reading: CallTool };
	readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };
}

/** `@discovery` in the chat panel. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #parts: ParticipantParts;
	/** Servers that a message has waited for. */
	readonly #awaited = new Set<string>();

	constructor(parts: ParticipantParts) {
		this.#parts = parts;
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			(request, context, stream, token) => this.#handle(request, context, stream, token),
		);
		this.#participant.iconPath = parts.icon;
		this.#participant.followupProvider = { provideFollowups: (result) => followups(result.metadata) };
	}

	dispose(): void {
		this.#participant.dispose();
	}

	async #handle(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
	): Promise<vscode.ChatResult> {
		if (!this.#isReady(stream)) return {};
		const session = this.#parts.hub.open(savedSession(context));
		const called = new Set<string>();
		const command = request.command ?? commandOnly.exec(request.prompt.trim())?.[1];
		if (command) {
			stream.markdown(await this.#command(command, request.command ? request.prompt : '', session));
		} else {
			await this.#waitForServers(stream, token);
			const renderer = new ChatRenderer(stream);
			for await (const event of this.#loop(request, context, session, token)) {
				renderer.render(event);
				if (event.type !== 'toolFinished' || !event.tool) continue;
				called.add(event.tool.wireName);
				if (event.result.isError) this.#offerLog(event.tool.server, stream);
			}
		}
		const metadata: ResultMetadata = { session: savedOf(session), called: [...called] };
		return { metadata };
	}

	/** Says what is missing, with a button that helps, where there is nothing to answer with. */
	#isReady(stream: vscode.ChatResponseStream): boolean {
		const { state } = this.#parts.configFile;
		if (!vscode.workspace.isTrusted) {
			stream.markdown('This workspace is not trusted, so no MCP server is started.');
			stream.button({ command: 'workbench.trust.manage', title: 'Manage Workspace Trust' });
			return false;
		}
		switch (state.kind) {
			case 'ok':
				if (state.config.launches.size > 0) return true;
				stream.markdown('The configuration names no server that can be started.');
				stream.button({ command: commands.openConfig, title: 'Open Configuration' });
				return false;
			case 'loading':
				stream.markdown('The configuration is still being read. Ask again in a moment.');
				return false;
			case 'none':
				stream.markdown(
					'This workspace has no `casual_mcp_config.json` yet, so there are no MCP servers to find tools on.',
				);
				stream.button({ command: commands.createConfig, title: 'Create Configuration' });
				return false;
			case 'broken':
				stream.markdown(
					'The configuration cannot be read, so no MCP server is started. Its faults are marked in the file.',
				);
				stream.button({ command: commands.openConfig, title: 'Open Configuration' });
				return false;
		}
	}

	/** A call that failed with its server leads to the server's log. */
	#offerLog(name: string, stream: vscode.ChatResponseStream): void {
		const status = this.#parts.pool.servers().find((server) => server.name === name);
		if (status?.state.kind !== 'failed') return;
		const node = { kind: 'server', status };
		stream.button({ command: commands.showServerLog, title: `Show Log of ${name}`, arguments: [node] });
	}

	async #command(name: string, args: string, session: ChatSession): Promise<string> {
		const handler = slashCommandHandlers[name];
		if (!handler)
			return `There is no command \`/${name}\`. There are: ${slashCommands.map((known) => `\`/${known}\``).join(', ')}.`;
		return handler(args, {
			session: session.discovery,
			toolsets: this.#parts.hub.toolsets,
			chooseToolset: (toolset) => this.#parts.hub.chooseToolset(session, toolset),
		});
	}

	/**
	 * Waits for servers that have never listed their tools, for each once: one that hangs, or is started again and again, costs
	 * one message its patience and no more. Tools that are known from disk serve meanwhile.
	 */
	async #waitForServers(stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
		const { pool } = this.#parts;
		void pool.refreshIfStale();
		const isUnknown = ({ state, listedAt }: ServerStatus) =>
			state.kind === 'starting' && listedAt === undefined;
		const unknown = () =>
			pool
				.servers()
				.filter(isUnknown)
				.map((server) => server.name);
		const awaited = unknown().filter((name) => !this.#awaited.has(name));
		if (awaited.length === 0) return;
		for (const name of awaited) this.#awaited.add(name);
		stream.progress(`Waiting for ${awaited.join(', ')}…`);
		const stop = signalOf(token);
		try {
			await pool.whenReady(awaited, { timeoutMs: waitForServersMs, signal: stop.signal });
			const late = unknown();
			if (late.length > 0) stream.progress(`Still starting, so not searched yet: ${late.join(', ')}`);
		} catch {
			// Cancelled: the loop, which has the same token, says so.
		} finally {
			stop.dispose();
		}
	}

	async *#loop(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		session: ChatSession,
		token: vscode.CancellationToken,
	): AsyncGenerator<LoopEvent> {
		const stop = signalOf(token);
		try {
			yield* runToolLoop({
				model: await this.#modelFor(request),
				session: session.discovery,
				runTool: toolRunner(this.#parts.callTools, request.toolInvocationToken),
				system: defaultSystemPrompt,
				messages: [...conversation(context), { role: 'user', text: request.prompt }],
				signal: stop.signal,
			});
		} finally {
			stop.dispose();
		}
	}

	/** One of our own models is called as it is; any other through the editor. */
	async #modelFor(request: vscode.ChatRequest): Promise<ChatModel> {
		const own =
			request.model.vendor === ids.vendor ? await this.#parts.models.get(request.model.id) : undefined;
		return own ?? new EditorChatModel(request.model);
	}
}

/** The earlier turns of this chat with us, as the model is to see them. */
function conversation(context: vscode.ChatContext): ChatMessage[] {
	return context.history.flatMap((turn): ChatMessage[] => {
		if (turn instanceof vscode.ChatRequestTurn)
			return turn.command ? [] : [{ role: 'user', text: turn.prompt }];
		if (turn.command) return [];
		const text = turn.response
			.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
			.join('');
		return [{ role: 'assistant', text: withoutImages(text), toolCalls: [] }];
	});
}

/** What the newest answer in a chat's history tells of its session. */
function savedSession(context: vscode.ChatContext): SavedSession | undefined {
	for (const turn of [...context.history].reverse()) {
		if (!(turn instanceof vscode.ChatResponseTurn)) continue;
		const metadata: ResultMetadata | undefined = turn.result.metadata;
		if (metadata?.session) return metadata.session;
	}
	return undefined;
}

function followups(metadata: ResultMetadata | undefined): vscode.ChatFollowup[] {
	return metadata?.called?.length ? [{ prompt: '', command: 'context', label: 'What is loaded now?' }] : [];
}
