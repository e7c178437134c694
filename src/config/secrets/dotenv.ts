import { parseEnv } from 'node:util';
import { hijacksProcess, redirectsTraffic, steersNode } from './environmentNames.ts';

/** An environment for a configuration to read from. */
export interface Environment {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Names in `.env` that are ignored, because a repository must not decide on proxies and the like. */
	readonly ignored: readonly string[];
}

/**
 * The process's environment, with `.env` where it says nothing. The result is a new object: nothing of `.env` enters
 * the process's own environment, so no server inherits what its configuration does not name.
 */
export function environmentWithDotenv(
	dotenv: string | undefined,
	processEnv: Readonly<Record<string, string | undefined>>,
): Environment {
	const written = Object.entries(parseEnv(dotenv ?? ''));
	const ignored = written
		.map(([name]) => name)
		.filter((name) => hijacksProcess(name) || redirectsTraffic(name) || steersNode(name));
	const allowed = written.filter(([name]) => !ignored.includes(name));
	const own = Object.entries(processEnv).filter(([, value]) => value !== undefined);
	return { env: Object.fromEntries([...allowed, ...own]), ignored };
}
