import type * as vscode from 'vscode';
import { AnswersInProgress } from './chat/answersInProgress.ts';
import { BoundedFolder } from './chat/boundedFolder.ts';
import { OpenChats } from './chat/openChats.ts';
import { KeptReads } from './chat/results/keptReads.ts';
import { ReadTexts } from './chat/results/readTexts.ts';
import { isRecord } from './common/json.ts';
import * as otherChats from './discovery/tools/otherChats.ts';
import type { ListingWait } from './mcp/listing/listingWait.ts';
import type { Core, LateParts } from './services.ts';
import type { CommandArguments, RunAction } from './vscode/actions/action.ts';
import { connectAgents } from './vscode/agentMode/connectAgents.ts';
import { WindowGateway } from './vscode/agentMode/gatewayWindow.ts';
import { showLongCall } from './vscode/agentMode/longCall.ts';
import { OtherAgents } from './vscode/agentMode/otherAgents.ts';
import type { SearchableSurface } from './vscode/agentMode/searchableSurface.ts';
import * as general from './vscode/commands/generalRuns.ts';
import {
	type ActionRun,
	actionRunner,
	asUri,
	copyNames,
	namesOf,
	onServers,
	placed,
} from './vscode/commands/runs.ts';
import { serverRuns } from './vscode/commands/serverRuns.ts';
import type { Selections } from './vscode/commands/targets.ts';
import { openConfig } from './vscode/config/configCommands.ts';
import { registerConfigFeatures } from './vscode/config/languageFeatures.ts';
import { dismissWarnings, moveKeys } from './vscode/config/problemRuns.ts';
import { QuickFixes } from './vscode/config/quickFixes.ts';
import { ContextPage } from './vscode/context/contextPage.ts';
import { addServers } from './vscode/import/addServers.ts';
import { importPlaces } from './vscode/import/foreignFiles.ts';
import { Answering } from './vscode/models/answering.ts';
import { EditorChatModel } from './vscode/models/editorChatModel.ts';
import { AgentFiles } from './vscode/participant/agentFiles.ts';
import { CallPermissions } from './vscode/participant/askToCall.ts';
import { showCall } from './vscode/participant/callLinks.ts';
import { CommandAnswers } from './vscode/participant/commandAnswers.ts';
import { followupsWhenReady } from './vscode/participant/followups.ts';
import { promptsIn } from './vscode/participant/history.ts';
import { sayInterrupted } from './vscode/participant/interrupted.ts';
import { KnownSecrets } from './vscode/participant/knownSecrets.ts';
import { McpCallTool } from './vscode/participant/mcpCallTool.ts';
import { largeResultBytes, MessageLoop } from './vscode/participant/messageLoop.ts';
import { ModelAnswers } from './vscode/participant/modelAnswers.ts';
import type { ParticipantParts } from './vscode/participant/participant.ts';
import { Prompting } from './vscode/participant/prompting.ts';
import { Readiness } from './vscode/participant/readiness.ts';
import { RequestHandler } from './vscode/participant/requestHandler.ts';
import { ServerPrompts } from './vscode/participant/serverPrompts.ts';
import { defer, loadTools, pin, switchOnOrOff, undoLast, unloadTools } from './vscode/placement/placement.ts';
import { removeServers } from './vscode/placement/removeServers.ts';
import { selectToolset } from './vscode/placement/toolsets.ts';
import { askUser } from './vscode/questions/askUser.ts';
import { ResourceBrowser } from './vscode/run/browseResources.ts';
import { HandRuns } from './vscode/run/handRuns.ts';
import type { ShownRun } from './vscode/run/result.ts';
import { ToolPicker } from './vscode/search/toolPicker.ts';
import * as keyDialogs from './vscode/secrets/keyDialogs.ts';
import { manageSecrets } from './vscode/secrets/manageSecrets.ts';
import { setValues } from './vscode/secrets/setValues.ts';
import { pasteSignInAddress, signIn, signOut } from './vscode/signIn/signInCommands.ts';
import { forget } from './vscode/teaching/forget.ts';
import { teachSearch } from './vscode/teaching/teachSearch.ts';
import type { ToolDetails } from './vscode/trees/toolDetails.ts';
import { managePermissions } from './vscode/trust/managePermissions.ts';
import { acceptChange, type QuarantinedTools, reviewChanges } from './vscode/trust/quarantinedTools.ts';
import { ReviewPage } from './vscode/trust/reviewPage.ts';
import type { CommandName } from './vscode/ui/ids.ts';
import { openChat } from './vscode/ui/openChat.ts';
import type { ReadingDocuments } from './vscode/ui/readingEditor.ts';

