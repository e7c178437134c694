import type * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';

/** A secret, under the name of the environment variable that servers read it by. */
interface SecretVariable {
	readonly name: string;
	readonly value: string;
}

/** Address of a workspace folder, as `vscode.Uri`. */
type FolderUri = Pick<vscode.Uri, 'toString'>;

/** What the secrets are kept in. */
interface SecretVariablesParts {
	readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
	/** Where the names are kept: the stable API cannot list what a secret storage has. */
	readonly names: Pick<vscode.Memento, 'get' | 'update'>;
}

/**
 * Secrets in VS Code's secret storage that servers read as `${env:NAME}`. Each belongs to one workspace folder: the
 * configuration of another, which may be anybody's, does not get it.
 */
export class SecretVariables implements vscode.Disposable {
	readonly #parts: SecretVariablesParts;
	readonly #changed = new Emitter<void>();
	/** A secret was stored or removed, perhaps in another window. */
	readonly onDidChange = this.#changed.event;
	readonly #listener: vscode.Disposable;
	/** By folder; kept because a configuration is checked as its user types. */
	readonly #known = new Map<string, Promise<Readonly<Record<string, string>>>>();

	constructor(parts: SecretVariablesParts) {
		this.#parts = parts;
		this.#listener = parts.secrets.onDidChange(({ key }) => {
			if (!key.startsWith(prefix)) return;
			this.#known.clear();
			this.#changed.fire();
		});
	}

	/** Names of a folder's secrets, in alphabetical order. */
	names(folder: FolderUri): readonly string[] {
		return this.#parts.names.get<readonly string[]>(namesKey(folder)) ?? [];
	}

	/** A folder's secrets: values by name. */
	values(folder: FolderUri): Promise<Readonly<Record<string, string>>> {
		const id = folder.toString();
		const known = this.#known.get(id) ?? this.#read(folder);
		this.#known.set(id, known);
		// What could not be read now may be read the next time.
		known.catch(() => this.#known.delete(id));
		return known;
	}

	/** Keeps secrets for a folder, in the place of any by the same names. */
	async store(folder: FolderUri, variables: readonly SecretVariable[]): Promise<void> {
		// The names first: a secret without its name could never be found and removed.
		await this.#setNames(folder, [...this.names(folder), ...variables.map(({ name }) => name)]);
		for (const { name, value } of variables) await this.#parts.secrets.store(secretKey(folder, name), value);
		this.#known.clear();
	}

	/** Removes a folder's secrets of these names. */
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
