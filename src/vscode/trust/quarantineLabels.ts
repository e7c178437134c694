import * as l10n from '@vscode/l10n';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { labelText } from '../ui/labelText.ts';

/** Characters that messages show of the name of a server or tool. */
export const nameLength = 80;
/** Tools that a question names. */
const namedTools = 10;

/** What has happened, and what it means, for a notification. */
export function quarantineMessage(server: string, tools: readonly QuarantinedTool[]): string {
	const [first] = tools;
	const name = labelText(server, nameLength);
	if (tools.some(({ why }) => why === 'unknown')) {
		return l10n.t(
			'what you had accepted of the tools of “{0}” could not be read. They are not used until you accept them again.',
			name,
		);
	}
	return tools.length === 1 && first
		? l10n.t(
				'the tool “{0}” of “{1}” has changed since you approved it; it is not used until you accept the change.',
				labelText(first.tool.name, nameLength),
				name,
			)
		: l10n.t(
				'{0} tools of “{1}” have changed since you approved them; they are not used until you accept the changes.',
				tools.length,
				name,
			);
}

/** Asks whether all of them may be used as they are now. */
export function acceptQuestion(server: string, tools: readonly QuarantinedTool[]): string {
	return tools.length === 1
		? l10n.t('Accept the changed tool of “{0}”?', labelText(server, nameLength))
		: l10n.t('Accept {0} changed tools of “{1}”?', tools.length, labelText(server, nameLength));
}

/** The tools that the question is about, and what follows. */
export function acceptDetail(tools: readonly QuarantinedTool[]): string {
	const named = tools.slice(0, namedTools).map(({ tool }) => labelText(tool.name, nameLength));
	const rest = tools.length - named.length;
	const names = rest > 0 ? l10n.t('{0} and {1} more', named.join(', '), rest) : named.join(', ');
	const misleading = tools.flatMap(({ tool }) => {
		const text = misleadingText(tool);
		return text === ''
			? []
			: [l10n.t('⚠ {0} instructs the model: “{1}”', labelText(tool.name, nameLength), labelText(text, 200))];
	});
	return [
		...misleading.slice(0, namedTools),
		l10n.t(
			'{0}\n\nModels will see their new definitions, and you will be asked about calls in the new words.',
			names,
		),
	].join('\n\n');
}

/** Title of the difference of one tool. */
export function differenceTitle(tool: string): string {
	return l10n.t('{0}: accepted ↔ now', labelText(tool, nameLength));
}
