import { parseEnv } from 'node:util';
import { hijacksProcess, redirectsTraffic, steersNode } from './environmentNames.ts';
import type { VariableScope } from './variables.ts';

/** The environment that a configuration reads. */
export interface Environment {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Names in `.env` that are ignored, because a repository must not set proxies and the like. */
	readonly ignored: readonly string[];
}

/**
 * The process's environment, with `.env` for what it does not set. The result is a new object: nothing from `.env` enters the process's
 * environment, so no server inherits what its entry does not name.
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
	const setVariables = Object.entries(processEnv).filter(([, value]) => value !== undefined);
	return { env: Object.fromEntries([...allowed, ...setVariables]), ignored };
}

/** The value of an environment variable, and whether it comes from the `.env` of a workspace. */
export interface FoundVariable {
	readonly value: string;
	readonly isOfWorkspace: boolean;
}

/** A variable as a file sees it, without stored secrets. */
export function variableIn(
	name: string,
	{ env, ofWorkspace = [] }: Pick<VariableScope, 'env' | 'ofWorkspace'>,
): FoundVariable | undefined {
	const value = Object.hasOwn(env, name) ? env[name] : undefined;
	return value === undefined ? undefined : { value, isOfWorkspace: ofWorkspace.includes(name) };
}
