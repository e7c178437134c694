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

/** A call of a tool as its chat knows it. */
export interface PastCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** As the model got it. */
	readonly result: ToolResult;
}

/** What a link in an answer leads to. */
export interface CallLink {
	/** Of the chat's session. */
	readonly session: string;
	/** Of the call. */
	readonly call: string;
}

/** A call of an answer. */
export interface LinkedCall {
	readonly id: string;
	readonly tool: CatalogTool;
	readonly failed: boolean;
	/** The agent that made it; absent for the chat's own model. */
	readonly agent?: string;
}

/** Calls of one answer that its line names; the others are counted. */
const shownCalls = 12;
const nameCharacters = 60;

/** One quiet line below an answer with its calls, each a link to its arguments and its result; `undefined`: there were none. */
export function callsLine(session: string, calls: readonly LinkedCall[]): string | undefined {
	if (calls.length === 0) return undefined;
	const shown = calls.slice(0, shownCalls);
	const links = shown.map(({ id, failed }, index) => {
		const target: CallLink = { session, call: id };
		const address = `command:${ids.showCall}?${encodeURIComponent(JSON.stringify([target]))}`;
		// Without an icon: between two dollar signs of one line, the editor would see a formula.
		const name = numbered(shown, index);
		const label = failed ? l10n.t('{0} failed', name) : name;
		return `[${label}](${address} "${l10n.t('Show arguments and result')}")`;
	});
	const more = calls.length - shownCalls;
	const rest = more > 0 ? [l10n.t('{0} more', more)] : [];
	return `${callsMark}${[...links, ...rest].join(' · ')}`;
}

/** A tool's name with the number of its call, and the agent that made it; of several equal ones in a row, only the first has the name. */
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

/** What a command link in the chat hands over, which may be anything. */
export function isCallLink(value: unknown): value is CallLink {
	const { session, call } = (value ?? {}) as Partial<Record<keyof CallLink, unknown>>;
	return typeof session === 'string' && typeof call === 'string';
}

/** A call by its id among the messages of its chat; `undefined`: it is not kept any more. */
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

/** Stands for a tool that no server lists any more, so that what it has answered can still be read. */
function goneTool(wireName: string): CatalogTool {
	const [server = '', ...rest] = wireName.split('__');
	const names = { server, name: rest.join('__') || wireName };
	return { ...names, id: toolId(names), wireName, inputSchema: { type: 'object' } };
}
