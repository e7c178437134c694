import { code } from '../../discovery/markdown.ts';
import { namedTools } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { isLoaded } from './toolLine.ts';

/** `/load NAMES`: loads deferred tools for this chat. */
export function load(args: string, { session }: SlashCommandContext): string {
	const { tools: named, faults } = namedTools(args, session);
	if (named.length === 0 && faults.length === 0) return 'Which tools? Example: `/load filesystem:write_file`';
	const before = session.activated;
	const already = named.filter((tool) => isLoaded(tool, session));
	// A command is a turn of its own: what the last turn loaded may make room.
	session.beginTurn();
	const added = session.load(named);
	const refused = named.filter((tool) => !isLoaded(tool, session));
	const evicted = before.filter((tool) => !isLoaded(tool, session));
	return [
		...faults,
		...added.map((tool) => `Loaded ${code(tool.id)} for this chat.`),
		...already.map((tool) => `${code(tool.id)} was loaded already.`),
		...refused.map((tool) => `${code(tool.id)} does not fit: unload another one first (\`/unload\`).`),
		...evicted.map((tool) => `Unloaded ${code(tool.id)} to make room.`),
	].join('\n\n');
}
