/**
 * The words of a command line, quotes taken away: `npx -y "a b"` gives `npx`, `-y`, `a b`. Not a shell's whole grammar: variables,
 * pipes and escapes stay as they are written, since nothing here would carry them out.
 */
export function argumentsOf(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
		word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);
}
