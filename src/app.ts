import type * as vscode from 'vscode';
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

/** What the extension does once it is used. Most windows never need it, so `activate()` registers only what leads here. */
export interface App extends vscode.Disposable {
	/** Runs an action on what it was called on. */
	readonly run: ReturnType<typeof actionRunner>;
	/** Runs tools for a person, and shows results. */
	readonly runs: HandRuns;
	/** Shows what servers have to read. */
	readonly resources: ResourceBrowser;
	/** Answers the messages to `@discovery`. */
	readonly chat: RequestHandler;
	/** Tells of answers that the end of an earlier window has interrupted. */
	readonly sayInterrupted: typeof sayInterrupted;
	/** Calls tools for all chats. */
	readonly callTool: McpCallTool;
	/** Answers what other chats ask about tools. */
	readonly otherChats: typeof otherChats;
	/** Answers what others ask our models. */
	readonly answering: Answering;
	/** A model of another extension, as the tool loop knows models. */
	readonly editorModel: (picked: vscode.LanguageModelChat) => ChatModel;
	readonly contextPage: ContextPage;
	/** Asks the user what a server wants to know. */
	readonly askUser: AskUser;
	readonly keyDialogs: typeof keyDialogs;
}

/** Makes the second stage of the extension, with what helps in editors of the configuration. */
export function createApp(services: Services): App {
	const {
		pool,
		sandbox,
		ui: { documents },
	} = services;
	const runs = new HandRuns(services, documents.results);
	const resources = new ResourceBrowser(pool, documents.resources);
	const contextPage = new ContextPage(services);
	const callTool = new McpCallTool(services);
	const chat = new RequestHandler(services, callTool);
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
