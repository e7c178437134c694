import { cleanJson, toolDetails } from '../inspection/toolJson.ts';
import { listedTools, parseListing } from '../inspection/toolListing.ts';
import { folded } from '../text.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { callableName, failedAnswer, jsonAnswer, type VerbAnswer } from './verb.ts';

/** Characters of one page, and of a description in it. */
const pageCharacters = 8_000;
const descriptionLimit = 200;

/** `{server?, search?, page?}` → `{tools: [{tool, description}], page, pages}`. */
export function listToolsVerb(surface: ToolSurface, input: Readonly<Record<string, unknown>>): VerbAnswer {
	const parsed = parseListing(input, 'server');
	if (!parsed.ok) return failedAnswer(parsed.message);
	const listed = listedTools(surface, parsed.request);
	if (!listed.ok) return failedAnswer(listed.message);
	const pages = pagesOf(
		listed.tools.map((tool) =>
			cleanJson({
				tool: callableName(tool, surface.names),
				description: folded(toolDetails(tool).description, descriptionLimit),
			}),
		),
	);
	const page = Number(input.page ?? 1);
	const entries = pages[page - 1];
	if (!entries) return failedAnswer(`There are pages 1 to ${pages.length}.`);
	return jsonAnswer(`{"tools":[\n${entries.join(',\n')}\n],"page":${page},"pages":${pages.length}}`);
}

/** Entries one after the other, as many on a page as fit; at least one page. */
function pagesOf(entries: readonly string[]): string[][] {
	let page: string[] = [];
	const pages = [page];
	let characters = 0;
	for (const entry of entries) {
		characters += entry.length;
		if (page.length > 0 && characters > pageCharacters) {
			page = [];
			pages.push(page);
			characters = entry.length;
		}
		page.push(entry);
	}
	return pages;
}
