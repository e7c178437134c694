import * as l10n from '@vscode/l10n';
import { type Alteration, alterationsOfServer, alterationsOfTool } from '../../discovery/alteredText.ts';
import type { Tool } from '../../discovery/tool.ts';

/** What was taken out of the texts of a tool, or of a server, a sentence for each kind. */
export function alterationWords(alterations: readonly Alteration[]): readonly string[] {
	return alterations.map((alteration) =>
		alteration === 'hidden'
			? l10n.t('⚠ Hidden characters were removed from its texts. They may be meant to mislead a model.')
			: l10n.t('⚠ Tags that may be meant to mislead a model were made harmless in its texts.'),
	);
}

/** The same for a server and its tools, of which it is told how many they are. */
export function serverAlterationWords(
	server: Parameters<typeof alterationsOfServer>[0],
	tools: readonly Tool[],
): readonly string[] {
	const altered = tools.filter((tool) => alterationsOfTool(tool).length > 0).length;
	return [
		...alterationWords(alterationsOfServer(server)),
		...(altered === 1 ? [l10n.t('⚠ Hidden characters or tags were removed from the texts of 1 tool.')] : []),
		...(altered > 1
			? [l10n.t('⚠ Hidden characters or tags were removed from the texts of {0} tools.', altered)]
			: []),
	];
}
