import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import type { ToolAnswer } from '../../discovery/session/callTarget.ts';
import { listToolsAnswer, searchToolsAnswer, toolDetailsAnswer } from '../../discovery/tools/otherChats.ts';

/** Answers one verb. */
type Answering = (
	surface: ToolSurface,
	input: Readonly<Record<string, unknown>>,
) => ToolAnswer | Promise<ToolAnswer>;

/** The engine's verbs, in one file so that they are loaded as one. */
export const verbAnswers = {
	search: searchToolsAnswer,
	list: listToolsAnswer,
	details: toolDetailsAnswer,
} satisfies Record<string, Answering>;
