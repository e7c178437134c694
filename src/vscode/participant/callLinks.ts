import * as l10n from '@vscode/l10n';
import type { OpenChats } from '../../chat/openChats.ts';
import { writtenOut } from '../../common/exactText.ts';
import { plain } from '../../common/markdown.ts';
import type { Catalog, CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../../discovery/catalog/syntheticTool.ts';
import { type ToolResult, toolId } from '../../discovery/catalog/tool.ts';
import { namesIn } from '../../discovery/catalog/wireNames.ts';
import { allMessages } from '../../discovery/session/logEntry.ts';
import { answeredCalls } from '../../models/sentMessages.ts';
import { ids } from '../ui/ids.ts';

/** A call that a chat has made. */
interface PastCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** As the model received it. */
	readonly result: ToolResult;
}

/** The argument of a link to a call. */
interface CallLink {
	/** Id of the chat's session. */
	readonly session: string;
	/** Id of the call. */
	readonly call: string;
}

export interface LinkedCall {
	readonly id: string;
	readonly tool: CatalogTool;
	readonly outcome: 'done' | 'failed' | 'skipped';
	/** Why the call failed, in Markdown; absent or empty: nobody said, or the chat has said it. */
	readonly why?: string;
	/** Absent: the chat's own model made the call. */
	readonly agent?: string;
}

/** Calls that the line names; it counts the others. */
const shownCalls = 12;
const nameCharacters = 60;

/** The line below an answer that links to its calls; `undefined` without calls. */
export function callsLine(session: string, calls: readonly LinkedCall[]): string | undefined {
	if (calls.length === 0) return undefined;
	const times = new Map<string, number>();
	const links = calls.slice(0, shownCalls).map(({ id, outcome, why = '', ...call }) => {
		const target: CallLink = { session, call: id };
		const address = `command:${ids.showCall}?${encodeURIComponent(JSON.stringify([target]))}`;
		const name = nameOf(call);
		const number = (times.get(name) ?? 0) + 1;
		times.set(name, number);
		// No icons: VS Code renders text between two dollar signs on a line as a formula.
		const numbered = number > 1 ? `${name} ${number}` : name;
		const label = labelOf(numbered, outcome);
		const link = `[${label}](${address} "${l10n.t('Show arguments and result')}")`;
		return why === '' ? link : l10n.t('{0}: {1}', link, why);
	});
	const more = calls.length - shownCalls;
	const rest = more > 0 ? [l10n.t('{0} more', more)] : [];
	return `$(output) ${[...links, ...rest].join(' · ')}`;
}

function labelOf(name: string, outcome: LinkedCall['outcome']): string {
	switch (outcome) {
		case 'done':
			return name;
		case 'failed':
			return l10n.t('{0} failed', name);
		case 'skipped':
			return l10n.t('{0} skipped', name);
	}
}

function nameOf({ tool, agent }: Pick<LinkedCall, 'tool' | 'agent'>): string {
	const name = plain(writtenOut(tool.id), nameCharacters);
	return agent === undefined ? name : l10n.t('{0}: {1}', plain(writtenOut(agent), nameCharacters), name);
}

/** A command link may pass anything. */
export function isCallLink(value: unknown): value is CallLink {
	const { session, call } = (value ?? {}) as Partial<Record<keyof CallLink, unknown>>;
	return typeof session === 'string' && typeof call === 'string';
}

/** Shows a call that an answer links to, in an editor that can run it again. */
export async function showCall(
	link: unknown,
	chats: OpenChats,
	catalog: Pick<Catalog, 'get'>,
	viewer: { show(call: PastCall): Promise<void> },
): Promise<void> {
	if (!isCallLink(link)) return;
	const call = callIn(allMessages(await chats.logOf(link.session)), link.call, catalog);
	if (!call) throw new Error(l10n.t('this call is no longer available.'));
	await viewer.show(call);
}

/** Finds a call in its chat; `undefined` if it is no longer kept. */
export function callIn(
	messages: readonly ChatMessage[],
	id: string,
	catalog: Pick<Catalog, 'get'>,
): PastCall | undefined {
	const answered = messages.flatMap((_message, index) => answeredCalls(messages, index));
	const match = answered.find(({ call }) => call.id === id);
	if (!match?.result) return undefined;
	const inner = match.call.name === callToolName ? unwrappedCall(match.call.input) : undefined;
	const { name, input: args } = inner?.ok ? inner : match.call;
	return { tool: catalog.get(name) ?? goneTool(name), args, result: match.result.result };
}

/** For a tool that no server lists any more, so that its result can still be read. */
function goneTool(wireName: string): CatalogTool {
	const names = namesIn(wireName);
	return { ...names, id: toolId(names), wireName, inputSchema: { type: 'object' } };
}