/** The extension once it is used. Most windows never use it, so `activate()` registers only the entry points, which load this. */
export interface App extends LateParts, ParticipantParts, vscode.Disposable {
	/** Runs an action on the nodes that its command was called on. */
	readonly run: (name: CommandName, called: CommandArguments) => Promise<void>;
	/** The language-model tools that other chats use to find tools. */
	readonly otherChats: typeof otherChats;
	readonly contextPage: ContextPage;
	/** The MCP server for other agents. */
	readonly gateway: WindowGateway;
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
	/** The pages about tools. */
	readonly details: ToolDetails;
	readonly views: Selections;
	/** What other chats and agents can find. */
	readonly other: { readonly surface: SearchableSurface; readonly listings: ListingWait };
	/** Lets a feature run an action of another. */
	readonly run: RunAction;
}

/** Creates the features, and registers the language features of the configuration file. */
export function createApp(core: Core, started: StartedFeatures): App {
	const { pool, sandbox, folders, sessions, configFile, undo } = core;
	const runs = new HandRuns({ ...core, run: started.run }, started.documents.results);
	const resources = new ResourceBrowser(pool, started.documents.resources);
	const contextPage = new ContextPage({ ...core, run: started.run });
	const reads = new ReadTexts(new KeptReads(folders.reads));
	const permissions = new CallPermissions({ ...core, runs });
	const callTool = new McpCallTool({ ...core, permissions, reads, run: started.run });
	const gateway = new WindowGateway({
		...core,
		tools: new OtherAgents({
			...started.other,
			calls: callTool,
			uses: core.agents,
			resultsFolder: new BoundedFolder(folders.results),
			largeResultBytes,
			showLongCall,
		}),
	});
	const secrets = new KnownSecrets(configFile, core.keys, core.secrets);
	const readiness = new Readiness(core);
	const agentFiles = new AgentFiles();
	const chats = new OpenChats(sessions, core.keptChats, new AnswersInProgress(folders.chats));
	const prompting = new Prompting(secrets, reads, sandbox);
	const loop = new MessageLoop({ prompting, callTool, readiness, agentFiles, configFile }, folders.results);
	const prompts = new ServerPrompts(pool, reads, secrets);
	const chat = new RequestHandler({
		...core,
		chats,
		readiness,
		commands: new CommandAnswers({ sessions, readiness, agentFiles, prompts, undo }),
		models: new ModelAnswers({ models: core.models, sessions, chats, readiness, loop }),
	});
	const configFeatures = registerConfigFeatures({ ...core, fixes: new QuickFixes(core) });
	const actions = actionRuns(core, started, { runs, resources, contextPage, gateway });
	return {
		run: actionRunner({ ...core, runs: actions, views: started.views }),
		chat,
		followups: (stored, history, token) =>
			followupsWhenReady(stored, promptsIn(history), token, readiness, configFile),
		showCall: (link) => showCall(link, chats, sessions.catalog, runs),
		sayInterrupted,
		callTool,
		otherChats,
		answering: new Answering(),
		editorModel: (picked) => new EditorChatModel(picked),
		contextPage,
		gateway,
		askUser: (asked, signal) => askUser(asked, signal, sandbox),
		keyDialogs,
		dispose() {
			for (const feature of [runs, resources, contextPage, agentFiles, configFeatures, gateway])
				feature.dispose();
		},
	};
}

