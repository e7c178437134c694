import type { ToolSurface } from '../../discovery/toolSurface.ts';
import { listToolsVerb } from '../../discovery/verbs/listToolsVerb.ts';
import { searchToolsVerb } from '../../discovery/verbs/searchToolsVerb.ts';
import { toolDetailsVerb } from '../../discovery/verbs/toolDetailsVerb.ts';
import type { VerbAnswer } from '../../discovery/verbs/verb.ts';

/** Answers one verb. */
type Answering = (
	surface: ToolSurface,
	input: Readonly<Record<string, unknown>>,
) => VerbAnswer | Promise<VerbAnswer>;

/** The engine's verbs, in one file so that they are loaded as one. */
export const verbAnswers = {
	search: searchToolsVerb,
	list: listToolsVerb,
	details: toolDetailsVerb,
} satisfies Record<string, Answering>;
