import type { CatalogTool } from '../discovery/catalog.ts';
import { schemaText } from '../discovery/searchTools/resultEntry.ts';
import { oneLine } from '../discovery/text.ts';

/** Characters of one fault; it may repeat names and values of a server's schema. */
const faultCharacters = 500;

/** What a model is told whose arguments do not fit a tool, which was therefore not called. `name`: as the model knows it. */
export function misfit(name: string, tool: CatalogTool, faults: readonly string[]): string {
	return [
		`The arguments do not fit '${name}', so it was not called.`,
		...faults.map((fault) => `- ${oneLine(fault, faultCharacters)}`),
		`Its input schema: ${schemaText(tool)}`,
	].join('\n');
}
