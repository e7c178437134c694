import type * as vscode from 'vscode';
import { KeptReads } from './chat/results/keptReads.ts';
import { ReadTexts } from './chat/results/readTexts.ts';
import * as otherChats from './discovery/tools/otherChats.ts';
import type { AskUser } from './mcp/connection/questions.ts';
import type { ChatModel } from './models/chatModel.ts';
import type { Services } from './services.ts';
import { actionRunner } from './vscode/commands/runs.ts';
import { registerConfigFeatures } from './vscode/config/languageFeatures.ts';
import { ContextPage } from './vscode/context/contextPage.ts';
import { Answering } from './vscode/models/answering.ts';
import { EditorChatModel } from './vscode/models/editorChatModel.ts';
import { sayInterrupted } from './vscode/participant/interrupted.ts';
import { McpCallTool } from './vscode/participant/mcpCallTool.ts';
import { RequestHandler } from './vscode/participant/requestHandler.ts';
import { askUser } from './vscode/questions/askUser.ts';
import { ResourceBrowser } from './vscode/run/browseResources.ts';
import { HandRuns } from './vscode/run/handRuns.ts';
import * as keyDialogs from './vscode/secrets/keyDialogs.ts';

/** The extension once it is used. Most windows never use it, so `activate()` registers only the entry points, which load this. */
export interface App extends vscode.Disposable {
	/** Runs an action on the nodes that it was invoked on. */
	readonly run: ReturnType<typeof actionRunner>;
	/** Run Tool, and the documents with results. */
	readonly runs: HandRuns;
	/** Browse Resources. */
	readonly resources: ResourceBrowser;
	/** Answers messages to `@discovery`. */
	readonly chat: RequestHandler;
	/** Reports answers that were interrupted when an earlier window closed. */
	readonly sayInterrupted: typeof sayInterrupted;
	/** The language-model tool through which every chat calls MCP tools. */
	readonly callTool: McpCallTool;
	/** The language-model tools that other chats use to find tools. */
	readonly otherChats: typeof otherChats;
	/** Answers requests to the models that we provide. */
	readonly answering: Answering;
	/** Adapts a model of another extension to the tool loop. */
	readonly editorModel: (picked: vscode.LanguageModelChat) => ChatModel;
	readonly contextPage: ContextPage;
	/** Asks the user a server's question (elicitation). */
	readonly askUser: AskUser;
	readonly keyDialogs: typeof keyDialogs;
}

/** Creates the application, and registers the language features of the configuration file. */
export function createApp(services: Services): App {
	const {
		pool,
		sandbox,
		ui: { documents },
		storage: { folders },
	} = services;
	const runs = new HandRuns(services, documents.results);
	const resources = new ResourceBrowser(pool, documents.resources);
	const contextPage = new ContextPage(services);
	const reads = new ReadTexts(new KeptReads(folders.reads));
	const callTool = new McpCallTool(services, reads);
	const chat = new RequestHandler(services, callTool, reads);
	const configFeatures = registerConfigFeatures(services);
	return {
		run: actionRunner(services),
		runs,
		resources,
		chat,
		sayInterrupted,
		callTool,
		otherChats,
		answering: new Answering(),
		editorModel: (picked) => new EditorChatModel(picked),
		contextPage,
		askUser: (asked, signal) => askUser(asked, signal, sandbox),
		keyDialogs,
		dispose() {
			for (const made of [runs, resources, contextPage, chat, configFeatures]) made.dispose();
		},
	};
}
