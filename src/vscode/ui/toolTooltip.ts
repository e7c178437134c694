import * as l10n from '@vscode/l10n';
import { code, plain } from '../../common/markdown.ts';
import { alterationsOfTool } from '../../discovery/catalog/hiddenText.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { parameterList } from '../../discovery/tools/toolText.ts';
import { toolLook } from './looks.ts';
import type { PastUse, ToolNode, ToolUse } from './nodes.ts';
import { ruleSentence } from './permissionLabels.ts';
import { capitalized, hiddenTextNotes } from './tooltips.ts';

/** Longest description that a tooltip shows, in characters; it is somebody else's text. */
const descriptionLength = 1000;

/** What there is to know of a tool, as Markdown. */
export function toolTooltip({ tool, state, why, unsent, advice, use, rule }: ToolNode): string {
	const misleads = misleadingText(tool);
	const [description = ''] = (tool.description ?? tool.title ?? '').trim().split(/\n\s*\n/, 1);
	return [
		`**${plain(tool.id)}**`,
		plain(description || l10n.t('No description.'), descriptionLength),
		...hiddenTextNotes(alterationsOfTool(tool)).map((words) => plain(words)),
		...(misleads === ''
			? []
			: [
					l10n.t(
						'⚠ Its texts tell the model more than what it does, which may be meant to mislead it: “{0}”',
						plain(misleads, 200),
					),
				]),
		l10n.t('Parameters: {0}', plain(parameterList(tool.inputSchema))),
		l10n.t('{0}: {1}.', capitalized(toolLook(state).word), plain(why)),
		...(unsent ? [l10n.t('Not sent to {0}: {1}', plain(unsent.model, 100), plain(unsent.reason, 300))] : []),
		...(rule ? [plain(ruleSentence(rule.kept))] : []),
		...(use ? [plain(useLabel(use))] : []),
		...(advice ? [plain(advice)] : []),
		l10n.t('≈{0} tokens (estimated) · models call it {1}', toolTokens(tool), code(tool.wireName)),
	].join('\n\n');
}

/** Sentences for people. */
export function useLabel({ calls, past }: ToolUse): string {
	const here = calls > 0 ? [timesHere(calls)] : [];
	return [...here, ...(past ? [timesInAll(past), ...lastTime(past)] : [])].join(' ');
}

function timesHere(n: number): string {
	return n === 1 ? l10n.t('Called once in this chat.') : l10n.t('Called {0} times in this chat.', n);
}

function timesInAll({ calls, chats }: PastUse): string {
	if (calls === 1) return l10n.t('Called once in all.');
	return chats === 1
		? l10n.t('Called {0} times in 1 chat in all.', calls)
		: l10n.t('Called {0} times in {1} chats in all.', calls, chats);
}

function lastTime({ last }: PastUse): string[] {
	return last === 0 ? [] : [l10n.t('Last called on {0}.', new Date(last).toLocaleString())];
}
