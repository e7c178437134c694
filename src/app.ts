import type * as vscode from 'vscode';
import { KeptReads } from './chat/results/keptReads.ts';
import { ReadTexts } from './chat/results/readTexts.ts';
import * as otherChats from './discovery/tools/otherChats.ts';
import type { Core, LateParts } from './services.ts';
import type { Called, RunAction } from './vscode/actions/action.ts';
import { actionRunner } from './vscode/commands/runs.ts';
import type { Selections } from './vscode/commands/targets.ts';
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
import type { ShownRun } from './vscode/run/result.ts';
import * as keyDialogs from './vscode/secrets/keyDialogs.ts';
import type { QuarantinedTools } from './vscode/trust/quarantinedTools.ts';
import type { CommandName } from './vscode/ui/ids.ts';
import type { ReadingDocuments } from './vscode/ui/readingEditor.ts';

/** The extension once it is used. Most windows never use it, so `activate()` registers only the entry points, which load this. */
export interface App extends LateParts, vscode.Disposable {
	/** Runs an action on the nodes that its command was called on. */
	readonly run: (name: CommandName, called: Called) => Promise<void>;
	/** Answers messages to `@discovery`. */
	readonly chat: RequestHandler;
	/** Reports answers that were interrupted when an earlier window closed. */
	readonly sayInterrupted: typeof sayInterrupted;
	/** The language-model tool through which every chat calls MCP tools. */
	readonly callTool: McpCallTool;
	/** The language-model tools that other chats use to find tools. */
	readonly otherChats: typeof otherChats;
	readonly contextPage: ContextPage;
}

/** Features that are there from the start. */
interface StartedFeatures {
	readonly documents: {
		/** Resources of servers. */
		readonly resources: ReadingDocuments<string>;
		/** Results of Run Tool, and calls made in chats. */
		readonly results: ReadingDocuments<ShownRun>;
	};
	readonly quarantined: QuarantinedTools;
	readonly views: Selections;
	/** Lets a feature run an action of another. */
	readonly run: RunAction;
}

/** Creates the application, and registers the language features of the configuration file. */
export function createApp(core: Core, { documents, quarantined, views, run }: StartedFeatures): App {
	const { pool, sandbox, folders } = core;
	const runs = new HandRuns({ ...core, run }, documents.results);
	const resources = new ResourceBrowser(pool, documents.resources);
	const contextPage = new ContextPage({ ...core, run });
	const reads = new ReadTexts(new KeptReads(folders.reads));
	const callTool = new McpCallTool({ ...core, runs, run }, reads);
	const chat = new RequestHandler({ ...core, runs }, callTool, reads);
	const configFeatures = registerConfigFeatures(core);
	return {
		run: actionRunner(core, { runs, resources, contextPage, quarantined, views, run }),
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
