import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { code } from '../../common/markdown.ts';
import { ListingWait } from '../../mcp/listing/listingWait.ts';
import type { Services } from '../../services.ts';
import { signalOf } from '../ui/cancellation.ts';
import { ids } from '../ui/ids.ts';
import { SearchableSurface } from './searchableSurface.ts';

type Input = Readonly<Record<string, unknown>>;

/** A language-model tool that shows other chats what tools there are. */
interface OtherChatTool {
	/** What the editor shows while it runs. */
	readonly message: (input: Input) => string;
	/** What answers it, of `otherChats.ts`. */
	readonly answer: 'searchToolsAnswer' | 'listToolsAnswer' | 'toolDetailsAnswer';
}

const otherChatTools: Readonly<Record<string, OtherChatTool>> = {
	[ids.searchTools]: {
		answer: 'searchToolsAnswer',
		message: ({ query }) =>
			isSaid(query) ? l10n.t('Search for MCP tools: {0}', code(query)) : l10n.t('Search for MCP tools'),
	},
	[ids.listTools]: {
		answer: 'listToolsAnswer',
		message: ({ server }) =>
			isSaid(server) ? l10n.t('List of MCP tools: {0}', code(server)) : l10n.t('List of MCP tools'),
	},
	[ids.toolDetails]: {
		answer: 'toolDetailsAnswer',
		message: ({ tool }) =>
			isSaid(tool) ? l10n.t('Details of an MCP tool: {0}', code(tool)) : l10n.t('Details of an MCP tool'),
	},
};

/**
 * Offers search, list and details of tools to every chat of the editor: with `#callTool` these are four definitions in place of those of all
 * tools of all servers. They only look, so the user is not asked.
 */
export function registerOtherChatTools({
	app,
	sessions,
	pool,
}: Pick<Services, 'app' | 'sessions' | 'pool'>): vscode.Disposable {
	const surface = new SearchableSurface(sessions);
	const listings = new ListingWait(pool);
	return vscode.Disposable.from(
		...Object.entries(otherChatTools).map(([id, tool]) =>
			vscode.lm.registerTool<Input>(id, {
				prepareInvocation: ({ input }) => ({
					invocationMessage: new vscode.MarkdownString(tool.message(input)),
				}),
				invoke: async ({ input }, token) => {
					await listed(listings, token);
					const { otherChats } = await app();
					const { text, failed } = await otherChats[tool.answer](surface.get(), input);
					// An exception is how a language-model tool says that it failed.
					if (failed) throw new Error(text);
					return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
				},
			}),
		),
	);
}

/** Servers that start are waited for a moment, as for a message of `@discovery`. */
async function listed(listings: ListingWait, token: vscode.CancellationToken): Promise<void> {
	const stop = signalOf(token);
	try {
		await listings.wait(() => undefined, stop.signal);
	} finally {
		stop.dispose();
	}
}

function isSaid(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
