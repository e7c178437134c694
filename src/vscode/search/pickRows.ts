import { matchedWords } from '../../chat/slashCommands/matchLine.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { firstSentence } from '../../discovery/text.ts';
import { toolTokens } from '../../discovery/toolTokens.ts';
import type { ToolState } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { labelText } from '../labelText.ts';
import type { ToolNode } from '../servers/treeNodes.ts';
import { shortNumber, toolLooks } from '../servers/treeRows.ts';

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
	readonly actions: readonly ToolAction[];
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
export interface ToolAction {
	readonly command: string;
	readonly title: string;
	readonly icon: string;
}

const load = { command: commands.loadTool, title: 'Load Tool for the Last Used Chat', icon: 'add' };
const unload = { command: commands.unloadTool, title: 'Unload Tool from the Last Used Chat', icon: 'remove' };
const pin = { command: commands.pinTool, title: 'Pin Tool', icon: 'pin' };
const defer = { command: commands.deferTool, title: 'Defer Tool', icon: 'circle-outline' };
const run = { command: commands.runTool, title: 'Run Tool…', icon: 'play' };

/** The buttons of a tool by its state: what the Servers view offers, too. Running comes last: it closes the list. */
const actionsOf: Readonly<Record<ToolState, readonly ToolAction[]>> = {
	deferred: [load, pin, run],
	activated: [unload, pin, run],
	loaded: [pin, defer, run],
	pinned: [defer, run],
	outside: [],
};

/** One of the editor's tools can be loaded and unloaded, and no more. */
function actionsFor({ state, unconfigured }: ToolNode): readonly ToolAction[] {
	const actions = actionsOf[state];
	return unconfigured ? actions.filter((action) => action === load || action === unload) : actions;
}

/** By what a row is the same after a change. */
export function rowId(row: PickRow): string {
	return row.kind === 'tool' ? `tool ${row.node.tool.wireName}` : `${row.kind} ${row.label}`;
}

/** Characters of somebody else's text that fit into a line. */
const nameLength = 100;
const sentenceLength = 200;
/** Of a sentence that something else follows in the same line. */
const shortSentenceLength = 50;
const typedLength = 60;

/** A tool, with why it was found where its name and its server do not show it. */
export function toolRow(node: ToolNode, matches: readonly WordMatch[] = []): ToolRow {
	const { tool, state } = node;
	const { word, ...look } = toolLooks[state];
	const elsewhere = matches.filter(({ field }) => field !== 'name' && field !== 'server');
	const why = matchedWords(elsewhere, (text) => labelText(text, typedLength));
	const sentence = firstSentence(tool.description ?? tool.title ?? '');
	const detail = [labelText(sentence, why ? shortSentenceLength : sentenceLength), why].filter(Boolean);
	return {
		kind: 'tool',
		node,
		matches,
		...look,
		label: labelText(tool.name, nameLength),
		description: `${labelText(tool.server, nameLength)} · ${word} · ≈${shortNumber(toolTokens(tool))} tokens`,
		...(detail.length > 0 && { detail: detail.join(' — ') }),
		actions: actionsFor(node),
	};
}

/** The only line where nothing was found: the model knows other words for it. */
export function askRow(text: string): AskRow {
	return {
		kind: 'ask',
		text,
		label: `No tool matches “${labelText(text, typedLength)}”`,
		detail: 'Ask @discovery in the chat: a model knows other words for the same',
	};
}

export function headingRow(text: string): HeadingRow {
	return { kind: 'heading', label: labelText(text, nameLength) };
}