/** Features that actions run on. */
interface ActingFeatures {
	readonly runs: HandRuns;
	readonly resources: ResourceBrowser;
	readonly contextPage: ContextPage;
	readonly gateway: WindowGateway;
}

/** What each action does. */
function actionRuns(
	core: Core,
	{ quarantined, details, run }: StartedFeatures,
	{ runs, resources, contextPage, gateway }: ActingFeatures,
): Readonly<Record<CommandName, ActionRun>> {
	const { pool, sessions, configFile, serverModels, undo } = core;
	// One instance of each: the picker keeps its index, and there is one review page.
	const picker = new ToolPicker({ sessions, serverModels, run });
	const review = new ReviewPage({
		...core,
		disable: async (servers) => {
			const nodes = servers.flatMap((name) => serverModels.server(name) ?? []);
			const undoable = await switchOnOrOff(core, 'disable', nodes, 'workspace');
			if (undoable) undo.push(undoable);
		},
	});
	return {
		...serverRuns(pool),
		ask: (_, [words]) => openChat(words),
		addServer: () => addServers({ ...core, run, review: (servers) => review.show(servers) }),
		addModel: async () => {
			const { addModel } = await import('./vscode/models/addModel.ts');
			await addModel(core);
		},
		openConfig: ([node]) => openConfig(core, node),
		enableDiscovery: () => general.turnOnDiscovery(configFile),
		searchTools: async () => void picker.open(),
		rebuildIndex: () => general.rebuildIndex(pool, sessions, serverModels),
		selectToolset: () => selectToolset(core),
		resetSession: () => general.resetSession(sessions),

		reviewServers: (nodes) => review.show(namesOf(nodes)),
		signIn: onServers((name) => signIn(core, name)),
		signOut: onServers((name) => signOut(core, name)),
		pasteSignInAddress,
		showServerLog: onServers((name) => core.logs.show(name)),
		browseResources: onServers((name) => resources.browse(name)),
		managePermissions: ([node]) => managePermissions(core, node),
		reviewChanges: ([node]) => reviewChanges(quarantined, node),
		acceptChange: (nodes, called) => acceptChange(quarantined, nodes, called),

		pinServer: (nodes) => pin(core, placed(nodes)),
		deferServer: (nodes) => defer(core, placed(nodes)),
		loadTool: async (nodes) => loadTools(core, placed(nodes)),
		unloadTool: async (nodes) => unloadTools(core, placed(nodes)),
		disable: (nodes) => switchOnOrOff(core, 'disable', placed(nodes)),
		enable: (nodes) => switchOnOrOff(core, 'enable', placed(nodes)),
		setValue: ([node]) => setValues(core, node),
		moveKeys: ([row]) => moveKeys(core, row),
		dismiss: (nodes) => dismissWarnings(core.dismissed, nodes),
		removeServer: (nodes) => removeServers(core, namesOf(nodes)),
		undo: () => undoLast(core),

		runTool: async ([node], [target, args]) => {
			// A button in the chat passes the arguments that are known, and the editor of a result its URI.
			const result = asUri(target);
			if (node?.kind === 'tool') await runs.run(node.tool, isRecord(args) ? args : undefined);
			else if (result) await runs.runAgain(result);
			else picker.open('running');
		},
		showTool: async ([node], { length }) => {
			if (node?.kind === 'tool') await details.show(node, length > 0 ? 'row' : 'palette');
		},
		copyName: (nodes) => copyNames(nodes),

		manageSecrets: (_, [subject, failed]) => manageSecrets(core, subject, failed),
		showContext: async () => contextPage.show(),
		teachSearch: (nodes) => teachSearch({ ...core, run }, nodes.length > 0 ? namesOf(nodes) : undefined),
		forget: () => forget(core),
		connectAgents: () => connectAgents({ gateway, places: importPlaces(core.globalStorage) }),
	};
}
