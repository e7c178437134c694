import { oneLine, visible } from '../common/text.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolResult } from '../discovery/catalog/tool.ts';
import { schemaText } from '../discovery/tools/toolText.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ArgumentCheck } from './loopOptions.ts';

/** Checks arguments in the sandbox, where a server's schema can do no harm. If that is impossible, the server will say what is wrong. */
export function argumentCheck(sandbox: Sandbox): ArgumentCheck {
	return async (schema, input, server) => {
		const outcome = await sandbox.validate(schema, input, server);
		return outcome.kind === 'invalid' ? outcome.faults : [];
	};
}

/** Characters of one fault, which may repeat names and values of a server's schema. */
const faultCharacters = 500;

/** Tells a model that its arguments do not fit a tool, which was not called. `name`: the one that the model knows. */
export function misfitMessage(name: string, tool: CatalogTool, faults: readonly string[]): string {
	return [
		`The arguments do not fit '${name}', so it was not called.`,
		...faults.map((fault) => `- ${oneLine(fault, faultCharacters)}`),
		`Its input schema: ${schemaText(tool)}`,
	].join('\n');
}

/** A server's result without invisible characters: text that only models can read never serves the user. */
export function readableResult(result: ToolResult): ToolResult {
	const content = result.content.map((part) =>
		part.type === 'text' ? { ...part, text: visible(part.text) } : part,
	);
	return { ...result, content };
}
