import type { SecretTexts } from '../../../src/mcp/signIn/grants.ts';

/** The secret storage of one machine. Each window sees changes of the others with a delay. */
export class SharedSecrets {
	readonly #texts = new Map<string, string>();
	readonly #windows = new Set<(key: string, value: string | undefined) => void>();
	readonly #lagMs: number;

	constructor(lagMs = 0) {
		this.#lagMs = lagMs;
	}

	/** Everything stored, to check that nothing else is. */
	get texts(): ReadonlyMap<string, string> {
		return this.#texts;
	}

	window(): SecretTexts {
		const seen = new Map(this.#texts);
		const listeners = new Set<(change: { readonly key: string }) => void>();
		const see = (key: string, value: string | undefined) => {
			if (value === undefined) seen.delete(key);
			else seen.set(key, value);
			for (const listener of listeners) listener({ key });
		};
		this.#windows.add(see);
		const write = async (key: string, value: string | undefined) => {
			if (value === undefined) this.#texts.delete(key);
			else this.#texts.set(key, value);
			see(key, value);
			for (const other of this.#windows) if (other !== see) setTimeout(() => other(key, value), this.#lagMs);
		};
		return {
			get: async (key) => seen.get(key),
			store: (key, value) => write(key, value),
			delete: (key) => write(key, undefined),
			onDidChange: (listener) => {
				listeners.add(listener);
				return { dispose: () => listeners.delete(listener) };
			},
		};
	}
}
