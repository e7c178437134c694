import type * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';

/** A secret and the environment variable that servers read it as. */
interface SecretVariable {
	readonly name: string;
	readonly value: string;
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
		// Names first: a secret without its name could never be found and removed.
		await this.#setNames(folder, [...this.names(folder), ...variables.map(({ name }) => name)]);
		for (const { name, value } of variables) await this.#parts.secrets.store(secretKey(folder, name), value);
		this.#known.clear();
	}

	async remove(folder: FolderUri, names: readonly string[]): Promise<void> {
		for (const name of names) await this.#parts.secrets.delete(secretKey(folder, name));
		await this.#setNames(
			folder,
			this.names(folder).filter((name) => !names.includes(name)),
		);
		this.#known.clear();
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

	async #setNames(folder: FolderUri, names: readonly string[]): Promise<void> {
		const kept = [...new Set(names)].toSorted();
		await this.#parts.names.update(namesKey(folder), kept.length > 0 ? kept : undefined);
	}
}

const prefix = 'variable:';

function secretKey(folder: FolderUri, name: string): string {
	return `${prefix}${folder.toString()}:${name}`;
}

function namesKey(folder: FolderUri): string {
	return `variableNames:${folder.toString()}`;
}
