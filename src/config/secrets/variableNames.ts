import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { hijacksProcess, redirectsTraffic } from './environmentNames.ts';

/**
 * Names the environment variables of one import: the same name for the same value, and never a name that has another value in the
 * environment or another meaning in an imported server.
 */
export class VariableNames {
	readonly #env: Readonly<Record<string, string | undefined>>;
	/** What each name stands for so far. */
	readonly #meanings = new Map<string, string>();
	#reserved: ReadonlySet<string> = new Set();

	constructor(env: Readonly<Record<string, string | undefined>>) {
		this.#env = env;
	}

	/** Names that imported servers read from the environment. */
	reserve(names: ReadonlySet<string>): void {
		this.#reserved = names;
	}

	/** The variable for a secret of a server. */
	forSecret(server: string, wish: string, value: string): string {
		const meaning = `secret ${value}`;
		return this.#give(server, wish, meaning, (name) => {
			const set = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
			return set === value || (set === undefined && !this.#reserved.has(name));
		});
	}

	/** The variable for an input of VS Code. Its value is unknown here; if the name is set, that is the value. */
	forInput(source: string, id: string): string {
		return this.#give('', id, `input ${source} ${id}`, () => true);
	}

	#give(server: string, wish: string, meaning: string, isFree: (name: string) => boolean): string {
		for (const name of candidates(server, wish)) {
			const meaningSoFar = this.#meanings.get(name);
			if (meaningSoFar === undefined ? !isFree(name) : meaningSoFar !== meaning) continue;
			this.#meanings.set(name, meaning);
			return name;
		}
		throw new Error('unreachable: candidates never end');
	}
}

function* candidates(server: string, wish: string): Generator<string> {
	const plain = environmentName(wish);
	const owned = plain.startsWith(environmentName(server)) ? plain : environmentName(server, plain);
	yield allowed(plain);
	yield allowed(owned);
	for (let number = 2; ; number++) yield allowed(`${owned}_${number}`);
}

/** `.env` cannot set proxies, `NODE_OPTIONS` and the like, so secrets need other names. */
function allowed(name: string): string {
	return hijacksProcess(name) || redirectsTraffic(name) ? `MCP_${name}` : name;
}
