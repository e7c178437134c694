import * as l10n from '@vscode/l10n';
import { nameList } from '../../common/nameList.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { labelText } from '../ui/labelText.ts';

/** Tools that a question names at most. */
const maxToolNames = 10;

/** The notification about changed tools of a server. */
export function quarantineMessage(server: string, tools: readonly QuarantinedTool[]): string {
	const [first] = tools;
	const name = labelText(server);
	if (tools.some(({ why }) => why === 'unread'))
		return l10n.t(
			'the accepted tools of “{0}” cannot be read, so they are not used. Discovery’s log says why.',
			name,
		);
	if (tools.some(({ why }) => why === 'unknown')) {
		return l10n.t(
			'the accepted tools of “{0}” could not be read. They are not used until you accept them again.',
			name,
		);
	}
	return tools.length === 1 && first
		? l10n.t(
				'the tool “{0}” of “{1}” has changed since you approved it. It is not used until you accept the change.',
				labelText(first.tool.name),
				name,
			)
		: l10n.t(
				'{0} tools of “{1}” have changed since you approved them. They are not used until you accept the changes.',
				tools.length,
				name,
			);
}

export function acceptQuestion(server: string, tools: readonly QuarantinedTool[]): string {
	return tools.length === 1
		? l10n.t('Accept the changed tool from “{0}”?', labelText(server))
		: l10n.t('Accept {0} changed tools from “{1}”?', tools.length, labelText(server));
}

/** Names the tools, with what in their definitions may mislead a model. */
export function acceptDetail(tools: readonly QuarantinedTool[]): string {
	const names = nameList(
		tools.map(({ tool }) => labelText(tool.name)),
		maxToolNames,
	);
	const misleading = tools.map(({ tool }) => misleadingWarning(tool)).filter(Boolean);
	return [
		...misleading.slice(0, maxToolNames),
		l10n.t('{0}\n\nModels will see the new definitions.', names),
	].join('\n\n');
}

export function differenceTitle(tool: string): string {
	return l10n.t('{0}: accepted ↔ now', labelText(tool));
}

/** Quotes what in a tool's definition reads like an instruction to the model; empty if nothing does. */
export function misleadingWarning(tool: Tool): string {
	const text = misleadingText(tool);
	if (text === '') return '';
	return l10n.t('⚠ {0} instructs the model: “{1}”', labelText(tool.name), labelText(text, 200));
}
