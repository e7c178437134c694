import * as l10n from '@vscode/l10n';
import { matchedWords } from '../../chat/commands/matchedWords.ts';
import { shownTokens } from '../../chat/counts.ts';
import { firstSentence } from '../../common/text.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { isButton } from '../actions/contributions.ts';
import { actions } from '../actions/table.ts';
import type { CommandName } from '../ui/ids.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { toolLook } from '../ui/looks.ts';
import type { ToolNode } from '../ui/nodes.ts';

export interface ToolRow {
	readonly kind: 'tool';
	readonly node: ToolNode;
	readonly matches: readonly WordMatch[];
	readonly label: string;
	readonly description: string;
	readonly detail?: string;
	/** A codicon, and its theme color. */
	readonly icon: string;
	readonly color?: string;
	readonly actions: readonly RowButton[];
}

/** Leads to what may help where nothing was found. */
interface LeadRow {
	readonly kind: 'lead';
	readonly action: CommandName;
	/** What it starts with. */
	readonly words?: string;
	readonly label: string;
	readonly detail: string;
	readonly icon: string;
}

/** A heading above tools. */
export interface HeadingRow {
	readonly kind: 'heading';
	readonly label: string;
}

export type PickRow = ToolRow | LeadRow | HeadingRow;

/** A button beside a tool: an action, whose title it takes, and a codicon. */
export interface RowButton {
	readonly name: CommandName;
	readonly icon: string;
}

/** Identifies a row across redraws. */
export function rowId(row: PickRow): string {
	return row.kind === 'tool' ? `tool ${row.node.tool.wireName}` : `${row.kind} ${row.label}`;
}

const typedLength = 60;

/** A row begins with what the tool does. If its name and server do not show why it was found, the reason follows. */
export function toolRow(
	node: ToolNode,
	matches: readonly WordMatch[],
	commands: readonly CommandName[],
): ToolRow {
	const { tool, state } = node;
	const { word, ...look } = toolLook(state);
	const elsewhere = matches.filter(({ field }) => field !== 'name' && field !== 'server');
	const why = matchedWords(elsewhere, (text) => labelText(text, typedLength));
	const sentence = firstSentence(tool.description ?? tool.title ?? '');
	const detail = [labelText(sentence, lineLength), why].filter(Boolean);
	return {
		kind: 'tool',
		node,
		matches,
		...look,
		label: labelText(tool.name),
		description: [labelText(tool.server), word, shownTokens(toolTokens(tool))].join(' · '),
		...(detail.length > 0 && { detail: detail.join(' · ') }),
		// The same buttons as in the Servers view.
		actions: commands
			.filter((name) => isButton(name, node))
			.map((name) => ({ name, icon: actions[name].icon ?? '' })),
	};
}

/** Without a result, leads to the chat, whose model knows synonyms, and to teaching if search can learn about tools. */
export function leadRows(typed: string, canLearn: boolean): readonly LeadRow[] {
	const ask: LeadRow = {
		kind: 'lead',
		action: 'ask',
		words: typed,
		label: l10n.t('No tool matches “{0}”', labelText(typed, typedLength)),
		detail: l10n.t('Ask @discovery in the chat. Models know synonyms.'),
		icon: 'comment-discussion',
	};
	const teach: LeadRow = {
		kind: 'lead',
		action: 'teachSearch',
		label: l10n.t('Teach Search…'),
		detail: l10n.t('Let a model describe your tools in everyday words'),
		icon: 'mortar-board',
	};
	return canLearn ? [ask, teach] : [ask];
}

export function headingRow(text: string): HeadingRow {
	return { kind: 'heading', label: labelText(text) };
}
