import * as l10n from '@vscode/l10n';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { offlinePlannerDescription } from '../../models/offlinePlanner/description.ts';
import { pause } from '../pause.ts';
import { editorToolLimit } from './languageModel.ts';
import type { OfferedModel } from './offeredModel.ts';

/** The offline planner among the models of VS Code. It has no limits of its own; the editor wants some. */
export const offlinePlanner: OfferedModel = {
	// Read late: the language is known only then.
	get information() {
		return {
			...offlinePlannerDescription,
			name: l10n.t('Offline Planner (no AI)'),
			detail: l10n.t('fixed rules'),
			tooltip: l10n.t(
				'Fixed rules instead of AI: finds an MCP tool by your words, fills in the values you give, calls it and shows the result.',
			),
			maxInputTokens: 1_000_000,
			maxOutputTokens: 16_000,
			capabilities: { toolCalling: true },
		};
	},
	load: async () => {
		const [{ OfflinePlanner }, { ToolIndex }] = await Promise.all([
			import('../../models/offlinePlanner/offlinePlanner.ts'),
			import('../../discovery/search/toolIndex.ts'),
		]);
		// The synonyms, which all indexes share, are read in steps before the planner needs them at once.
		await ToolIndex.build([], { pause });
		/** Ranks tools as search does, for the planner to choose among those that are loaded. */
		const rank = (query: string, tools: readonly ToolDefinition[]): ToolDefinition[] => {
			const index = new ToolIndex(tools.map((definition) => ({ ...definition, server: '', definition })));
			return index.search(query).map(({ tool }) => tool.definition);
		};
		// It could take more, but is a model of VS Code, and answers as any of them does.
		return new OfflinePlanner({ rank, maxTools: editorToolLimit });
	},
};
