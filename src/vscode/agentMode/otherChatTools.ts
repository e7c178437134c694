import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { code } from '../../common/markdown.ts';
import { resultText } from '../../discovery/catalog/tool.ts';
import type * as otherChats from '../../discovery/tools/otherChats.ts';
import type { ListingWait } from '../../mcp/listing/listingWait.ts';
import { signalOf } from '../ui/cancellation.ts';
import { ids } from '../ui/ids.ts';
import type { SearchableSurface } from './searchableSurface.ts';

type Input = Readonly<Record<string, unknown>>;

/** A language-model tool with which other chats look at tools. */
interface OtherChatTool {
	/** What VS Code shows while it runs. */
	readonly message: (input: Input) => string;
	/** The function of `otherChats.ts` that answers. */
	readonly answer: 'searchToolsAnswer' | 'listToolsAnswer' | 'toolDetailsAnswer';
}

const otherChatTools: Readonly<Record<string, OtherChatTool>> = {
	[ids.searchTools]: {
		answer: 'searchToolsAnswer',
		message: ({ query }) =>
			isText(query) ? l10n.t('Searching MCP tools: {0}', code(query)) : l10n.t('Searching MCP tools'),
	},
	[ids.listTools]: {
		answer: 'listToolsAnswer',
		message: ({ server }) =>
			isText(server) ? l10n.t('Listing MCP tools: {0}', code(server)) : l10n.t('Listing MCP tools'),
	},
	[ids.toolDetails]: {
		answer: 'toolDetailsAnswer',
		message: ({ tool }) =>
			isText(tool)
				? l10n.t('Getting details of MCP tool: {0}', code(tool))
				: l10n.t('Getting details of an MCP tool'),
	},
};

/**
 * Offers finding, listing and describing tools to every chat in VS Code. With `#callTool` these are four definitions instead of all tools
 * of all servers. They are read-only, so the user is not asked.
 */
export function registerOtherChatTools({
	app,
	surface,
	listings,
}: {
	readonly app: () => Promise<{ readonly otherChats: typeof otherChats }>;
	readonly surface: SearchableSurface;
	readonly listings: ListingWait;
}): vscode.Disposable {
	return vscode.Disposable.from(
		...Object.entries(otherChatTools).map(([id, tool]) =>
			vscode.lm.registerTool<Input>(id, {
				prepareInvocation: ({ input }) => ({
					invocationMessage: new vscode.MarkdownString(tool.message(input)),
				}),
				invoke: async ({ input }, token) => {
					using stop = signalOf(token);
					// Waits briefly for starting servers, as for a message to `@discovery`.
					await listings.wait(() => undefined, stop.signal);
					const answers = (await app()).otherChats;
					const answer = await answers[tool.answer](surface.get(), input);
					const text = resultText(answer);
					// A language-model tool reports failure by an exception.
					if (answer.isError) throw new Error(text);
					return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
				},
			}),
		),
	);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
