/** Words in names of servers that tools do not repeat. */
const generic = new Set(['mcp', 'server']);

/** The names of a server's tools as the rows below it show them: without the server's own name in front, unless two would be alike. */
export function toolLabels(server: string, names: readonly string[]): ReadonlyMap<string, string> {
	const words = server.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !generic.has(word.toLowerCase())) ?? [];
	if (words.length === 0) return new Map();
	const prefix = new RegExp(`^${words.join('[^\\p{L}\\p{N}]*')}[^\\p{L}\\p{N}]+(?=.)`, 'iu');
	const byLabel = Map.groupBy(names, (name) => name.replace(prefix, ''));
	return new Map(
		[...byLabel].flatMap(([label, [name, ...alike]]) =>
			name !== undefined && alike.length === 0 ? [[name, label]] : [],
		),
	);
}
