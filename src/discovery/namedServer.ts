import { nearestName } from './nearestName.ts';
import { oneLine } from './text.ts';
import type { ToolSurface } from './toolSurface.ts';

/** Most names that an error lists, and characters of each. */
const listedNames = 100;
const nameLimit = 100;

/** The server that a model means, whatever the case of its letters. */
export function namedServer(surface: ToolSurface, name: string): string | undefined {
	const names = surface.servers.map((server) => server.name);
	return (
		names.find((known) => known === name) ?? names.find((known) => known.toLowerCase() === name.toLowerCase())
	);
}

/** What a model is told that names a server which no permitted tool is on. */
export function unknownServer(surface: ToolSurface, name: string): string {
	const names = surface.servers.map((server) => oneLine(server.name, nameLimit));
	const closest = nearestName(name, names);
	const listed = names.slice(0, listedNames).join(', ');
	const rest = names.length > listedNames ? `, ... and ${names.length - listedNames} more` : '';
	const hint = closest ? ` Did you mean '${closest}'?` : '';
	return `Unknown server '${oneLine(name, nameLimit)}'.${hint} Available servers: ${listed}${rest}`;
}
