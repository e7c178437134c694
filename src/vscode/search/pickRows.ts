import * as l10n from '@vscode/l10n';
import { matchedWords } from '../../chat/commands/matchLine.ts';
import { shownTokens } from '../../chat/counts.ts';
import type { ToolState } from '../../chat/sessions.ts';
import { firstSentence } from '../../common/text.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { toolLook } from '../ui/looks.ts';
import type { ToolNode } from '../ui/nodes.ts';

/** A tool as the quick pick shows it. */
export interface ToolRow {
	readonly kind: 'tool';
	readonly node: ToolNode;
	readonly matches: readonly WordMatch[];
	readonly label: string;
	readonly description: string;
	/** Absent where there is nothing more to say. */
	readonly detail?: string;
	/** A codicon, and a theme colour for it. */
	readonly icon: string;
	readonly color?: string;
	readonly actions: readonly RowButton[];
}

/** Takes what was typed to the chat. */
export interface AskRow {
	readonly kind: 'ask';
	readonly text: string;
	readonly label: string;
	readonly detail: string;
}

/** Stands over the tools that follow. */
export interface HeadingRow {
	readonly kind: 'heading';
	readonly label: string;
}

/** A line of the quick pick. */
export type PickRow = ToolRow | AskRow | HeadingRow;

/** What a button beside a tool does, by the command that does it. */
export interface RowButton {
	readonly command: string;
	readonly title: string;
	readonly icon: string;
}

type ActionKind = 'load' | 'unload' | 'pin' | 'defer' | 'run';

/** The buttons of a tool by its state: what the Servers view offers, too. Running comes last: it closes the list. */
const actionsOf: Readonly<Record<ToolState, readonly ActionKind[]>> = {
	deferred: ['load', 'pin', 'run'],
	activated: ['unload', 'pin', 'run'],
	loaded: ['pin', 'defer', 'run'],
	pinned: ['defer', 'run'],
	outside: [],
	held: [],
};

/** One of the editor's tools can be loaded and unloaded, and no more. */
function actionsFor({ state, isOfEditor }: ToolNode): readonly RowButton[] {
	const kinds = actionsOf[state];
	const offered = isOfEditor ? kinds.filter((kind) => kind === 'load' || kind === 'unload') : kinds;
	return offered.map(actionOf);
}

function actionOf(kind: ActionKind): RowButton {
	switch (kind) {
		case 'load':
			return { command: commands.loadTool, title: l10n.t('Load Tool for the Last Used Chat'), icon: 'add' };
		case 'unload':
			return {
				command: commands.unloadTool,
				title: l10n.t('Unload Tool from the Last Used Chat'),
				icon: 'remove',
			};
		case 'pin':
			return { command: commands.pinTool, title: l10n.t('Pin Tool'), icon: 'pin' };
		case 'defer':
			return { command: commands.deferTool, title: l10n.t('Defer Tool'), icon: 'circle-outline' };
		case 'run':
			return { command: commands.runTool, title: l10n.t('Run Tool…'), icon: 'play' };
	}
}

/** By what a row is the same after a change. */
export function rowId(row: PickRow): string {
	return row.kind === 'tool' ? `tool ${row.node.tool.wireName}` : `${row.kind} ${row.label}`;
}

/** Characters of somebody else's text that fit into a line. */
const nameLength = 100;
const sentenceLength = 200;
const typedLength = 60;

/** A tool, with why it was found where its name and its server do not show it: first, for a narrow window cuts off the rest. */
export function toolRow(node: ToolNode, matches: readonly WordMatch[] = []): ToolRow {
	const { tool, state } = node;
	const { word, ...look } = toolLook(state);
	const elsewhere = matches.filter(({ field }) => field !== 'name' && field !== 'server');
	const why = matchedWords(elsewhere, (text) => labelText(text, typedLength));
	const sentence = firstSentence(tool.description ?? tool.title ?? '');
	const detail = [why, labelText(sentence, sentenceLength)].filter(Boolean);
	return {
		kind: 'tool',
		node,
		matches,
		...look,
		label: labelText(tool.name, nameLength),
		description: [labelText(tool.server, nameLength), word, shownTokens(toolTokens(tool))].join(' · '),
		...(detail.length > 0 && { detail: detail.join(' · ') }),
		actions: actionsFor(node),
	};
}

/** The only line where nothing was found: the model knows other words for it. */
export function askRow(text: string): AskRow {
	return {
		kind: 'ask',
		text,
		label: l10n.t('No tool matches “{0}”', labelText(text, typedLength)),
		detail: l10n.t('Ask @discovery in the chat: a model knows other words for the same'),
	};
}

export function headingRow(text: string): HeadingRow {
	return { kind: 'heading', label: labelText(text, nameLength) };
}
