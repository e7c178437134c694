import * as l10n from '@vscode/l10n';
import type { ToolLabel } from '../../models/planner/answers.ts';
import { offlinePlannerDescription } from '../../models/planner/description.ts';
import { editorToolLimit } from '../ui/editorParts.ts';
import type { OfferedModel } from './modelInformation.ts';

/** The offline planner as a model of VS Code, which requires token limits. `names`: tools in its answers. */
export function offlinePlanner(names: ToolLabel): OfferedModel {
	return {
		// A getter, because the language is set later.
		get information() {
			return {
				...offlinePlannerDescription,
				name: l10n.t('Offline Planner (no AI)'),
				detail: l10n.t('fixed rules'),
				tooltip: l10n.t(
					'Fixed rules, no AI: finds an MCP tool by your words, fills in the values that you give, calls it, and shows the result.',
				),
				maxInputTokens: 1_000_000,
				maxOutputTokens: 16_000,
				capabilities: { toolCalling: editorToolLimit },
			};
		},
		load: async () => {
			const { plannerModel } = await import('./plannerModel.ts');
			return plannerModel(names);
		},
	};
}
