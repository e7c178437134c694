import type * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';
import { inOrder, type Step } from '../../common/steps.ts';

/** A secret and the environment variable that servers read it as. */
interface SecretVariable {
	readonly name: string;
	readonly value: string;
}

/** Without a value, the secret is removed. */
interface SecretChange {
	readonly name: string;
	readonly value: string | undefined;
}

/** A workspace folder's address, as `vscode.Uri`. */
type FolderUri = Pick<vscode.Uri, 'toString'>;

interface SecretVariablesParts {
	readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
	/** Stores the names: VS Code's secret storage could not list them. */
	readonly names: Pick<vscode.Memento, 'get' | 'update'>;
}

/**
 * Secrets that servers read as `${env:NAME}`, in VS Code's secret storage. Each belongs to one workspace folder, so that no other folder's
 * configuration gets it.
 */
export class SecretVariables implements vscode.Disposable {
	readonly #parts: SecretVariablesParts;
	readonly #changed = new Emitter<void>();
	/** A secret was stored or removed, perhaps in another window. */
	readonly onDidChange = this.#changed.event;
	readonly #listener: vscode.Disposable;
	/** By folder. Cached because a configuration is checked while its user types. */
	readonly #known = new Map<string, Promise<Readonly<Record<string, string>>>>();

	constructor(parts: SecretVariablesParts) {
		this.#parts = parts;
		this.#listener = parts.secrets.onDidChange(({ key }) => {
			if (!key.startsWith(prefix)) return;
			this.#known.clear();
			this.#changed.fire();
		});
	}

	/** Names of a folder's secrets, sorted. */
	names(folder: FolderUri): readonly string[] {
		return this.#parts.names.get<readonly string[]>(namesKey(folder)) ?? [];
	}

	/** A folder's secrets by name. */
	values(folder: FolderUri): Promise<Readonly<Record<string, string>>> {
		const id = folder.toString();
		const known = this.#known.get(id) ?? this.#read(folder);
		this.#known.set(id, known);
		// The next call retries a failed read.
		known.catch(() => this.#known.delete(id));
		return known;
	}

	/** Stores secrets, replacing those of the same name. */
	async store(folder: FolderUri, variables: readonly SecretVariable[]): Promise<void> {
		await this.changing(folder, variables).take();
	}

	async remove(folder: FolderUri, names: readonly string[]): Promise<void> {
		const none = names.map((name) => ({ name, value: undefined }));
		await this.changing(folder, none).take();
	}

	/** Stores secrets, and removes those without a value: all of them or none. */
	changing(folder: FolderUri, variables: readonly SecretChange[]): Step {
		return inOrder(
			variables.flatMap(({ name, value }) => {
				const [secret, listed] = [
					this.#secret(folder, name, value),
					this.#listed(folder, name, value !== undefined),
				];
				// A secret without its name could never be found and removed.
				return value === undefined ? [secret, listed] : [listed, secret];
			}),
		);
	}

	dispose(): void {
		this.#listener.dispose();
	}

	async #read(folder: FolderUri): Promise<Readonly<Record<string, string>>> {
		const read = this.names(folder).map(
			async (name) => [name, await this.#parts.secrets.get(secretKey(folder, name))] as const,
		);
		const found = await Promise.all(read);
		return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
	}

	#secret(folder: FolderUri, name: string, value: string | undefined): Step {
		const { secrets } = this.#parts;
		const key = secretKey(folder, name);
		const take = async () => {
			const before = await secrets.get(key);
			await (value === undefined ? secrets.delete(key) : secrets.store(key, value));
			this.#known.clear();
			return this.#secret(folder, name, before);
		};
		return { take };
	}

	/** Lists the name of a secret, or no longer. */
	#listed(folder: FolderUri, name: string, isListed: boolean): Step {
		const take = async () => {
			const before = this.names(folder);
			const others = before.filter((one) => one !== name);
			const names = isListed ? [...others, name].toSorted() : others;
			await this.#parts.names.update(namesKey(folder), names.length > 0 ? names : undefined);
			this.#known.clear();
			return this.#listed(folder, name, before.includes(name));
		};
		return { take };
	}
}

const prefix = 'variable:';

function secretKey(folder: FolderUri, name: string): string {
	return `${prefix}${folder.toString()}:${name}`;
}

function namesKey(folder: FolderUri): string {
	return `variableNames:${folder.toString()}`;
}
