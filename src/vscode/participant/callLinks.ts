import * as l10n from '@vscode/l10n';
import { callsMark } from '../../chat/chatHistory.ts';
import { writtenOut } from '../../common/exactText.ts';
import { plain } from '../../common/markdown.ts';
import type { Catalog, CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../../discovery/catalog/syntheticTool.ts';
import { type ToolResult, toolId } from '../../discovery/catalog/tool.ts';
import { answeredCalls } from '../../models/callIds.ts';
import { ids } from '../ui/ids.ts';

/** A call that a chat has made. */
export interface PastCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** As the model received it. */
	readonly result: ToolResult;
}

/** The argument of a link to a call. */
export interface CallLink {
	/** Id of the chat's session. */
	readonly session: string;
	/** Id of the call. */
	readonly call: string;
}

export interface LinkedCall {
	readonly id: string;
	readonly tool: CatalogTool;
	readonly failed: boolean;
	/** Absent: the chat's own model made the call. */
	readonly agent?: string;
}

/** Calls that the line names; it counts the others. */
const shownCalls = 12;
const nameCharacters = 60;

/** The line below an answer that links to its calls; `undefined` without calls. */
export function callsLine(session: string, calls: readonly LinkedCall[]): string | undefined {
	if (calls.length === 0) return undefined;
	const shown = calls.slice(0, shownCalls);
	const links = shown.map(({ id, failed }, index) => {
		const target: CallLink = { session, call: id };
		const address = `command:${ids.showCall}?${encodeURIComponent(JSON.stringify([target]))}`;
		// No icons: VS Code renders text between two dollar signs on a line as a formula.
		const name = numbered(shown, index);
		const label = failed ? l10n.t('{0} failed', name) : name;
		return `[${label}](${address} "${l10n.t('Show arguments and result')}")`;
	});
	const more = calls.length - shownCalls;
	const rest = more > 0 ? [l10n.t('{0} more', more)] : [];
	return `${callsMark}${[...links, ...rest].join(' · ')}`;
}

/** A tool's name, its agent, and a number if there are several. In a run of equal names, only the first shows the name. */
function numbered(calls: readonly LinkedCall[], index: number): string {
	const nameOf = ({ tool, agent }: LinkedCall) =>
		agent === undefined
			? plain(writtenOut(tool.id), nameCharacters)
			: l10n.t(
					'{0}: {1}',
					plain(writtenOut(agent), nameCharacters),
					plain(writtenOut(tool.id), nameCharacters),
				);
	const names = calls.map(nameOf);
	const name = names[index] ?? '';
	const isSame = (other: string | undefined) => other === name;
	if (names.filter(isSame).length < 2) return name;
	const number = names.slice(0, index + 1).filter(isSame).length;
	return index > 0 && isSame(names[index - 1]) ? `${number}` : `${name} ${number}`;
}

/** A command link may pass anything. */
export function isCallLink(value: unknown): value is CallLink {
	const { session, call } = (value ?? {}) as Partial<Record<keyof CallLink, unknown>>;
	return typeof session === 'string' && typeof call === 'string';
}

/** Finds a call in its chat; `undefined` if it is no longer kept. */
export function callIn(
	messages: readonly ChatMessage[],
	id: string,
	catalog: Pick<Catalog, 'get'>,
): PastCall | undefined {
	const answered = messages.flatMap((_message, index) => answeredCalls(messages, index));
	const found = answered.find(({ call }) => call.id === id);
	if (!found?.result) return undefined;
	const inner = found.call.name === callToolName ? unwrappedCall(found.call.input) : undefined;
	const { name, input: args } = inner?.ok ? inner : found.call;
	return { tool: catalog.get(name) ?? goneTool(name), args, result: found.result.result };
}

/** For a tool that no server lists any more, so that its result can still be read. */
function goneTool(wireName: string): CatalogTool {
	const [server = '', ...rest] = wireName.split('__');
	const names = { server, name: rest.join('__') || wireName };
	return { ...names, id: toolId(names), wireName, inputSchema: { type: 'object' } };
}
