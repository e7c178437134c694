import type { CatalogTool } from './catalog.ts';
import { type SyntheticTool, searchToolsName } from './syntheticTool.ts';
import { nameLimit, oneLine } from './text.ts';

/** What a call by a model leads to. */
export type CallTarget =
	| { readonly kind: 'synthetic'; readonly tool: SyntheticTool }
	/** Whoever runs the turn answers it. */
	| { readonly kind: 'hosted' }
	| {
			readonly kind: 'tool';
			readonly tool: CatalogTool;
			readonly input: Readonly<Record<string, unknown>>;
			/** The provider has seen no schema for the arguments: they are to be checked before the call. */
			readonly unchecked: boolean;
			/** Nothing has loaded the tool: the session is to `discover` it, once the arguments are found to fit. */
			readonly undiscovered?: true;
	  }
	/** Not to be called; the message is for the model. */
	| { readonly kind: 'refused'; readonly message: string };

/** What a model is told that calls a deferred tool without having searched for it. */
export function notLoaded(name: string): string {
	return (
		`Error: Tool '${oneLine(name, nameLimit)}' is not yet loaded. ` +
		`Use the '${searchToolsName}' tool to discover and load it first, then call it again.`
	);
}
