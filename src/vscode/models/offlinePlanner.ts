import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { offlinePlannerDescription } from '../../models/offlinePlanner/description.ts';
import { editorToolLimit } from './languageModel.ts';
import type { OfferedModel } from './modelProvider.ts';

/** The offline planner among the models of VS Code. It has no limits of its own; the editor wants some. */
export const offlinePlanner: OfferedModel = {
	information: {
		...offlinePlannerDescription,
		maxInputTokens: 1_000_000,
		maxOutputTokens: 16_000,
		capabilities: { toolCalling: true },
	},
	load: async () => {
		const { OfflinePlanner } = await import('../../models/offlinePlanner/offlinePlanner.ts');
		// It could take more, but is a model of VS Code, and answers as any of them does.
		return new OfflinePlanner({ rank, maxTools: editorToolLimit });
	},
};

/** Ranks tools as search does, for the planner to choose among those that are loaded. */
function rank(query: string, tools: readonly ToolDefinition[]): ToolDefinition[] {
	const index = new ToolIndex(tools.map((definition) => ({ ...definition, server: '', definition })));
	return index.search(query).map(({ tool }) => tool.definition);
}
