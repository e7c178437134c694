import type { ToolDefinition } from '../../discovery/tool.ts';
import { kindOf } from './literal.ts';
import type { Literal } from './prompt.ts';
import { without } from './spoken.ts';

/** Wire name, `server:tool`, or a bare name that no plain word looks like: `read_file`, `readFile`. */
const toolNameForm = /^(?:[\w.-]*\w__\w[\w.-]*|[A-Za-z][\w.-]*:[A-Za-z][\w.-]*|[a-z]\w*_\w+|[a-z]+[A-Z]\w*)$/;
/** After these, or at the very beginning, a hyphenated or plain word is a tool's name too: `use get-sum`. */
const namingLead = /(?:^|\b(?:use|using|call|run|invoke|execute|tool)\s+(?:the\s+)?(?:tool\s+)?)$/i;

/** Names of tools that stand in the prompt, as written. Values with a label (`name=my_file`) must be taken out before. */
export function toolReferences(text: string): readonly string[] {
	const found = [...text.matchAll(/[\w.:-]*\w/g)].filter(({ 0: word, index }) => {
		if (/[\w/\\@.=]$/.test(text.slice(0, index)) || /^[\w/\\@=(]/.test(text.slice(index + word.length)))
			return false;
		if (toolNameForm.test(word)) return kindOf(word) === undefined;
		return /^[a-z]\w*(?:-\w+)+$/.test(word) && namingLead.test(text.slice(Math.max(0, index - 40), index));
	});
	const called =
		/\b(?:use|using|call|run|invoke|execute)\s+(?:the\s+)?(?:tool\s+([\w-]+)|([\w-]+)\s+tool)\b/i.exec(text);
	const name = called?.[1] ?? called?.[2];
	return [...new Set([...found.map(([word]) => word), ...(name ? [name] : [])])];
}

/** Tools that a prompt names, and the prompt's literals that are no values but such names. */
export function namesIn(prompt: string, literals: readonly Literal[]): readonly string[] {
	return toolReferences(
		without(
			prompt,
			literals.filter(({ strength }) => strength !== 'weak'),
		),
	);
}

/** The name says its server too, so that no other tool can be meant. */
export function isQualified(name: string): boolean {
	return /\w__\w|\w:\w/.test(name);
}

/** The offered tool that is meant by a name in any of its forms, if exactly one is. */
export function toolByName(name: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
	const wire = wireForm(name);
	const exact = tools.filter((tool) => wireForm(tool.name) === wire);
	const bare = tools.filter((tool) => wireForm(tool.name).endsWith(`__${wire}`));
	const [only, ...others] = exact.length > 0 ? exact : bare;
	return others.length === 0 ? only : undefined;
}

/** How people see a tool of which only the wire name is known: `server:tool`. */
export function readableName(wireName: string): string {
	return wireName.replace(/(?<=.)__(?=.)/, ':');
}

function wireForm(name: string): string {
	return name
		.replace(':', '__')
		.replace(/[^A-Za-z0-9_-]/g, '_')
		.toLowerCase();
}
