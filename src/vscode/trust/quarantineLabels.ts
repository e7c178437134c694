import * as l10n from '@vscode/l10n';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { labelText } from '../ui/labelText.ts';

/** Characters of a name that a message shows. */
const nameLength = 80;
/** Tools that a question names. */
const namedTools = 10;

/** A server's own word in a message: on one line, and no link, which the editor would make of it. */
export function shownName(name: string): string {
	return labelText(name, nameLength).replaceAll('](', ']\u200b(');
}

/** What has happened, and what it means, for a notification. */
export function quarantineMessage(server: string, held: readonly QuarantinedTool[]): string {
	const [first] = held;
	const name = shownName(server);
	if (held.some(({ why }) => why === 'unknown')) {
		return l10n.t(
			'What you had accepted of the tools of “{0}” could not be read. They are not used until you accept them again.',
			name,
		);
	}
	return held.length === 1 && first
		? l10n.t(
				'The tool “{0}” of “{1}” has changed since you approved it; it is not used until you accept the change.',
				shownName(first.tool.name),
				name,
			)
		: l10n.t(
				'{0} tools of “{1}” have changed since you approved them; they are not used until you accept the changes.',
				held.length,
				name,
			);
}

/** Asks whether all of them may be used as they are now. */
export function acceptQuestion(server: string, held: readonly QuarantinedTool[]): string {
	return held.length === 1
		? l10n.t('Accept the changed tool of “{0}”?', shownName(server))
		: l10n.t('Accept {0} changed tools of “{1}”?', held.length, shownName(server));
}

/** The tools that the question is about, and what follows. */
export function acceptDetail(held: readonly QuarantinedTool[]): string {
	const named = held.slice(0, namedTools).map(({ tool }) => shownName(tool.name));
	const rest = held.length - named.length;
	const names = rest > 0 ? l10n.t('{0} and {1} more', named.join(', '), rest) : named.join(', ');
	return l10n.t(
		'{0}\n\nModels will see their new definitions, and you will be asked about calls in the new words.',
		names,
	);
}

/** Title of the difference of one tool. */
export function differenceTitle(tool: string): string {
	return l10n.t('{0}: accepted ↔ now', shownName(tool));
}
